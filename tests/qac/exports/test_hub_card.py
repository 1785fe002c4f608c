from pathlib import Path

import yaml
from huggingface_hub import DatasetCard

from isogloss.qac.exports.finished import Finished
from isogloss.qac.exports.hub_card import front_matter, hub_card, size_category
from isogloss.qac.exports.licences import Licence
from isogloss.qac.exports.tables import tables


def test_datasets_loads_every_table(exported: Path, finished: Finished, offline) -> None:
    assert offline.get_dataset_config_names(str(exported)) == ["corpus", "queries", "qrels"]
    for name, table in tables(finished.benchmark).items():
        loaded = offline.load_dataset(str(exported), name)
        assert list(loaded) == ["test"]
        assert loaded["test"].to_list() == table.to_pylist()
        assert loaded["test"].column_names == table.column_names


def test_the_hub_reads_the_front_matter(exported: Path) -> None:
    card = DatasetCard.load(exported / "README.md")
    data = card.data.to_dict()
    assert data["language"] == ["de", "en", "no", "zh"]  # a bare no would be false
    assert data["license"] == "cc-by-4.0"
    assert data["size_categories"] == ["n<1K"]
    assert data["task_categories"] == ["text-retrieval"]
    assert data["multilinguality"] == ["multilingual"]
    assert data["annotations_creators"] == ["machine-generated"]
    assert {"known-item", "synthetic"} <= set(data["tags"])
    assert [one["config_name"] for one in data["configs"]] == ["corpus", "queries", "qrels"]


def test_yaml_says_what_was_meant(finished: Finished, licence: Licence) -> None:
    text = hub_card(finished, licence)
    assert yaml.safe_load(text.split("---\n")[1]) == front_matter(finished, licence)


def test_the_card_carries_limits_and_credit(exported: Path, attribution: str) -> None:
    text = (exported / "README.md").read_text("utf-8")
    assert text.endswith(f"## Licence and attribution\n\n{attribution}\n")
    assert (exported / "ATTRIBUTION.md").read_text("utf-8") == f"{attribution}\n"
    for part in (
        "These are not questions that a person asked.",
        "## Limits",
        "no such publication exists",
    ):
        assert part in text, part


def test_size_categories_are_those_of_the_hub() -> None:
    found = [size_category(rows) for rows in (999, 1000, 9999, 10_000, 10**5, 10**6)]
    assert found == ["n<1K", "1K<n<10K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M"]
