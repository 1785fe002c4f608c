"""A key that servers echo in errors and answers: nothing of a project, its tracking included."""

import shutil
from pathlib import Path

import pytest
from tracked_projects import empty_database

from isogloss.files import write_json
from isogloss.llm.faults import ChatError
from isogloss.project import Project
from isogloss.stages import embed, evaluate, queries
from isogloss.stages.asking import Asking
from llm.chats import SECRET
from llm.loopback import Answer, Call, Loopback, answer, error
from stages.test_batch_and_failures import verb
from stages.test_llm_queries import asked, project_at, question, settings, well


def echoing(call: Call) -> Answer:
    """A good server, but for the key in one family's errors and another's questions."""
    model, _, family = asked(call)
    if model == "writer" and family == "B":
        return error(400, f"Incorrect API key provided: {SECRET}")
    if model == "writer" and family == "C":
        return answer(question(family, 1).replace("Heating", f"{SECRET} Heating"))
    return well(call)


def files_with_the_key(folder: Path) -> list[str]:
    return [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and SECRET.encode() in path.read_bytes()
    ]


def test_an_echoed_key_is_in_no_file_and_no_run(
    tmp_path: Path,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    with Loopback(echoing) as server:
        project: Project = project_at(tmp_path, server.url)
        with pytest.raises(ChatError) as caught:
            queries.run(project, "small-llm")
        assert "Incorrect API key provided" in str(caught.value)
        assert SECRET not in str(caught.value)
        queries.run(project, "small-llm", asking=Asking(accept_failures=True))
    (tmp_path / "models").mkdir()
    shutil.copy(root / "models" / "char-ngrams.yaml", tmp_path / "models")
    (tmp_path / "mlflow.db").write_bytes(empty_database())
    embed.run(project, "small-llm", "char-ngrams")
    evaluate.run(project, "small-llm", "char-ngrams")
    assert list((tmp_path / "mlruns").rglob("card.md"))
    assert files_with_the_key(tmp_path) == []
    said = capfd.readouterr()
    assert SECRET not in said.out + said.err
    # The search would have found it.
    (tmp_path / "proof").write_text(f"x{SECRET}x")
    assert files_with_the_key(tmp_path) == ["proof"]


def test_a_model_that_would_judge_itself_is_refused_before_any_call(tmp_path: Path) -> None:
    with Loopback(well) as server:
        project = project_at(tmp_path, server.url, queries=4)
        content = settings(server.url, queries=4).model_dump(mode="json", exclude_none=True)
        content["chat"]["verifier"]["name"] = "some-router/Writer"
        write_json(tmp_path / "params.yaml", content)
        code, said = verb(project)
        assert code == 2
        assert "a model must not judge what it wrote" in said
        assert server.calls == []
