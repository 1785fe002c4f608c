"""Make the medical sample by the real verbs, which ask the reciter wherever they ask a model."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from authored.medical.sheets import ANSWER, ITEM, Entries, fill
from authored.medical.texts import FOLDER, Reply, Review, edited, items, replies, translations
from authored.medical.verdict import verdict
from authored.roles import asking
from authored.server import Reciter
from isogloss.errors import DataError
from isogloss.files import write_jsonl, write_text
from isogloss.llm.chat_requests import ChatRequest
from isogloss.medical.answering import answer_requests
from isogloss.medical.items import Item
from isogloss.medical.judging import is_judged, judge_requests
from isogloss.medical.panel import ENGLISH
from isogloss.medical.refusing import case_of, refusal_requests
from isogloss.medical.translation import translation_requests
from isogloss.medical_settings import Arm, MedicalSettings
from isogloss.project import Project
from isogloss.review.criteria import score_columns
from isogloss.stages import (
    audit_experts_export,
    audit_experts_import,
    medical_answer,
    medical_judge,
    medical_refusals,
    medical_translate,
    review_make,
    review_merge,
)
from isogloss.stages.medical_inputs import answered_pairs, arm_items, medical_settings

ANSWERER = "maintainers"
REVIEWERS = ("maintainer-a", "maintainer-b")
EXPERT = "maintainer-c"
# Where an expert's scores were written.
AUDITED = ("en", "zh", "sw")
AUDITS = Path("data/medical/audits")
EXPERTS = "experts.jsonl"
ATTRIBUTION = Path("data/medical/ATTRIBUTION.md")


def record(project: Project) -> int:
    """Write the items, translate, review, answer, tell refusals, judge and audit.

    Args:
        project: Its data/medical, medical/ and recordings/ are written anew.

    Returns:
        How many requests were answered; none where the settings want nothing of the maintainers.

    Raises:
        DataError: Something that is asked for is not written, or the other way round.
    """
    settings = medical_settings(project)
    if ANSWERER not in settings.models:
        return 0
    write_jsonl(project.root / settings.items, map(_row, items()))
    write_text(project.root / ATTRIBUTION, (FOLDER / ATTRIBUTION.name).read_text("utf-8"))
    with Reciter() as reciter:
        there = asking(project, reciter.url)
        for language in settings.languages:
            _translate(there, language, reciter)
            _review(there, language, settings)
        for arm in settings.arms:
            _answer(there, arm, reciter)
        _audit(there)
        return reciter.asked


def _row(item: Item) -> dict[str, str]:
    return {
        "id": item.id,
        "language": item.language,
        "task": item.task,
        "source_dataset": item.dataset,
        "input": item.input,
        "target": item.target,
    }


def _recite(
    project: Project,
    stage: str,
    requests: Sequence[ChatRequest],
    texts: Iterable[dict[str, Any] | str],
    reciter: Reciter,
    run: Callable[[], None],
) -> None:
    """Run a stage that asks these requests, into an empty recording."""
    reciter.learn(requests, texts)
    project.recording("medical", stage).unlink(missing_ok=True)
    run()
    if reciter.unasked:
        raise DataError(f"{stage}: {reciter.unasked} written texts were not asked for")


def _translate(project: Project, language: str, reciter: Reciter) -> None:
    written = translations(language)
    asked = items()
    texts = [
        {"input": one.input} if item.options else {"input": one.input, "target": one.target}
        for item, one in ((item, written[item.id]) for item in asked)
    ]
    requests = translation_requests(asked, language, project.settings.chat.translator)
    _recite(
        project,
        f"translate.{language}",
        requests,
        texts,
        reciter,
        lambda: medical_translate.run(project, language),
    )


def _review(project: Project, language: str, settings: MedicalSettings) -> None:
    """Make both reviewers' sheets, fill them in and merge them."""
    returned = project.root / settings.reviews
    names = [f"{language}-{stage}-{who}.xlsx" for stage, who in enumerate(REVIEWERS, start=1)]
    for name in names:
        (returned / name).unlink(missing_ok=True)
    written = translations(language)
    texts = {id_: (one.input, one.target) for id_, one in written.items()}
    for stage, name in enumerate(names, start=1):
        entries = {}
        for id_, one in written.items():
            given = one.reviews[stage - 1]
            texts[id_] = edited(*texts[id_], given, f"{language}.yaml: {id_}, review {stage}")
            entries[id_] = _entries(given, *texts[id_], stage)
        with TemporaryDirectory() as folder:
            review_make.run(
                language,
                project.root / settings.items,
                project.translations(language),
                REVIEWERS[stage - 1],
                Path(folder),
                stage=stage,
                returned=[returned],
            )
            fill(Path(folder) / name, returned / name, entries, ITEM)
    review_merge.run_project(project, language, strict=True)


