"""What a reply thought aloud, and what it answers."""

import pytest

from isogloss.medical.reasoning import split_reasoning


@pytest.mark.parametrize(
    ("reply", "trace", "final"),
    [
        ("plain < 5 # text", None, "plain < 5 # text"),
        ("<think>why</think>so", "why", "so"),
        ("<think>\n\n</think>so", None, "so"),
        ("why</think>so", "why", "so"),
        ("<THINK>cut", "cut", ""),
        ("a<think>b</think>c", "b", "a\nc"),
        ("## Thinking\nwhy\n## Final Response\nso", "why", "so"),
        ("## Thinking\ncut", "cut", ""),
        ("<|channel|>analysis<|message|>cut", "analysis cut", ""),
        ("# Heading\ntext", None, "# Heading\ntext"),
    ],
)
def test_split(reply: str, trace: str | None, final: str) -> None:
    found, left = split_reasoning(reply)
    assert (found and " ".join(found.split()), left.strip()) == (trace, final)
