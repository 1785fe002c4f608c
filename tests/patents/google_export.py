"""Rows in the shape of Google's table, and the rules of the corpus once more, slow and plain."""

import gzip
import json
from pathlib import Path
from typing import Any

from isogloss.settings import SourceSettings
from isogloss.words import words

LONG = {
    "en": "the catalyst holds a zeolite and a binder " * 8,
    "de": "der Katalysator enthält einen Zeolith und ein Bindemittel " * 8,
    "zh": "本发明涉及一种沸石催化剂及其制备方法。" * 8,
    "ja": "本発明はゼオライト触媒およびその製造方法に関する。" * 8,
}


def row(
    number: str, texts: dict[str, str] | list[tuple[str, str]], **fields: Any
) -> dict[str, Any]:
    pairs = texts.items() if isinstance(texts, dict) else texts
    return {
        "publication_number": number,
        "country_code": number[:2].upper(),
        "family_id": "17",
        "publication_date": "20060102",
        "cpc": [{"code": "C07D401/04", "inventive": True, "tree": []}],
        "abstract_localized": [{"text": text, "language": language} for language, text in pairs],
        **fields,
    }


def write_shard(path: Path, rows: list[dict[str, Any]]) -> Path:
    content = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def source(languages: tuple[str, ...] = ("en", "de", "zh"), **selection: Any) -> SourceSettings:
    return SourceSettings(
        format="google-patents",
        languages=list(languages),
        selection={"minimum_words": 5} | selection,
    )


def expected_counts(rows: list[dict[str, Any]], settings: SourceSettings) -> list[tuple[int, int]]:
    """(publications, documents) after each rule, by the definitions, row by row."""
    pooled: dict[str, dict[str, Any]] = {}
    for one in rows:
        number = one["publication_number"].upper().replace("-", "").replace(" ", "")
        known = pooled.setdefault(number, {"codes": [], "entries": []})
        known["codes"] += [code["code"] for code in one["cpc"]]
        known["entries"] += one["abstract_localized"]
    stages: list[list[list[dict[str, Any]]]] = [[] for _ in range(6)]
    rule = settings.selection
    for known in pooled.values():
        found = [entry for entry in known["entries"] if entry["text"].strip()]
        targeted = [entry for entry in found if entry["language"] in settings.languages]
        chemical = any(code[0] == "C" for code in known["codes"])
        in_chemistry = targeted if chemical else []
        worded = [
            entry
            for entry in in_chemistry
            if len(words(entry["text"], entry["language"])) >= rule.minimum_words
        ]
        single = list({entry["language"]: entry for entry in worded}.values())
        enough = single if len(single) >= rule.minimum_languages else []
        for stage, left in zip(
            stages, (found, targeted, in_chemistry, worded, single, enough), strict=True
        ):
            stage.append(left)
    return [(sum(map(bool, stage)), sum(map(len, stage))) for stage in stages]
