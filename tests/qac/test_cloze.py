import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isogloss.benchmark import Document
from isogloss.qac import cloze
from isogloss.qac.cloze import MINIMUM_WORDS, make_cloze_queries
from isogloss.qac.normal import normal_form
from isogloss.qac.versions import Family, Version
from isogloss.words import count_words

EN = [
    "The catalyst is bound to porous silica.",
    "It converts the substrate at sixty degrees.",
    "The yield is ninety seven percent.",
]
DE = [
    "Der Katalysator ist an poröses Siliciumdioxid gebunden.",
    "Er setzt das Substrat bei sechzig Grad um.",
    "Die Ausbeute beträgt siebenundneunzig Prozent genau.",
]
ZH = ["该催化剂键合在多孔二氧化硅上。", "它在六十度下转化底物分子。", "反应的收率为百分之九十七。"]


def test_the_aligned_sentence_leaves_every_version(make_row, make_families) -> None:
    read = make_families(
        [
            make_row("A", "en", " ".join(EN), title="A catalyst"),
            make_row("A", "de", " ".join(DE)),
            make_row("A", "zh", "".join(ZH)),
        ]
    )
    made = make_cloze_queries(read, seed=3)
    (query,) = made.queries
    assert query.id == f"A:{query.metadata.language}:cloze"
    assert (query.metadata.setup, query.metadata.mode) == ("known-item", "cloze")
    texts = {"en": EN, "de": DE, "zh": ZH}
    place = texts[query.metadata.language].index(query.text)
    for document in made.documents:
        sentences = texts[document.metadata.language]
        assert sentences[place] not in document.text
        assert all(one in document.text for one in sentences if one != sentences[place])
    assert {document.title for document in made.documents} == {"A catalyst", ""}
    assert [pair[1] for pair in made.qrels] == ["A:de", "A:en", "A:zh"]


def test_families_that_give_no_query_stay_and_are_counted(make_row, make_families) -> None:
    read = make_families(
        [
            make_row("counts", "en", " ".join(EN)),
            make_row("counts", "de", " ".join(DE[:2])),
            make_row("good", "en", " ".join(EN)),
            make_row("good", "de", " ".join(DE)),
            # What is left of a claim but its number is no text.
            make_row("short", "en", claim=f"1. {EN[0]}"),
            make_row("short", "de", claim=f"1. {DE[0]}"),
            make_row("single", "en", EN[0]),
            make_row("single", "de", DE[0]),
            make_row("void", "en", "  "),
        ]
    )
    made = make_cloze_queries(read, seed=3)
    assert made.counts == {
        "seed": 3,
        "documents": {"read": 9, "kept": 8, "without_text": 1},
        "families": 5,
        "queries": 1,
        "skipped": {
            "no_text": 1,
            "sentence_counts_differ": 1,
            "segments_differ": 0,
            "one_sentence": 1,
            "no_usable_sentence": 1,
        },
    }
    texts = {document.id: document.text for document in made.documents}
    assert texts["counts:en"] == " ".join(EN)
    assert "void:en" not in texts


def test_a_parallel_source_aligns_by_segment_id(make_row, make_families) -> None:
    def segments(texts: list[str], ids: str = "123") -> list[dict[str, str]]:
        return [{"id": f"D:{n}", "text": text} for n, text in zip(ids, texts, strict=True)]

    # Sentences would not align here: one segment holds two of them.
    german = [DE[0], f"{DE[1]} Das ist viel.", DE[2]]
    read = make_families(
        [
            make_row("D:1-3", "en", segments=segments(EN)),
            make_row("D:1-3", "de", segments=segments(german)),
            make_row("E:1-3", "en", segments=segments(EN)),
            make_row("E:1-3", "de", segments=segments(DE, "124")),
        ]
    )
    made = make_cloze_queries(read, seed=0)
    assert made.counts["skipped"]["segments_differ"] == 1
    (query,) = made.queries
    assert query.text in {"en": EN, "de": german}[query.metadata.language]


def test_a_segment_without_counterpart_is_no_query(make_row, make_families) -> None:
    segments = [{"id": "D:1", "text": EN[0]}, {"id": "D:2", "text": EN[1]}]
    partly = [{"id": "D:1", "text": ""}, {"id": "D:2", "text": DE[1]}]
    rows = [make_row("D", "en", segments=segments), make_row("D", "de", segments=partly)]
    # Without its second segment the German version would be left without text.
    assert make_cloze_queries(make_families(rows), 1).counts["skipped"]["no_usable_sentence"] == 1


