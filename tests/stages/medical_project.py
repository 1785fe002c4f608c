"""A small medical project whose every model is one loopback server."""

import json
import re
from pathlib import Path
from typing import Any

from isogloss.project import Project
from isogloss.settings import Settings
from llm.chats import SECRET as SECRET
from llm.loopback import Answer, Call, answer

MCQA = "Question: A tablet holds {dose} mg. What is it?\nOptions:\nA: Aspirin\nB: Insulin\nC: Iron"
NLI = "Premise: Hb is 7 g/dL.\nHypothesis: There is anemia.\nOptions:\nA: Entailment\nB: Neutral"
QUESTION = "Why does iron make stools dark?"
REFERENCE = "Iron that is not absorbed reacts in the gut and turns stools dark; this is harmless."


def item(id_: str, task: str, dataset: str, text: str, target: str) -> dict[str, str]:
    return {
        "id": id_, "language": "en", "task": task, "source_dataset": dataset, "input": text,
        "target": target,
    }  # fmt: skip


ITEMS = [
    item("mcqa-headqa-0000", "MCQA", "headqa", MCQA.format(dose=100), "A"),
    item("mcqa-headqa-0001", "MCQA", "headqa", MCQA.format(dose=500), "B"),
    item("mcqa-headqa-0002", "MCQA", "headqa", MCQA.format(dose=200), "B"),
    item("nli-mednli-0000", "NLI", "mednli", NLI, "A"),
    item("qa-liveqa-0000", "QA", "liveqa", QUESTION, REFERENCE),
]


def settings(url: str, **over: Any) -> Settings:
    model = {"base_url": url, "api_key_env": "LOOPBACK_KEY", "retry_seconds": 0.001, "retries": 1}
    chat = {
        "translator": {"name": "translator", **model},
        "judge": {"name": "judge", "max_tokens": 4096, **model},
        "refusal_classifier": {"name": "classifier", **model},
        "answerers": {"own": {"name": "own", "temperature": 0.7, **model}},
        "concurrency": 4,
    }
    medical = {"languages": ["de", "zh"], "models": ["own", "majority"], **over}
    return Settings.model_validate({"run": {}, "chat": chat, "medical": medical})


def project_at(folder: Path, url: str = "http://127.0.0.1:9/v1", **over: Any) -> Project:
    write(folder / "data" / "medical" / "items.jsonl", ITEMS)
    return Project(folder, settings(url, **over))


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def block(call: Call, name: str) -> str:
    """What stands between two marks of a user's message; a repair has it in an earlier turn."""
    user = "\n".join(message["content"] for message in call.json["messages"])
    found = re.search(rf"<<<{name} (\w+)>>>\n(.*?)\n<<</{name} \1>>>", user, re.DOTALL)
    assert found is not None, user
    return found[2]


OPEN_REPLY = "The iron that is not absorbed turns the stools dark, and this is harmless."
WORDS = {"Aspirin": "Acetylsalicylsäure", "What is it?": "Was ist das?", "A tablet": "Tablette"}


def translated(text: str) -> str:
    for english, german in WORDS.items():
        text = text.replace(english, german)
    return text


def verdict(score: int = 4, **over: int) -> str:
    from isogloss.medical.judging import judge_schema

    content: dict[str, Any] = {}
    for group, schema in judge_schema()["properties"].items():
        for key, part in schema["properties"].items():
            value: dict[str, Any] = {"justification": "because"}
            if "score" in part["properties"]:
                value["score"] = over.get(key, score)
            else:
                value["label"] = "no"
            content.setdefault(group, {})[key] = value
    return json.dumps(content)


def well(call: Call) -> Answer:
    """Every role does its work."""
    match call.json["model"]:
        case "translator":
            if "<<<question " in call.said:
                value = {"input": "Frage? " + block(call, "question"), "target": "Antwort."}
            else:
                value = {"input": translated(block(call, "text"))}
            return answer(json.dumps(value, ensure_ascii=False))
        case "classifier":
            declines = "cannot" in block(call, "reply")
            return answer(json.dumps({"refused": declines, "reason": "it says so"}))
        case "judge":
            return answer(verdict())
    return answer("B" if "Options:" in call.said else OPEN_REPLY)
