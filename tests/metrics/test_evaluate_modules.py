import json
import os
import subprocess
import sys

import pytest

from isogloss.errors import DataError
from isogloss.metrics import ranked_lists
from isogloss.metrics.ranked_lists import checked_cutoff, pair_table
from isogloss.retrieval.recall import side_scores

# `evaluate.load` writes to the user's cache and reads settings of the environment at import, so it
# runs in a process of its own.
SCRIPT = """
import json, sys
from pathlib import Path
import evaluate
folder = Path(sys.argv[1])
given = json.loads(sys.stdin.read())
found = {}
for name, options in (("cross_lingual_recall", {"k": 2}), ("hit_at_k", {"k": 2}),
                      ("depth_and_recoverability", {})):
    metric = evaluate.load(str(folder / f"{name}.py"))
    found[name] = metric.compute(**given, **options)
print(json.dumps(found, allow_nan=False))
"""

GIVEN = {
    "predictions": [["a-en", "x", "a-de", "a-fr"], ["b-en", "b-de"], ["x"], ["x"]],
    "references": [
        {"language": "en", "documents": ["a-en", "a-de", "a-fr"], "languages": ["en", "de", "fr"]},
        {"language": "de", "documents": ["b-en", "b-de"], "languages": ["en", "de"]},
        {"language": "de", "documents": ["c-en"], "languages": ["en"]},
        {"language": "de", "documents": [], "languages": []},
    ],
}


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    cache = str(tmp_path_factory.mktemp("cache"))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, os.path.dirname(ranked_lists.__file__)],  # noqa: PTH120
        input=json.dumps(GIVEN),
        env=os.environ | {"HF_HOME": cache, "HF_MODULES_CACHE": cache, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_recall_is_balanced_over_languages(computed):
    # Same: en 1/1, de 1/1. Cross: en 0/2; de 1/1 and 0/1, mean 0.5; the mean of both is 0.25.
    assert computed["cross_lingual_recall"] == {
        **{"recall_at_2/same": 1.0, "n/same": 2},
        **{"recall_at_2/cross": 0.25, "n/cross": 3},
    }


def test_hit_is_any_gold(computed):
    assert computed["hit_at_k"] == {
        **{"hit_at_2/same": 1.0, "n/same": 2, "hit_at_2/cross": 0.25, "n/cross": 3}
    }


def test_depth_and_recoverability(computed):
    found = computed["depth_and_recoverability"]
    # Dual-gold first ranks: same 1 and 2; cross 3 and 1; the missed query has no same gold.
    assert (found["k80/same"], found["k80/cross"], found["k80/star"]) == (2, 3, 3)
    assert found["xrc_50"] == 1.0
    assert found["rrc_at_1"] == pytest.approx(1 / 3)
    assert found["rrc_at_1000"] == pytest.approx(2 / 3)
    assert found["ari_at_10"] == 1.0
    assert found["n_dual_gold"] == 2


def references(documents, language="en"):
    return [{"language": language, "documents": documents, "languages": ["en"] * len(documents)}]


@pytest.mark.parametrize("case", ["M02"], indirect=True)
@pytest.mark.parametrize("name", ["run_dup", "never_above_one"])
def test_a_repeated_document_is_refused(case, name):
    given = case[name]["input"]
    with pytest.raises(DataError, match="query 0: a document stands twice"):
        pair_table([given["run"]], references(given["relevant"]))


@pytest.mark.parametrize("case", ["M02"], indirect=True)
def test_repeated_gold_counts_once(case):
    check = case["gold_dup"]
    table = pair_table([check["input"]["run"]], references(check["input"]["relevant"]))
    assert side_scores(table, "same", [1]).recall(1).tolist() == [check["expected"]]


def test_faulty_calls_are_refused():
    with pytest.raises(DataError, match="k = 0"):
        checked_cutoff(0)
    with pytest.raises(DataError, match="differ in number"):
        pair_table([["a"]], [{"language": "en", "documents": ["a"], "languages": []}])
