"""Stage medical-judge@M-ARM: a judge scores a model's open-ended answers."""

from collections import Counter

from isogloss.files import write_jsonl
from isogloss.progress import note
from isogloss.project import Project
from isogloss.stages.asking import LIVE, Asking, ask_models
from isogloss.stages.medical_inputs import answered_pairs, checked_arm


def run(project: Project, model: str, arm_name: str, asking: Asking = LIVE) -> None:
    """Write ``medical/verdicts/M.ARM.jsonl``: the judge's raw text on each answer with text.

    Raises:
        UsageError: There is no such arm.
        DataError: The answers are missing or do not fit the items.
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    from isogloss.medical.answerers import answerer
    from isogloss.medical.judging import is_judged, judge_requests, verdict_rows
    from isogloss.medical.verdicts import UnusableError, read_verdict

    arm = checked_arm(arm_name)
    pairs = [pair for pair in answered_pairs(project, model, arm) if is_judged(*pair)]
    items, rows = [item for item, _ in pairs], [row for _, row in pairs]
    judge = project.settings.chat.judge
    endpoint = answerer(model, project.settings.chat.answerers).endpoint
    if rows and endpoint is not None and endpoint.name == judge.name:
        note(f"{judge.name} judges answers of its own")
    replies = ask_models(
        project,
        f"{model} {arm}",
        "judge",
        judge_requests(items, rows, judge),
        judge,
        asking,
        project.recording("medical", f"judge.{model}.{arm}"),
    )
    verdicts = verdict_rows(rows, replies)
    path = project.verdicts(model, arm)
    write_jsonl(path, verdicts)
    unusable: Counter[str] = Counter()
    for verdict in verdicts:
        try:
            read_verdict(verdict.verdict)
        except UnusableError as reason:
            unusable[str(reason)] += 1
            note(f"unusable verdict on {verdict.language}/{verdict.id}: {reason}")
    said = "; ".join(f"{reason} {count}" for reason, count in sorted(unusable.items()))
    scored = len(verdicts) - unusable.total()
    print(f"{path}: {len(verdicts)} judged, {scored} scored{f'; unusable: {said}' if said else ''}")
