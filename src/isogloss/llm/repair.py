"""The one further request after a reply that was empty, cut or malformed; it carries that reply."""

from dataclasses import replace

from isogloss.llm.chat_requests import ChatRequest, Message, add_to_last
from isogloss.llm.outcomes import Outcome, Reading

EMPTY = "(A first reply to this held no text. Reply again.)"
NOTES = {
    Outcome.EMPTY: "Your reply held no text. Reply again.",
    Outcome.CUT: "Your reply reached the length limit before it ended. "
    "Reply again from the start, and shorter.",
    Outcome.MALFORMED: "Your reply cannot be used ({reason}). "
    "Reply again with exactly one JSON object that satisfies the schema, and nothing else.",
}


def repair_request(request: ChatRequest, reading: Reading) -> ChatRequest:
    """The request that asks again.

    It is the same request with the faulty reply and a note behind it, so it has a key of its own
    and replays like any other. Servers refuse a turn without text, so after an empty reply the
    note stands under the last message.
    """
    if not reading.text.strip():
        return replace(request, messages=add_to_last(request.messages, EMPTY))
    note = NOTES[reading.outcome].format(reason=reading.reason)
    turns = (Message("assistant", reading.text), Message("user", note))
    return replace(request, messages=(*request.messages, *turns))
