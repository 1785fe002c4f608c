from isogloss.qac.title import make_title_queries


def test_titles_become_queries_and_leave_the_evidence(make_row, make_families) -> None:
    read = make_families(
        [
            make_row("A", "en", "An abstract.", title=" A catalyst "),
            make_row("A", "de", "Eine Zusammenfassung.", title="Ein Katalysator"),
            make_row("B", "en", "Another.", title=""),
            make_row("B", "de", "Eine andere.", title="Ein Polymer"),
            make_row("C", "fr", "", title="Rien d'autre qu'un titre"),
        ]
    )
    made = make_title_queries(read)
    assert {query.id: query.text for query in made.queries} == {
        "A:en:title": "A catalyst",
        "A:de:title": "Ein Katalysator",
        "B:de:title": "Ein Polymer",
    }
    assert {query.metadata.setup for query in made.queries} == {"known-item"}
    assert {query.metadata.mode for query in made.queries} == {"title"}
    assert {document.title for document in made.documents} == {""}
    assert {document.id for document in made.documents} == {"A:en", "A:de", "B:en", "B:de"}
    # A family without a title in English is still gold in English for its German title.
    assert [pair for pair in made.qrels if pair[0] == "B:de:title"] == [
        ("B:de:title", "B:de", 1),
        ("B:de:title", "B:en", 1),
    ]


def test_every_family_is_counted_in_every_language(make_row, make_families) -> None:
    read = make_families(
        [
            make_row("A", "en", "x", title="t"),
            make_row("A", "de", "x"),
            make_row("B", "en", "", title="left without text"),
            make_row("B", "de", "x", title="t"),
        ]
    )
    counts = make_title_queries(read).counts
    assert counts["documents"] == {"read": 4, "kept": 3, "without_text": 1}
    assert counts["by_language"] == {
        "de": {"families": 2, "queries": 1, "no_version": 0, "no_title": 1},
        "en": {"families": 2, "queries": 1, "no_version": 1, "no_title": 0},
    }
    for one in counts["by_language"].values():
        assert one["families"] == one["queries"] + one["no_version"] + one["no_title"]
