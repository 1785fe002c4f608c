"""A real, tiny cross-encoder as the second stage of a derived retriever."""

import shutil
from pathlib import Path

import pytest
import torch
from derived_world import BENCHMARK, files, ranked

from isogloss.benchmark import read_benchmark
from isogloss.project import Project
from isogloss.stages import embed, evaluate
from tiny_bert import REVISION, cross_encoder

CROSS = """
kind: rerank
first: bm25
top: 4
scorer:
  kind: cross-encoder
  name: {folder}
  revision: {revision}
  max_length: 24
licence: mit
"""


def test_a_cross_encoder_scores_each_pair_once_and_its_scores_decide(
    copy: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from sentence_transformers import CrossEncoder

    folder = cross_encoder(tmp_path / "cross")
    content = CROSS.format(folder=folder, revision=REVISION)
    copy.model("crossed").write_text(content, "utf-8")
    embed.run(copy, BENCHMARK, "crossed")
    first = ranked(copy, "bm25")
    pairs = int((first.documents[:, :4] >= 0).sum())
    assert f"crossed pairs: {pairs} scored, 0 reused" in capsys.readouterr().out
    evaluate.run(copy, BENCHMARK, "crossed")
    again = ranked(copy, "crossed")
    benchmark = read_benchmark(copy.benchmark(BENCHMARK), BENCHMARK)
    model = CrossEncoder(str(folder), max_length=24, device="cpu")
    for row, query in enumerate(benchmark.queries):
        head = [d for d in first.documents[row, :4].tolist() if d >= 0]
        texts = [(query.text, benchmark.documents[d].content) for d in head]
        scores = model.predict(texts, activation_fn=torch.nn.Identity())
        expected = [d for _, d in sorted(zip((-scores).tolist(), head, strict=True))]
        assert again.documents[row, : len(head)].tolist() == expected
    embed.run(copy, BENCHMARK, "crossed")
    assert f"crossed pairs: 0 scored, {pairs} reused" in capsys.readouterr().out
    before = files(copy.results(BENCHMARK, "crossed"))
    shutil.rmtree(copy.root / "lancedb")
    evaluate.run(copy, BENCHMARK, "crossed")
    assert files(copy.results(BENCHMARK, "crossed")) == before


def test_a_model_that_was_not_trained_to_rank_is_refused(copy: Project, tmp_path: Path) -> None:
    from isogloss.errors import EncoderError
    from tiny_bert import tiny_bert

    (tmp_path / "plain").mkdir()
    for folder, told in (
        (cross_encoder(tmp_path / "two", labels=2), "gives 2 scores for a pair, one is wanted"),
        (tiny_bert(tmp_path / "plain", 1), "lack weights"),
    ):
        content = CROSS.format(folder=folder, revision=REVISION)
        copy.model("crossed").write_text(content, "utf-8")
        with pytest.raises(EncoderError, match=told):
            embed.run(copy, BENCHMARK, "crossed")
    content = CROSS.format(folder=folder, revision="null")
    copy.model("crossed").write_text(content, "utf-8")
    with pytest.raises(EncoderError, match=r"scorer.revision is null; pin the commit hash"):
        embed.run(copy, BENCHMARK, "crossed")
