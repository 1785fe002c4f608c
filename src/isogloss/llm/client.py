"""The wire to one chat model: the openai package, with retries that are counted here."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2
from openai import (
    APIStatusError,
    APITimeoutError,
    AsyncAzureOpenAI,
    AsyncOpenAI,
    DefaultAsyncHttpxClient,
    OpenAIError,
)

from isogloss.llm.api_keys import hide_key, read_api_key, safe_reason
from isogloss.llm.chat_models import ChatModelSettings, address
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.outcomes import (
    NoCompletionError,
    Outcome,
    Reading,
    decode_body,
    read_completion,
)
from isogloss.llm.server_errors import Meaning, meaning_of, message_of, retry_after
from isogloss.llm.stopping import Stop
from isogloss.llm.wire import request_body

LONGEST_BACKOFF = 60.0
LONGEST_CONNECT = 15.0
# A server that asks for more has a limit by the day: going on later is up to the user.
LONGEST_WAIT = 600.0


@dataclass(frozen=True)
class Sent:
    """A response that may be recorded: the body without the key, and what it came to."""

    raw: bytes
    body: dict[str, Any]
    reading: Reading


@dataclass(frozen=True)
class CallFailed:
    """No response that could be recorded.

    Attributes:
        reason: One line, without the key.
        transient: The fault was the transport's or the account's, not the request's.
    """

    reason: str
    transient: bool = False


@dataclass(frozen=True)
class _Pause:
    reason: str
    seconds: float | None = None


def open_client(model: ChatModelSettings, key: str | None, connections: int) -> AsyncOpenAI:
    """The openai client of a model; its own retries are off.

    Args:
        model: Where and how.
        key: The API key, or None for a server that takes none.
        connections: How many calls run at once; each keeps its connection.
    """
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    # A placeholder and never None: the package would read OPENAI_API_KEY and send it anywhere.
    shared: dict[str, Any] = {
        "api_key": key or "none",
        "max_retries": 0,
        "timeout": httpx2.Timeout(
            model.timeout_seconds, connect=min(LONGEST_CONNECT, model.timeout_seconds)
        ),
        "http_client": DefaultAsyncHttpxClient(limits=limits),
    }
    if model.kind == "azure":
        return AsyncAzureOpenAI(
            azure_endpoint=address(model), api_version=model.api_version, **shared
        )
    return AsyncOpenAI(base_url=address(model), **shared)


class ChatClient:
    """Sends requests to one model.

    Args:
        model: Where and how.
        connections: How many calls run at once.
        stop: Ends waits, and is told what would make every further request fail.
        retried: Called at each transport retry.
    """

    def __init__(
        self, model: ChatModelSettings, connections: int, stop: Stop, retried: Callable[[], None]
    ) -> None:
        self._model = model
        self._key = read_api_key(model)
        self._openai = open_client(model, self._key, connections)
        self._stop = stop
        self._retried = retried
        self._structured = model.structured_output
        self._not_before = 0.0

    async def close(self) -> None:
        """Close the connections."""
        await self._openai.close()

    async def send(self, request: ChatRequest) -> Sent | CallFailed:
        """Send one request; transport faults are retried as often as the settings say."""
        # Spreads those that wait for the same moment; from the key, so that it repeats.
        spread = int(request.key[:8], 16) / 2**32
        tries = 0
        while True:
            await self._stop.sleep(self._not_before - time.monotonic())
            if self._stop.reason is not None:
                return CallFailed("the run was stopped", transient=True)
            structured = self._structured
            result = await self._once(request, structured)
            if result is None:
                self._structured = False
                result = await self._once(request, False) or CallFailed("schema refused")
            if not isinstance(result, _Pause):
                return result
            if tries == self._model.retries:
                return CallFailed(f"{result.reason}, after {tries} retries", transient=True)
            self._retried()
            await self._pause(result, tries, spread)
            tries += 1

    async def _pause(self, pause: _Pause, tries: int, spread: float) -> None:
        if pause.seconds is None:
            backoff = min(self._model.retry_seconds * 2.0**tries, LONGEST_BACKOFF)
            await self._stop.sleep(backoff * (0.75 + spread / 2))
        elif pause.seconds > LONGEST_WAIT:
            self._stop.now(f"model {self._model.name} asks to wait {pause.seconds:.0f} s")
        else:
            # The limit is the account's, so every other request waits as well.
            seconds = max(pause.seconds, self._model.retry_seconds)
            self._not_before = max(self._not_before, time.monotonic() + seconds)
            await self._stop.sleep(seconds + min(seconds * 0.1, 1.0) * spread)

    async def _once(
        self, request: ChatRequest, structured: bool
    ) -> Sent | CallFailed | _Pause | None:
        """One exchange; None where the server knows no structured output."""
        response = await self._exchange(request_body(request, structured))
        if isinstance(response, str):
            return _Pause(response)
        raw = self._clean(response.content)
        try:
            body = decode_body(raw)
            if response.is_success and not ("error" in body and "choices" not in body):
                return Sent(raw, body, read_completion(body, request.schema))
        except NoCompletionError as error:
            if response.is_success:
                return _Pause(str(error))
            body = {}
        status = response.status_code
        if response.is_success:
            # Some routers answer 200 with the error of the server behind them.
            code = body["error"].get("code") if isinstance(body["error"], dict) else None
            status = code if isinstance(code, int) else 502
        words = safe_reason(message_of(body), self._key) or "no message"
        reason = f"HTTP {status}: {words}"
        match meaning_of(status, body):
            case Meaning.FILTERED:
                return Sent(raw, body, Reading(Outcome.FILTERED, reason=reason))
            case Meaning.RETRY:
                return _Pause(reason, retry_after(response.headers, time.time()))
            case Meaning.NO_SCHEMA if structured and request.schema is not None:
                return None
            case Meaning.STOP:
                self._stop.now(f"model {self._model.name} cannot be used ({reason})")
                return CallFailed(reason, transient=True)
        return CallFailed(reason)

    def _clean(self, raw: bytes) -> bytes:
        """The body as it came, but for the key where the server echoes it."""
        if self._key is None or self._key.encode() not in raw:
            return raw
        return hide_key(raw.decode("utf-8", "replace"), self._key).encode()

    async def _exchange(self, body: dict[str, Any]) -> httpx2.Response | str:
        """One HTTP exchange: the response whatever its status, or why there is none."""
        try:
            # The package's limit is per read: a server that drips would never meet it.
            async with asyncio.timeout(self._model.timeout_seconds):
                return await self._openai.post(
                    "/chat/completions", body=body, cast_to=httpx2.Response
                )
        except APIStatusError as error:
            return error.response
        except (APITimeoutError, TimeoutError):
            return f"no response within {self._model.timeout_seconds:g} s"
        except OpenAIError as error:
            return f"no connection ({safe_reason(str(error.__cause__ or error), self._key)})"
