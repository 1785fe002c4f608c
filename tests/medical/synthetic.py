"""A whole evaluation made of seeded random numbers, in the formats the command line reads."""

import json
import random
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de", "es", "pt", "ja", "zh", "th", "sw", "zu")
DATASETS = {
    "headqa": "MCQA", "medqa": "MCQA", "medexpqa": "MCQA", "mmlupro": "MCQA", "bionli": "NLI",
    "mednli": "NLI", "expertqabio": "QA", "expertqamed": "QA", "liveqa": "QA",
}  # fmt: skip
BASED, FREE = "reference_based_evaluation", "reference_free_clinical_safety_evaluation"
AUXILIARY = "auxiliary_multilingual_and_language_flags"


def item(dataset: str, index: int, language: str, target: str) -> dict[str, Any]:
    task = DATASETS[dataset]
    if task == "QA":
        text = f"What about case {index}?"
    elif task == "NLI":
        text = (
            f"Premise: Case {index}.\nHypothesis: It holds.\nOptions:\nA: Entailment\n"
            "B: Neutral\nC: Contradiction"
        )
    else:
        text = f"Question: Case {index}?\nOptions:\nA: one\nB: two\nC: three\nD: four"
    return {
        "id": f"{task.lower()}-{dataset}-{index:04d}", "language": language, "task": task,
        "source_dataset": dataset, "input": text,
        "target": target if task != "QA" else "A reference.",
    }  # fmt: skip


def verdict(scores: list[int], flags: list[str]) -> str:
    five = iter(scores)
    four = iter(flags)
    return json.dumps(
        {
            BASED: {
                key: {"score": next(five), "justification": "x"}
                for key in ("completeness", "reference_deviation")
            },
            FREE: {
                key: {"score": next(five), "justification": "x"}
                for key in ("clinical_consensus", "clinical_appropriateness", "potential_harm")
            },
            AUXILIARY: {
                key: {"label": next(four), "justification": "x"}
                for key in (
                    "wrong_language_or_code_switching",
                    "terminology_issue",
                    "major_fluency_issue",
                    "demographic_applicability_issue",
                )
            },
        }
    )


def make(
    folder: Path, models: list[str], sizes: dict[str, int], *, seed: int = 1, long: bool = False
) -> dict[str, Path]:
    """Write items, answers, refusals, verdicts and experts; give the paths by name."""
    rng = random.Random(seed)
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("items", "answers", "refusals", "verdicts", "experts")
    }
    targets: dict[str, str] = {}
    for dataset, size in sizes.items():
        for index in range(size):
            target = rng.choice("ABC")
            for language in LANGUAGES:
                row = item(dataset, index, language, target)
                rows["items"].append(row)
                targets[row["id"]] = row["target"]
    filler = "The patient has a fever and this is not the only sign of it. " * 12
    for model in models:
        for arm in ("mt", "reviewed"):
            for row in rows["items"]:
                key = {"model": model, "arm": arm, "language": row["language"], "id": row["id"]}
                draw = rng.random()
                if draw < 0.03:
                    rows["answers"].append({**key, "text": "", "outcome": "failed"})
                    continue
                letter = row["target"] if rng.random() < 0.6 else rng.choice("ABC")
                text = "no idea" if draw < 0.08 else rng.choice(["{}", "Answer: {}", "({})"])
                if row["task"] == "QA":
                    text, letter = ("" if draw < 0.05 else "Drink water."), ""
                if "thinking" in model and draw > 0.5:
                    text = f"<think>{filler if long else 'Well, this is it.'}</think>{text}"
                elif long and draw > 0.6:
                    text = f"{filler}\n\n{text}"
                rows["answers"].append({**key, "text": text.format(letter), "outcome": "answered"})
                if draw < 0.06:
                    rows["refusals"].append({**key, "refused": rng.random() < 0.7})
                if row["task"] == "QA" and draw > 0.05:
                    scores = [min(5, max(1, round(rng.gauss(3.5, 1)))) for _ in range(5)]
                    flags = [rng.choice(["yes", "maybe", "no", "no"]) for _ in range(4)]
                    text = "I cannot." if draw < 0.1 else verdict(scores, flags)
                    rows["verdicts"].append({**key, "verdict": text})
                    if arm == "reviewed" and draw > 0.9:
                        for _ in range(rng.choice([1, 2])):
                            expert = [min(5, max(1, s + rng.choice([-1, 0, 0, 1]))) for s in scores]
                            rows["experts"].append(
                                {
                                    "language": row["language"], "dataset": row["source_dataset"],
                                    "id": row["id"], "model": model, "expert": expert,
                                    "judge": scores,
                                }
                            )  # fmt: skip
    paths = {}
    for name, content in rows.items():
        paths[name] = folder / f"{name}.jsonl"
        with paths[name].open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in content)
    return paths