def _entries(given: Review, text: str, target: str, stage: int) -> Entries:
    titles = [column.title for column in score_columns("translation")]
    kind = "Reviewed" if stage == 1 else "Final"
    changed = {f"{kind} text": text, f"{kind} reference": target} if given.edits else {}
    comment = {"Comment": given.comment} if given.comment else {}
    return {**dict(zip(titles, given.scores, strict=True)), **changed, **comment}


def _answer(project: Project, arm: Arm, reciter: Reciter) -> None:
    """Replies of one arm, which of them decline, and the verdicts on open-ended ones."""
    chat = project.settings.chat
    asked = arm_items(project, arm)
    spoken = {language: replies(language) for language in {item.language for item in asked}}

    def written(language: str, id_: str) -> Reply:
        return spoken[language][arm, id_]

    requests = answer_requests(asked, chat.answerers[ANSWERER], arm)
    texts = [written(item.language, item.id).text for item in asked]
    _recite(
        project,
        f"answer.{ANSWERER}.{arm}",
        requests,
        texts,
        reciter,
        lambda: medical_answer.run(project, ANSWERER, arm),
    )
    pairs = answered_pairs(project, ANSWERER, arm)
    told = [(case, row) for item, row in pairs if (case := case_of(item, row)) is not None]
    _recite(
        project,
        f"refusals.{ANSWERER}.{arm}",
        refusal_requests([case for case, _ in told], chat.refusal_classifier),
        [_declines(written(row.language, row.id)) for _, row in told],
        reciter,
        lambda: medical_refusals.run(project, ANSWERER, arm),
    )
    judged = [pair for pair in pairs if is_judged(*pair)]
    _recite(
        project,
        f"judge.{ANSWERER}.{arm}",
        judge_requests([item for item, _ in judged], [row for _, row in judged], chat.judge),
        [verdict(written(row.language, row.id)) for _, row in judged],
        reciter,
        lambda: medical_judge.run(project, ANSWERER, arm),
    )


def _declines(reply: Reply) -> dict[str, Any]:
    why = "Declines and gives nothing of substance." if reply.refused else "Does not decline."
    return {"refused": reply.refused, "reason": why}


def _audit(project: Project) -> None:
    """Make the expert's sheets, one a language, fill them in and read them."""
    titles = [column.title for column in score_columns("answer")]
    asked = (ENGLISH, *medical_settings(project).languages)
    languages = [language for language in AUDITED if language in asked]
    with TemporaryDirectory() as made:
        folder = Path(made)
        write_jsonl(folder / "items.jsonl", map(_row, arm_items(project, "reviewed")))
        audit_experts_export.run(
            folder / "items.jsonl",
            project.answers(ANSWERER, "reviewed"),
            project.verdicts(ANSWERER, "reviewed"),
            folder,
            [ANSWERER],
            [EXPERT],
            languages=languages,
        )
        sample = audit_experts_export.read_sample(folder / audit_experts_export.SAMPLE)
        for language in languages:
            given = replies(language)
            entries: dict[str, Entries] = {}
            for one in sample:
                scores = given["reviewed", one.id].expert if one.language == language else None
                if scores is not None:
                    entries[one.code] = dict(zip(titles, scores, strict=True))
            sheet = f"{language}-{EXPERT}.xlsx"
            fill(folder / sheet, project.root / AUDITS / sheet, entries, ANSWER)
        audit_experts_import.run(folder, [project.root / AUDITS], strict=True)
        # The sample goes along, so that the sheets can be imported again.
        for name, place in ((audit_experts_export.SAMPLE, AUDITS), (EXPERTS, AUDITS.parent)):
            write_text(project.root / place / name, (folder / name).read_text("utf-8"))
