"""Small documents in the EPO's shape."""

from collections.abc import Iterable


def specification(
    number: str = "0000001",
    kind: str = "B1",
    *,
    claims: Iterable[tuple[str | None, str]] = (("en", "1. A dye."), ("de", "1. Farbstoff.")),
    titles: Iterable[tuple[str, str]] = (("de", "Farbstoff"), ("en", "Dye")),
    abstract: tuple[str | None, str] | None = None,
    codes: Iterable[str] = ("C09B  67/00        20060101AFI20060101BHEP",),
    date: str = "20060102",
) -> bytes:
    def lang(code: str | None) -> str:
        return "" if code is None else f' lang="{code}"'

    named = "".join(f"<B541>{code}</B541><B542>{title}</B542>" for code, title in titles)
    ipc = "".join(
        f"<classification-ipcr><text>{code}</text></classification-ipcr>" for code in codes
    )
    sets = "".join(
        f'<claims id="c"{lang(code)}><claim num="0001"><claim-text>{text}</claim-text></claim>'
        f'<claim num="0002"><claim-text>2. More.</claim-text></claim></claims>'
        for code, text in claims
    )
    part = (
        "" if abstract is None else f"<abstract{lang(abstract[0])}><p>{abstract[1]}</p></abstract>"
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ep-patent-document SYSTEM "ep.dtd">\n'
        f'<ep-patent-document country="EP" doc-number="{number}" kind="{kind}" date-publ="{date}">'
        f"<SDOBI><B500><B510EP>{ipc}</B510EP><B540>{named}</B540></B500></SDOBI>"
        f"{part}{sets}</ep-patent-document>"
    ).encode()
