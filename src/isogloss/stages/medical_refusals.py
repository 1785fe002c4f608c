"""Stage medical-refusals@M-ARM: which replies of a model decline."""

from isogloss.files import write_jsonl
from isogloss.progress import note
from isogloss.project import Project
from isogloss.stages.asking import LIVE, Asking, ask_models
from isogloss.stages.medical_inputs import answered_pairs, checked_arm


def run(project: Project, model: str, arm_name: str, asking: Asking = LIVE) -> None:
    """Write ``medical/refusals/M.ARM.jsonl``, one row a reply of a call that did not fail.

    The provider's refusal and its content filter decide by themselves, as do a letter and an
    empty reply; the classifier is asked about all others.

    Raises:
        UsageError: There is no such arm.
        DataError: The answers are missing or do not fit the items.
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    from isogloss.medical.records import written
    from isogloss.medical.refusing import case_of, refusal_requests, refusal_row, verdict_of

    arm = checked_arm(arm_name)
    pairs = [pair for pair in answered_pairs(project, model, arm) if pair[1].outcome != "failed"]
    cases = [case_of(item, row) for item, row in pairs]
    asked = [case for case in cases if case is not None]
    classifier = project.settings.chat.refusal_classifier
    replies = iter(
        ask_models(
            project,
            f"{model} {arm}",
            "refusals",
            refusal_requests(asked, classifier),
            classifier,
            asking,
            project.recording("medical", f"refusals.{model}.{arm}"),
        )
    )
    rows, unusable = [], []
    for (_, row), case in zip(pairs, cases, strict=True):
        reply = None if case is None else next(replies)
        verdict = None if reply is None else verdict_of(reply)
        record = refusal_row(row, verdict, classified=case is not None)
        if record is None:
            unusable.append(f"{row.language}/{row.id}")
        else:
            rows.append(record)
    path = project.refusals(model, arm)
    write_jsonl(path, map(written, rows))
    if unusable:
        note(f"{path}: {len(unusable)} verdicts cannot be used, the first {unusable[0]}")
    refused = sum(row.refused for row in rows)
    print(
        f"{path}: {len(pairs)} replies, {refused} refused; {len(asked)} classified, "
        f"{len(unusable)} without a usable verdict"
    )