@pytest.mark.parametrize("seed", range(12))
def test_a_repeated_sentence_is_never_the_query(seed, make_row, make_families) -> None:
    rows = [
        make_row("A", "en", " ".join([EN[0], EN[1], EN[0].upper(), EN[2]]), title=EN[2]),
        make_row("A", "de", " ".join([DE[0], DE[1], DE[0], DE[2]])),
    ]
    (query,) = make_cloze_queries(make_families(rows), seed).queries
    assert query.text in (EN[1], DE[1])


WORD = st.sampled_from(["acid", "base", "salt", "water", "metal", "yield", "heat", "flow", "gas"])
SENTENCE = st.lists(WORD, min_size=1, max_size=8).map(lambda found: " ".join(found).title() + ".")
TEXT = st.lists(SENTENCE, min_size=0, max_size=4)
FAMILY = st.dictionaries(st.sampled_from(["de", "en", "fr"]), TEXT, min_size=1)


def family(name: str, texts: dict[str, list[str]]) -> Family:
    versions = tuple(
        Version(f"{name}:{code}", name, name, code, "", " ".join(texts[code]), "", (), "", "")
        for code in sorted(texts)
    )
    return Family(name, name, versions)


@given(st.lists(FAMILY, max_size=8), st.integers(0, 3))
def test_invariants(drawn: list[dict[str, list[str]]], seed: int) -> None:
    read = [family(f"F{number}", texts) for number, texts in enumerate(drawn)]
    made = make_cloze_queries(read, seed)
    counts = made.counts
    assert counts["families"] == len(read) == counts["queries"] + sum(counts["skipped"].values())
    assert counts["documents"]["kept"] == len(made.documents)
    by_family: dict[str, list[Document]] = {}
    for document in made.documents:
        assert document.text
        by_family.setdefault(document.metadata.family, []).append(document)
    for query in made.queries:
        assert count_words(query.text, query.metadata.language) >= MINIMUM_WORDS
        for document in by_family[query.metadata.family]:
            assert normal_form(query.text) not in normal_form(document.content)
        relevant = {name for query_id, name, _ in made.qrels if query_id == query.id}
        assert relevant == {document.id for document in by_family[query.metadata.family]}
    again = make_cloze_queries(read[::-1], seed)
    assert sorted(again.queries, key=lambda one: one.id) == sorted(
        made.queries, key=lambda one: one.id
    )


def test_languages_are_balanced(make_row, make_families) -> None:
    words = ["acid", "base", "salt", "water", "metal", "yield"]
    rows = []
    for number, order in enumerate(itertools.islice(itertools.permutations(words), 20)):
        text = f"Sentence {' '.join(order)} one. Another {' '.join(order[::-1])} two."
        rows += [make_row(f"F{number}", code, text + code) for code in ("de", "en", "fr", "zh")]
    made = make_cloze_queries(make_families(rows), seed=5)
    languages = [query.metadata.language for query in made.queries]
    assert {code: languages.count(code) for code in set(languages)} == dict.fromkeys(
        ("de", "en", "fr", "zh"), 5
    )


@given(st.integers(0, 50))
def test_another_family_changes_no_document_of_this_one(seed: int) -> None:
    texts = {
        "en": [
            f"The {word} salt melts at {word} degrees." for word in ("first", "second", "third")
        ],
        "de": [
            f"Das {word} Salz schmilzt bei {word} Grad." for word in ("erste", "zweite", "dritte")
        ],
        "fr": ["Oui.", "Le deuxième sel fond à deux degrés.", "Le troisième sel fond à trois."],
    }
    names = [f"f{number}" for number in range(6)]
    all_of_them = make_cloze_queries([family(name, texts) for name in names], seed)
    for left_out in names:
        fewer = make_cloze_queries(
            [family(name, texts) for name in names if name != left_out], seed
        )
        kept = [one for one in all_of_them.documents if one.metadata.family != left_out]
        assert list(fewer.documents) == kept


def test_ray_workers_make_the_same_of_families(
    make_row, make_families, ray_engine, monkeypatch
) -> None:
    monkeypatch.setattr(cloze, "FAMILIES_AT_ONCE", 3)
    texts = {"en": EN, "de": DE, "zh": ZH}
    rows = [
        make_row(f"F{number}", language, " ".join(said[: number % 4]))
        for number in range(20)
        for language, said in texts.items()
    ]
    read = make_families(rows)
    made = make_cloze_queries(read, 3, ray_engine)
    assert len(made.queries) == 10
    assert made == make_cloze_queries(read, 3)
