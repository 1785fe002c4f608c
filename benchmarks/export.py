"""A Google Patents export of about one gigabyte, made from a seed: most rows are of no use."""

import json
import random
from pathlib import Path

from benchmarks.vectors import cache

CHEMISTRY = ["C07D 401/12", "A61K 31/00", "C08L 23/06"]
OTHERS = ["H04L 9/32", "G06F 3/01", "B60L 50/60", "F16H 1/28"]
LANGUAGES = ["en", "de", "fr", "es", "zh"]
WORDS = {
    "en": "a catalyst comprises zeolite and binder for selective oxidation of methane",
    "de": "ein Katalysator umfasst Zeolith und Bindemittel für die Oxidation von Methan",
    "fr": "un catalyseur comprend une zéolithe et un liant pour l'oxydation du méthane",
    "es": "un catalizador comprende zeolita y aglutinante para la oxidación selectiva de metano",
    "zh": "一种 催化剂 包括 沸石 和 粘合剂 用于 甲烷 的 选择性 氧化 反应",
}


def path(megabytes: int = 1024) -> Path:
    """The export, written once."""
    target = cache() / f"export-{megabytes}.jsonl"
    if target.exists():
        return target
    rng = random.Random(5)
    written, number = 0, 0
    with (partial := target.with_suffix(".part")).open("wb") as out:
        while written < megabytes * 1_000_000:
            line = (json.dumps(_row(rng, number), ensure_ascii=False) + "\n").encode()
            written += out.write(line)
            number += 1
    partial.rename(target)
    return target


def _row(rng: random.Random, number: int) -> dict[str, object]:
    # A fifth of publications are chemistry and a fifth have more than one language: more than in
    # the public table, so the rules have more to do here than there.
    count = rng.choices([1, 2, 3, 5], [80, 12, 5, 3])[0]
    languages = rng.sample(LANGUAGES, count)
    office = rng.choice(["EP", "WO", "US", "CN", "DE"])
    texts = [{"text": text(rng, code), "language": code, "truncated": False} for code in languages]
    titles = [{"text": text(rng, code)[:60], "language": code} for code in languages]
    pool = CHEMISTRY if rng.random() < 0.2 else OTHERS
    codes = [
        {"code": rng.choice(pool), "inventive": True, "first": i == 0, "tree": []} for i in range(3)
    ]
    return {
        "publication_number": f"{office}-{number}-A1",
        "application_number": f"{office}-{number}-A",
        "country_code": office,
        "kind_code": "A1",
        "family_id": str(number // 2),
        "publication_date": str(20000101 + rng.randrange(28)),
        "title_localized": titles,
        "abstract_localized": texts,
        "cpc": codes,
        "ipc": codes[:1],
        # Fields that the table has and the corpus does not read: most of a row's bytes.
        "citation": [_citation(rng) for _ in range(14)],
        "inventor_harmonized": [
            {"name": f"INVENTOR {n}", "country_code": office} for n in range(4)
        ],
        "assignee_harmonized": [{"name": "EXAMPLE CHEMICALS AG", "country_code": office}],
        "priority_claim": [{"publication_number": f"{office}-{number}", "filing_date": "20000101"}],
        "claims_localized": [{"text": text(rng, "en"), "language": "en", "truncated": False}],
    }


def _citation(rng: random.Random) -> dict[str, object]:
    return {
        "publication_number": f"US-{rng.randrange(10**7)}-A",
        "application_number": "",
        "npl_text": "",
        "type": "SEA",
        "category": "A",
        "filing_date": "0",
    }


def text(rng: random.Random, language: str) -> str:
    """Some words of a language, 40 to 160 of them."""
    words = WORDS[language].split()
    return " ".join(rng.choices(words, k=rng.randrange(40, 160)))
