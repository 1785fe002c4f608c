"""Tags in any case and with any region become one code; what is no language is unknown."""

import pytest

from isogloss.languages import normalise_language


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("zh-CN", "zh"), ("ZH", "zh"), ("cn", "zh"), ("zh_Hant_TW", "zh"), (" EN ", "en"),
        ("pt-BR", "pt"), ("no", "no"), ("JP", "ja"), ("deu", "de"), ("es-LA", "es"),
        ("", None), (None, None), ("xx", None), ("False", None), ("english", None), ("-", None),
    ],
)  # fmt: skip
def test_tags(tag: str | None, code: str | None) -> None:
    assert normalise_language(tag) == code
