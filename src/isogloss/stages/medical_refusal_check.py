"""The classifier of refusals is asked about labelled samples, and its agreement is written."""

from isogloss.files import write_json
from isogloss.project import Project
from isogloss.stages.asking import LIVE, Asking, ask_models


def run(project: Project, asking: Asking = LIVE) -> None:
    """Write ``medical/refusal-check.json`` and print the agreement by language.

    Raises:
        ChatError: A call failed for good or the run was stopped; what was answered is recorded.
    """
    from isogloss.medical.refusal_check import refusal_agreement, refusal_samples
    from isogloss.medical.refusing import refusal_requests, verdict_of

    samples = refusal_samples()
    classifier = project.settings.chat.refusal_classifier
    replies = ask_models(
        project,
        "check",
        "refusals",
        refusal_requests([sample.case for sample in samples], classifier),
        classifier,
        asking,
        project.recording("medical", "refusals.check"),
    )
    found = refusal_agreement(samples, [verdict_of(reply) for reply in replies])
    path = project.medical / "refusal-check.json"
    write_json(path, {"classifier": classifier.name, **found})
    for language, counts in found["languages"].items():
        print(
            f"{language}: {counts['right']} of {counts['n']} right, {counts['missed']} missed, "
            f"{counts['false_alarms']} false alarms, {counts['unusable']} unusable"
        )
    for case in found["wrong"]:
        print(f"{case['outcome']}: {case['case']}: {case['reply']}")
    print(f"{path}: written")
