"""Stage medical-answer@M-ARM: a model, or a floor, answers every item of one arm."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from isogloss.errors import DataError
from isogloss.files import write_jsonl
from isogloss.medical_settings import Arm
from isogloss.progress import note, track
from isogloss.project import Project
from isogloss.stages.asking import LIVE, Asking, ask_models
from isogloss.stages.medical_inputs import arm_items, asked_items, checked_arm

if TYPE_CHECKING:
    from isogloss.chat_settings import ChatModelSettings
    from isogloss.medical.answerers import Answerer
    from isogloss.medical.items import Item
    from isogloss.medical.records import AnswerRow


def run(project: Project, model: str, arm_name: str, asking: Asking = LIVE) -> None:
    """Ask and write ``medical/answers/M.ARM.jsonl``, one row an item in the order of the items.

    Args:
        project: The project.
        model: A key of the panel, of its floors, or of chat.answerers.
        arm_name: ``mt`` or ``reviewed``.
        asking: How replies are got; a call that failed has its row only where that is accepted.

    Raises:
        UsageError: There is no such model or arm.
        DataError: The items cannot be read, or the model takes none of them.
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    from isogloss.medical.answerers import answerer
    from isogloss.medical.answering import other_language, reply_counts
    from isogloss.medical.records import written

    arm = checked_arm(arm_name)
    who = answerer(model, project.settings.chat.answerers)
    items = asked_items(who, arm_items(project, arm), arm)
    if not items:
        raise DataError(
            f"{model} takes none of the items of the arm {arm}; leave it out of medical.models"
        )
    path = project.recording("medical", f"answer.{model}.{arm}")
    if who.endpoint is None:
        rows = _floor_rows(project, who, items, arm)
        # Nothing was asked; the stage has its output nevertheless.
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    else:
        rows = _asked_rows(project, who.endpoint, model, items, arm, asking)
    out = project.answers(model, arm)
    write_jsonl(out, map(written, rows))
    counts = reply_counts(items, rows)
    strangers = other_language(items, rows)
    if strangers:
        first, spoken = next(iter(strangers.items()))
        note(
            f"{model} {arm}: {len(strangers)} open-ended replies seem to be in another language "
            f"than their question, the first {first} (in {spoken})"
        )
    # Which of the others decline is told by the next stage.
    said = ", ".join(f"{name} {count}" for name, count in counts.items())
    kind = " (a floor, no language model)" if who.endpoint is None else ""
    print(f"{out}: {said} (before refusals){kind}")


def _asked_rows(
    project: Project,
    endpoint: "ChatModelSettings",
    model: str,
    items: "Sequence[Item]",
    arm: Arm,
    asking: Asking,
) -> "list[AnswerRow]":
    from isogloss.medical.answering import answer_requests, answer_rows

    replies = ask_models(
        project,
        f"{model} {arm}",
        "answer",
        answer_requests(items, endpoint, arm),
        endpoint,
        asking,
        project.recording("medical", f"answer.{model}.{arm}"),
    )
    return answer_rows(items, replies, model, arm)


def _floor_rows(
    project: Project, who: "Answerer", items: "Sequence[Item]", arm: Arm
) -> "list[AnswerRow]":
    from isogloss.medical.floors import majority_letters, nearest_letters
    from isogloss.medical.records import AnswerRow

    if who.method == "majority":
        letters = majority_letters(items)
    else:
        from isogloss.retrieval.declaration import read_declaration
        from isogloss.retrieval.encoders import Vectors, load_encoder

        embedding = project.settings.embedding
        encoder = load_encoder(
            read_declaration(project.model(str(who.encoder))),
            embedding.device,
            embedding.batch_size,
        )

        def encode(texts: Sequence[str]) -> Vectors:
            return encoder.encode(
                texts, "document", lambda parts: track(parts, f"encode for {who.key} {arm}")
            )

        letters = nearest_letters(items, encode)
    return [
        AnswerRow(
            model=who.key,
            arm=arm,
            language=item.language,
            id=item.id,
            outcome="answered",
            text=letter,
            ending="answered",
        )
        for item, letter in zip(items, letters, strict=True)
    ]
