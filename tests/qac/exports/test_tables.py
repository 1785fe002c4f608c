from isogloss.qac.exports.tables import COLUMNS, tables


def test_every_record_is_there_in_id_order(finished) -> None:
    made = tables(finished.benchmark)
    corpus = made["corpus"].to_pylist()
    assert [row["_id"] for row in corpus] == [one.id for one in finished.benchmark.documents]
    assert corpus[0] == {
        "_id": "F0:de",
        "title": "",
        "text": "das acid reagiert mit Wasser 0",
        "language": "de",
        "family": "F0",
        "cluster": "C",
        "office": "EP",
        "origin": "synthetic",
    }
    assert corpus[-1]["cluster"] == "F7"
    assert made["queries"].num_rows == 32
    assert made["queries"].to_pylist()[0]["mode"] == "title"
    judged = {tuple(row.values()) for row in made["qrels"].to_pylist()}
    assert ("Q7:en", "F7:de", 0) in judged
    assert ("Q1:en", "F1:de", 2) in judged
    assert len(judged) == made["qrels"].num_rows == len(finished.benchmark.judged_values)


def test_schemas_are_those_declared(finished) -> None:
    for name, table in tables(finished.benchmark).items():
        assert [(one.name, one.type, False) for one in COLUMNS[name]] == [
            (field.name, field.type, field.nullable) for field in table.schema
        ]
