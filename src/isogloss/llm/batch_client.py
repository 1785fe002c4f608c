"""The Batch API of one model: upload, create, find, look, fetch."""

import json
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar, cast

from openai import OpenAIError
from openai.types import Batch

from isogloss.llm.api_keys import hide_key, read_api_key, safe_reason
from isogloss.llm.chat_models import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.client import open_client
from isogloss.llm.faults import ChatError
from isogloss.llm.wire import request_body

T = TypeVar("T")

# Where a server keeps more batches than this, an older one is not found again by its token.
LOOKED_THROUGH = 500


class BatchClient:
    """Speaks to the batch endpoints.

    Looking and fetching is retried by the openai package; creating never is, because a creation
    whose reply was lost may have succeeded and would be paid twice.
    """

    def __init__(self, model: ChatModelSettings) -> None:
        self._model = model
        self._key = read_api_key(model)
        self._once = open_client(model, self._key, 4)
        self._patient = self._once.with_options(max_retries=model.retries)
        self._url = "/chat/completions" if model.kind == "azure" else "/v1/chat/completions"

    async def close(self) -> None:
        """Close the connections."""
        await self._once.close()

    async def submit(self, requests: Sequence[ChatRequest], token: str) -> str:
        """Upload and start a batch.

        Returns:
            Its id.
        """
        lines = (
            {
                "custom_id": request.key,
                "method": "POST",
                "url": self._url,
                "body": request_body(request, self._model.structured_output),
            }
            for request in requests
        )
        content = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)

        async def start() -> str:
            name = "requests.jsonl"
            file = await self._patient.files.create(file=(name, content), purpose="batch")
            batch = await self._once.batches.create(
                input_file_id=_text(file.id),
                endpoint=cast(Any, self._url),
                completion_window="24h",
                metadata={"isogloss": token},
            )
            return _text(batch.id)

        return await self._guard(start())

    async def find(self, token: str) -> str | None:
        """The id of the batch that was started with a token, or None."""

        async def look() -> str | None:
            seen = 0
            async for batch in self._patient.batches.list(limit=100):
                if (batch.metadata or {}).get("isogloss") == token:
                    return batch.id
                seen += 1
                if seen >= LOOKED_THROUGH:
                    break
            return None

        return await self._guard(look())

    async def look(self, batch_id: str) -> Batch:
        """The state of a batch."""

        async def retrieve() -> Batch:
            batch = await self._patient.batches.retrieve(batch_id)
            _text(batch.status)
            return batch

        return await self._guard(retrieve())

    async def fetch(self, file_id: str | None) -> bytes:
        """The content of an output or error file, without the key; nothing where there is none."""
        if file_id is None:
            return b""

        async def download() -> bytes:
            return (await self._patient.files.content(file_id)).content

        content = await self._guard(download())
        if self._key is not None and self._key.encode() in content:
            return hide_key(content.decode("utf-8", "replace"), self._key).encode()
        return content

    async def _guard(self, call: Awaitable[T]) -> T:
        try:
            result = await call
        except (AttributeError, TypeError, ValueError):
            # The package hands through what is no JSON, or JSON of another shape.
            reason = "the server sent something else than was asked for"
        except OpenAIError as error:
            reason = safe_reason(str(error), self._key)
        else:
            return result
        # Raised here and not above: the package's exception, which may hold the key, is let go.
        raise ChatError(f"model {self._model.name}, batch: {reason}")


def _text(value: object) -> str:
    """A field of a reply: the package does not check that those it declares are there."""
    if not isinstance(value, str):
        raise TypeError
    return value
