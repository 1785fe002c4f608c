"""Retrievers made of others, through the real stages: embed, evaluate, compare, prune, releases."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from derived_world import BENCHMARK, DERIVED, MODELS, WORDS, files, metrics, ranked

from isogloss.benchmark import read_benchmark
from isogloss.errors import DataError, SettingsError, UsageError, VersionMismatchError
from isogloss.llm.faults import MissingKeyError, OfflineError
from isogloss.project import Project, find_project
from isogloss.retrieval.declaration import read_declaration
from isogloss.retrieval.derived_manifest import DerivedManifest, read_any_manifest
from isogloss.retrieval.store import VectorStore
from isogloss.settings import Settings
from isogloss.stages import check, compare, embed, evaluate, leaderboard, prune, releases
from isogloss.tracking.store import open_store

LOSSES = ("exact_top_", "documents_compared/")


def test_every_kind_has_all_metrics_and_files(made: Project) -> None:
    keys = set(metrics(made, "bm25"))
    for model in MODELS:
        more = {key for key in metrics(made, model) if key.startswith(LOSSES)}
        assert set(metrics(made, model)) - {"notes"} - more == keys - {"notes"}
        assert bool(more) == (model == "approximate")
        names = set(files(made.results(BENCHMARK, model)))
        assert {"language_preference.csv", "figures/language_preference.png"} <= names
        assert ("reranking.csv" in names) == (model == "reranked")
        assert ("approximation.csv" in names) == (model == "approximate")


def test_fusion_is_that_of_the_written_runs(made: Project) -> None:
    """By loops over the two run files: nothing but ranks decides."""
    parts, fused = [ranked(made, key) for key in ("char-ngrams", "bm25")], ranked(made, "fused")
    for row in range(len(fused.documents)):
        totals: dict[int, float] = {}
        for part in parts:
            for rank, document in enumerate(part.documents[row].tolist(), start=1):
                if document >= 0:
                    totals[document] = totals.get(document, 0.0) + 1 / (60 + rank)
        order = sorted(totals, key=lambda document: (-round(totals[document], 9), document))
        assert [d for d in fused.documents[row].tolist() if d >= 0] == order


def test_centring_is_that_of_the_stored_vectors(made: Project) -> None:
    benchmark = read_benchmark(made.benchmark(BENCHMARK), BENCHMARK)
    release = read_declaration(made.model("char-ngrams")).release
    store = VectorStore(made.store_uri)
    sides = {}
    for side, items in (("documents", benchmark.documents), ("queries", benchmark.queries)):
        vectors = store.read(f"{BENCHMARK}.{release}.{side}", benchmark.version).vectors
        languages = np.array([item.metadata.language for item in items])
        wide = vectors.astype(np.float64)
        for language in set(languages):
            wide[languages == language] -= wide[languages == language].mean(axis=0)
        sides[side] = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    cosines = sides["queries"] @ sides["documents"].T
    centred = ranked(made, "centred")
    found = np.take_along_axis(cosines, centred.documents.astype(int), axis=1)
    assert centred.scores == pytest.approx(found, abs=1e-6)
    assert (np.diff(found, axis=1) < 1e-6).all()


def test_an_approximate_search_loses_documents_and_no_score(made: Project) -> None:
    exact, found = ranked(made, "char-ngrams"), ranked(made, "approximate")
    assert found.documents.shape[1] < exact.documents.shape[1]
    shares = []
    for row in range(len(exact.documents)):
        scores = dict(zip(exact.documents[row].tolist(), exact.scores[row].tolist(), strict=True))
        listed = [d for d in found.documents[row].tolist() if d >= 0]
        # A part of the exact ranking, in its order and with its scores.
        assert listed == [d for d in scores if d in listed]
        assert found.scores[row][: len(listed)].tolist() == [scores[d] for d in listed]
        shares.append(len(set(listed[:10]) & set(exact.documents[row, :10].tolist())) / 10)
    told = metrics(made, "approximate")
    assert told["exact_top_10_found/probes_2/all"] == pytest.approx(sum(shares) / len(shares))
    assert told["exact_top_10_found/probes_1/all"] < told["exact_top_10_found/probes_2/all"] < 1
    with (made.results(BENCHMARK, "approximate") / "approximation.csv").open() as content:
        rows = list(csv.DictReader(content))
    assert [(row["probes"], row["query_language"]) for row in rows] == [
        (probes, language) for probes in "12" for language in ("all", "de", "en")
    ]
    for row in rows:
        for name in ("documents_compared", "exact_top_10_found", "exact_top_1000_found"):
            key = f"{name}/probes_{row['probes']}/{row['query_language']}"
            assert told[key] == float(row[name])
    assert "probing 2 of 6 lists compares" in told["notes"]["approximate"]


def test_all_lists_give_the_run_file_of_the_exact_search(copy: Project) -> None:
    path = copy.model("approximate")
    path.write_text(path.read_text("utf-8").replace("[1, 2]", "6"), "utf-8")
    embed.run(copy, BENCHMARK, "approximate")
    evaluate.run(copy, BENCHMARK, "approximate")
    exact, found = ranked(copy, "char-ngrams"), ranked(copy, "approximate")
    assert found.documents.tobytes() == exact.documents.tobytes()
    assert found.scores.tobytes() == exact.scores.tobytes()
    plain, told = metrics(copy, "char-ngrams"), metrics(copy, "approximate")
    assert {key: told[key] for key in plain if key != "notes"} == {
        key: plain[key] for key in plain if key != "notes"
    }
    assert {told[key] for key in told if key.startswith(LOSSES)} == {1.0}


def test_an_approximate_search_prints_and_logs_what_it_loses(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate.run(copy, BENCHMARK, "approximate")
    printed = capsys.readouterr().out
    assert "\napproximate: probing 2 of 6 lists compares" in printed
    assert "approximate search in 6 lists: documents compared" in printed
    client = open_store(copy).client
    experiment = client.get_experiment_by_name(f"retrieval/{BENCHMARK}")
    assert experiment is not None
    (run,) = client.search_runs([experiment.experiment_id])
    told = metrics(copy, "approximate")
    for key in (key for key in told if key.startswith(LOSSES)):
        assert run.data.metrics[key] == told[key]
    assert run.data.params["model.lists"] == "6"
    assert (Path(client.download_artifacts(run.info.run_id, "")) / "approximation.csv").is_file()


def test_more_lists_than_documents_are_refused_before_anything_is_made(copy: Project) -> None:
    path = copy.model("approximate")
    path.write_text(path.read_text("utf-8").replace("lists: 6", "lists: 31"), "utf-8")
    before = copy.manifest(BENCHMARK, "approximate").read_bytes()
    told = f"models/approximate.yaml: lists: 31 is more than the 30 documents of {BENCHMARK}; "
    with pytest.raises(SettingsError, match=told):
        embed.run(copy, BENCHMARK, "approximate")
    assert copy.manifest(BENCHMARK, "approximate").read_bytes() == before


def test_re_ranking_changes_the_top_only_and_stays_under_its_ceiling(made: Project) -> None:
    first, again = ranked(made, "fused"), ranked(made, "reranked")
    assert (first.documents[:, 5:] == again.documents[:, 5 : first.documents.shape[1]]).all()
    for before, after in zip(first.documents[:, :5], again.documents[:, :5], strict=True):
        assert set(before.tolist()) == set(after.tolist())
    path = made.results(BENCHMARK, "reranked") / "reranking.csv"
    with path.open(encoding="utf-8") as content:
        rows = {row["figure"]: row for row in csv.DictReader(content)}
    assert float(rows["rrc_at_10"]["reranked"]) == metrics(made, "reranked")["rrc_at_10"]
    assert float(rows["rrc_at_10"]["first"]) == metrics(made, "fused")["rrc_at_10"]
    for row in rows.values():
        assert float(row["reranked"]) <= float(row["ceiling"])


def test_translated_queries_find_what_words_alone_do_not(made: Project) -> None:
    assert metrics(made, "bm25")["recall_at_10/cross"] < 0.5
    assert metrics(made, "translated")["recall_at_10/cross"] == 1.0
    manifest = read_any_manifest(made.manifest(BENCHMARK, "translated"))
    assert isinstance(manifest, DerivedManifest)
    assert manifest.translations is not None
    assert manifest.translations["zh"]["f01:en:q"] == WORDS["zh"]
    assert manifest.translations["en"]["f01:en:q"] == WORDS["en"]
    recorded = made.recording(f"{BENCHMARK}.translated", "translate-queries")
    # Ten German and ten English queries, each into two other languages.
    assert len(recorded.read_text("utf-8").splitlines()) == 40


def test_an_encoder_reads_each_translation_once_and_own_queries_never_again(
    made: Project, copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = read_any_manifest(made.manifest(BENCHMARK, "pivot"))
    assert isinstance(manifest, DerivedManifest)
    assert manifest.queries is not None
    assert manifest.queries.rows == 10  # Ten German queries; the ten English ones have vectors.
    embed.run(copy, BENCHMARK, "pivot", offline=True)
    assert "pivot query texts: 0 embedded, 10 reused" in capsys.readouterr().out
    benchmark = read_benchmark(made.benchmark(BENCHMARK), BENCHMARK)
    pivot, plain = ranked(made, "pivot"), ranked(made, "char-ngrams")
    for at, query in enumerate(benchmark.queries):
        if query.metadata.language == "en":
            assert pivot.documents[at].tolist() == plain.documents[at].tolist()


def test_again_offline_gives_the_same_bytes(made: Project, copy: Project) -> None:
    for model in MODELS:
        embed.run(copy, BENCHMARK, model, offline=True)
        evaluate.run(copy, BENCHMARK, model)
        assert files(copy.results(BENCHMARK, model)) == files(made.results(BENCHMARK, model))
    assert files(copy.root / "embeddings") == files(made.root / "embeddings")


def test_a_fresh_clone_computes_what_its_store_lacks(made: Project, copy: Project) -> None:
    shutil.rmtree(copy.root / "lancedb")
    shutil.rmtree(copy.root / "recordings")
    for model in ("pivot", "reranked"):
        evaluate.run(copy, BENCHMARK, model)
        assert files(copy.results(BENCHMARK, model)) == files(made.results(BENCHMARK, model))


def test_what_is_not_recorded_is_named_in_one_line(
    copy: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    shutil.rmtree(copy.root / "recordings")
    told = r"no recording of request [0-9a-f]{12} \(translate-query/de-en, model gpt-5.5\) and 39 m"
    with pytest.raises(MissingKeyError, match=told) as error:
        embed.run(copy, BENCHMARK, "translated")
    assert "OPENAI_API_KEY" in str(error.value)
    with pytest.raises(OfflineError, match=told) as offline:
        embed.run(copy, BENCHMARK, "translated", offline=True)
    for line in (str(error.value), str(offline.value)):
        assert "\n" not in line
        assert "translated.translate-queries.jsonl" in line
    path = copy.model("translated")
    path.write_text(path.read_text("utf-8").replace("gpt-5.5", "another"), "utf-8")
    with pytest.raises(OfflineError, match="model another"):
        embed.run(copy, BENCHMARK, "translated")


def test_a_query_that_nobody_translated_is_searched_in_its_own_words(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = copy.settings.model_dump()
    settings["chat"]["translator"]["replay_only"] = True
    project = Project(copy.root, Settings.model_validate(settings))
    (path,) = (copy.root / "recordings").glob(f"{BENCHMARK}.translated.*")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[3:]))
    embed.run(project, BENCHMARK, "translated")
    told = capsys.readouterr().err
    assert "nobody recorded what gpt-5.5 says to 3 of 40 requests" in told
    assert "translated: 3 of 40 translations are the query's own words: nobody" in told
    assert len(path.read_bytes().splitlines()) == len(lines) - 3
    evaluate.run(project, BENCHMARK, "translated")
    identity = json.loads((project.results(BENCHMARK, "translated") / "identity.json").read_text())
    assert any("3 of 40 translations" in line for line in identity["remarks"])


def test_another_part_is_another_release_and_refused_until_embedded(copy: Project) -> None:
    path = copy.model("char-ngrams")
    path.write_text(path.read_text("utf-8").replace("shortest: 2", "shortest: 3"), "utf-8")
    with pytest.raises(VersionMismatchError, match=r"release .*isogloss embed .*fused"):
        evaluate.run(copy, BENCHMARK, "fused")
    with pytest.raises(VersionMismatchError, match="isogloss embed tiny-title char-ngrams"):
        embed.run(copy, BENCHMARK, "fused")
    copy.manifest(BENCHMARK, "char-ngrams").unlink()
    with pytest.raises(DataError, match=r"char-ngrams\.json: no such manifest"):
        embed.run(copy, BENCHMARK, "fused")


def test_runs_are_told_apart_by_their_translations(made: Project, copy: Project) -> None:
    """The same release with other recorded translations is another evaluation."""
    path = copy.manifest(BENCHMARK, "translated")
    content = json.loads(path.read_text("utf-8"))
    content["translations"]["zh"]["f01:en:q"] = "盐类"
    path.write_text(json.dumps(content), "utf-8")
    evaluate.run(copy, BENCHMARK, "translated")
    prints = [
        json.loads((one.results(BENCHMARK, "translated") / "identity.json").read_text("utf-8"))
        for one in (made, copy)
    ]
    assert prints[0]["release"] == prints[1]["release"]
    assert prints[0]["fingerprint"] != prints[1]["fingerprint"]


def test_the_run_tells_languages_texts_and_parts(made: Project) -> None:
    client = open_store(made).client
    experiment = client.get_experiment_by_name(f"retrieval/{BENCHMARK}")
    assert experiment is not None
    runs = {run.data.tags["model"]: run for run in client.search_runs([experiment.experiment_id])}
    assert set(runs) == {"bm25", "char-ngrams", *MODELS}
    run = runs["translated"]
    assert run.data.metrics["own_language_preference_at_10"] > 0
    assert run.data.params["model.made_of.bm25"] == read_declaration(made.model("bm25")).release
    stored = Path(client.download_artifacts(run.info.run_id, ""))
    assert (stored / "prompts/bm25.query.txt").is_file()
    assert (stored / "language_preference.csv").is_file()


def test_compare_takes_each_where_it_is_and_tells_the_ceiling(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    compare.run(copy)
    leaderboard.run(copy)
    board = capsys.readouterr().out
    assert "own language in the top 10, times its share of the pool: bm25" in board
    assert "reranked: RRC@10" in board
    assert "approximate: probing 2 of 6 lists compares" in board
    content = json.loads((copy.comparison / "comparison.json").read_text("utf-8"))
    models = set(content["benchmarks"][BENCHMARK]["significance"]["recall_at_10"])
    assert models == {"bm25", "char-ngrams", *DERIVED}
    assert set(content["pools"]["tiny"]["models"]) == models


def test_prune_and_releases_take_them_as_they_are(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    before = VectorStore(copy.store_uri).names()
    prune.run(copy, yes=True)
    assert VectorStore(copy.store_uri).names() == before
    assert "dropped" not in capsys.readouterr().out
    with pytest.raises(UsageError, match="fused: is fusion of char-ngrams, bm25 and has no vector"):
        releases.run(copy, "char-ngrams", "char-ngrams", "fused", BENCHMARK)
    with pytest.raises(UsageError, match="isogloss compare"):
        releases.run(copy, "fused", "HEAD", "HEAD", BENCHMARK)


def test_check_holds_params_against_declarations(
    copy: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    params = (copy.root / "params.yaml").read_text("utf-8")

    def faults(text: str) -> list[str]:
        (copy.root / "params.yaml").write_text(text, "utf-8")
        with pytest.raises(DataError):
            check.run(find_project(copy.root))
        told = capsys.readouterr().out.splitlines()
        return [line for line in told if line.startswith("fault: run.")]

    (one,) = faults(params.replace("parts: [char-ngrams, bm25]", "parts: [bm25]"))
    assert "fused: parts are bm25, but models/fused.yaml is made of char-ngrams, bm25" in one
    (one,) = faults(params.replace("models: [bm25, char", "models: [centred, bm25, char"))
    assert "run.models: centred is made of char-ngrams; name it under run.derived" in one
    wrong = params.replace(f"{BENCHMARK}--fused:", f"{BENCHMARK}--fusion:")
    (copy.root / "params.yaml").write_text(wrong, "utf-8")
    with pytest.raises(SettingsError, match=f"must be called {BENCHMARK}--fused"):
        find_project(copy.root)
    wrong = params.replace("parts: [bm25]", "parts: [labse]")
    (copy.root / "params.yaml").write_text(wrong, "utf-8")
    told = r"part labse is neither under run.models \(bm25, .*\) nor derived"
    with pytest.raises(SettingsError, match=told):
        find_project(copy.root)
