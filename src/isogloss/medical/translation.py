"""Ask a translator for items in another language, and read what it replied (HealMed section 2)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isogloss.chat_settings import ChatModelSettings
from isogloss.llm.chat_requests import ChatRequest, add_to_last, chat_request
from isogloss.llm.outcomes import Outcome
from isogloss.llm.replies import Reply
from isogloss.medical.items import Item, ItemRow
from isogloss.medical.prompts import translate_prompt


def _schema(*names: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
        "additionalProperties": False,
    }


# A label is no text to translate, and a translator that knew the right one might favour it.
SCHEMAS = {True: _schema("input", "target"), False: _schema("input")}
_LINE_END = re.compile(r"[ \t]*\r?\n")
NOTE = (
    "A first translation of this broke these rules:\n{faults}\n"
    "Translate it again and keep to all of them."
)


@dataclass(frozen=True)
class Translation:
    """What became of one item: a row, or the reason why there is none."""

    id: str
    row: ItemRow | None
    reason: str | None = None


def translation_requests(
    items: Sequence[Item],
    language: str,
    model: ChatModelSettings,
    faults: Mapping[str, Sequence[str]] | None = None,
) -> list[ChatRequest]:
    """One request an item.

    Args:
        items: English items.
        language: The target language.
        model: The translator.
        faults: Rules that a first translation broke, by item id: these items are asked again, told
            what was wrong.

    Raises:
        SettingsError: There is no prompt for the language.
    """
    requests = []
    for item in items:
        texts = {"input": item.input}
        if not item.options:
            texts["target"] = item.target
        messages = translate_prompt(item.task, language).messages(texts)
        replicate = f"translate/{language}/{item.id}"
        if faults is not None:
            listed = "\n".join(f"- {fault}" for fault in faults[item.id])
            messages = add_to_last(messages, NOTE.format(faults=listed))
            replicate += "/again"
        schema = SCHEMAS[not item.options]
        requests.append(chat_request(model, messages, replicate=replicate, schema=schema))
    return requests


def read_translations(
    items: Sequence[Item], replies: Sequence[Reply], language: str
) -> list[Translation]:
    """Replies, in the order of their requests, as rows of the six-field format.

    Blanks at the end of lines leave; nothing else is touched.
    """
    return [_translation(item, reply, language) for item, reply in zip(items, replies, strict=True)]


def _translation(item: Item, reply: Reply, language: str) -> Translation:
    if reply.outcome is not Outcome.ANSWERED or reply.value is None:
        return Translation(item.id, None, reply.outcome.value)
    text = _trimmed(reply.value["input"])
    target = item.target if item.options else _trimmed(reply.value["target"])
    row = ItemRow(
        id=item.id,
        language=language,
        task=item.task,
        source_dataset=item.dataset,
        input=text,
        target=target,
    )
    return Translation(item.id, row)


def _trimmed(text: str) -> str:
    return _LINE_END.sub("\n", text).strip()
