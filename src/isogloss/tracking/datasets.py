"""A benchmark as an MLflow dataset whose digest is the dataset version."""

import json
from collections.abc import Mapping

from mlflow.data.code_dataset_source import CodeDatasetSource
from mlflow.data.meta_dataset import MetaDataset
from mlflow.entities import Dataset


class BenchmarkDataset(MetaDataset):  # type: ignore[misc, unused-ignore]
    """A dataset described without its content: the source names benchmark and DVC version.

    Attributes:
        counts: Numbers shown as the dataset's profile.
    """

    def __init__(
        self, name: str, version: str, source: Mapping[str, str], counts: Mapping[str, int]
    ) -> None:
        self.counts = dict(counts)
        super().__init__(CodeDatasetSource({"benchmark": name, **source}), name, version)

    @property
    def profile(self) -> dict[str, int]:
        """Counts of documents and queries."""
        return self.counts

    def entity(self) -> Dataset:
        """The record that a run takes as its input."""
        described = self.to_dict()
        return Dataset(
            name=described["name"],
            digest=described["digest"],
            source_type=described["source_type"],
            source=described["source"],
            profile=json.dumps(self.counts, sort_keys=True) if self.counts else None,
        )
