"""The panel as data, and how files may write its names."""

from isogloss.medical.panel import (
    HIGHER,
    LANGUAGES,
    LOWER,
    dataset_name,
    dataset_task,
    group_of,
    in_panel_order,
    language_groups,
    models_asked,
    slug,
)


def test_the_panel_is_that_of_the_paper() -> None:
    assert LANGUAGES == ("en", "de", "es", "pt", "ja", "zh", "th", "sw", "zu")
    assert (len(HIGHER), LOWER) == (6, ("th", "sw", "zu"))
    assert len(models_asked("choice")) == 14
    assert models_asked("qa-mt") == [
        "deepseek-v3",
        "gemma-3-27b-it",
        "llama3-3-70b-instruct",
        "qwen2-5-72b-instruct",
        "qwen3-32b-thinking",
    ]
    assert len(models_asked("qa")) == 10
    assert set(models_asked("refusals")) == {"gpt-4o", "gpt-5-4", "o4-mini", "gemini-3-flash"}


def test_names_are_known_however_they_are_written() -> None:
    assert slug("HEAD-QA") == slug("HeadQA") == "headqa"
    assert group_of("GPT-5.4") == group_of("gpt-5-4") == "proprietary"
    assert group_of("Qwen3-32B") == group_of("Qwen3-32B-thinking") == "open"
    assert group_of("MedGemma-27B") == "medical"
    assert group_of("another") == "other"
    assert (dataset_name("mmlupro"), dataset_task("mmlupro")) == ("MMLU-Pro", "MCQA")
    assert (dataset_name("mine"), dataset_task("mine")) == ("mine", None)
    assert in_panel_order(["mine", "liveqa", "headqa", "a"]) == ["headqa", "liveqa", "a", "mine"]


def test_language_groups_hold_every_language_once() -> None:
    held = [code for codes in language_groups().values() for code in codes]
    assert sorted(held) == sorted(LANGUAGES)
    assert list(language_groups()) == ["en", "other-higher", "th", "sw", "zu"]
