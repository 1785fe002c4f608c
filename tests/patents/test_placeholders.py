import pytest

from isogloss.patents.placeholders import is_placeholder


@pytest.mark.parametrize(
    "text",
    [
        "Abstract not available",
        "No abstract available.",
        " abstract not  available for EP 1234567 (A1) ",
        "N/A",
        "无摘要。",
        "Pas d'abrégé disponible",
        "Keine Zusammenfassung verfügbar.",
        "Resumen no disponible",
        "ABSTRACT OF CORRESPONDING DOCUMENT: US 123",
    ],
)
def test_placeholders(text: str) -> None:
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text",
    [
        "A catalyst that is not available.",
        "The abstract machine is available for use in compilers.",
        "Zeolite.",
        "Disclosed is a method. No abstract algebra is needed.",
        "",
    ],
)
def test_real_texts(text: str) -> None:
    assert not is_placeholder(text)
