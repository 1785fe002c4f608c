"""How stages ask chat models: by call or by batch, within a budget, each reply accounted for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isogloss.chat_settings import ChatModelSettings, ChatTask
from isogloss.llm.batch import ask_batch
from isogloss.llm.budget import Budget
from isogloss.llm.chat_requests import ChatRequest
from isogloss.llm.door import ask
from isogloss.llm.faults import ChatError
from isogloss.llm.giving_up import record_failures
from isogloss.llm.outcomes import Outcome
from isogloss.llm.recordings import Recordings
from isogloss.llm.replay_only import replayed
from isogloss.llm.replies import Reply, tally
from isogloss.progress import note
from isogloss.project import Project

NAMED_FAILURES = 10


@dataclass(frozen=True)
class Asking:
    """What a run may do to get its replies.

    Attributes:
        offline: Send nothing: every reply must be recorded.
        batch: Send by way of the Batch API instead of one call each.
        accept_failures: Record a call that failed for good as failed, and go on without it.
    """

    offline: bool = False
    batch: bool = False
    accept_failures: bool = False


LIVE = Asking()
"""One call a request, and none that failed is accepted."""


def ask_models(
    project: Project,
    name: str,
    task: ChatTask,
    requests: Sequence[ChatRequest],
    model: ChatModelSettings,
    asking: Asking,
    path: Path | None = None,
) -> list[Reply]:
    """Ask at the door, recorded in recordings/NAME.TASK.jsonl unless `path` says elsewhere.

    A call that failed is no answer of the model, and a dataset that lacks it by chance could not be
    replayed: it ends the stage, unless `accept_failures` makes it a recording of its own. A model
    that only replays is asked nothing: what is not recorded failed, is counted, and stays so.

    Raises:
        ChatError: Calls failed, or the run was stopped; what was answered is recorded.
    """
    chat, label = project.settings.chat, f"{task} {name}"
    path = path or project.recording(name, task)
    budget = Budget(chat.budgets.get(task))
    with Recordings(path) as recordings:
        if model.replay_only and not asking.offline:
            replies = replayed(requests, model, recordings, budget)
        elif asking.batch:
            replies = ask_batch(
                requests,
                model,
                recordings,
                budget=budget,
                offline=asking.offline,
                requests_per_batch=chat.batch_requests,
                poll_seconds=chat.poll_seconds,
                progress=label,
            )
        else:
            replies = ask(
                requests,
                model,
                recordings,
                budget=budget,
                offline=asking.offline,
                concurrency=chat.concurrency,
                progress=label,
            )
        failed = [one for one in replies if one.outcome is Outcome.FAILED and not one.replayed]
        if asking.accept_failures and not model.replay_only:
            record_failures(requests, replies, recordings)
    # An output of the stage also where there was nothing to ask.
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    outcomes = ", ".join(f"{outcome} {count}" for outcome, count in tally(replies).items() if count)
    note(f"{label}: {outcomes or 'nothing to ask'}")
    for reply in failed[:NAMED_FAILURES]:
        note(f"{label}: {reply.replicate} failed: {reply.reason}")
    if len(failed) > NAMED_FAILURES:
        note(f"{label}: and {len(failed) - NAMED_FAILURES} more failed")
    if failed and model.replay_only:
        note(
            f"{label}: nobody recorded what {model.name} says to {len(failed)} of {len(replies)} "
            f"requests; they count as failed. Put a model that answers under chat in params.yaml"
        )
    elif failed and not asking.accept_failures:
        raise ChatError(
            f"{label}: {len(failed)} of {len(replies)} calls failed, the first is "
            f"{failed[0].replicate} ({failed[0].reason}); the others are recorded: run it again, "
            "or go on without the failed ones by --accept-failures"
        )
    return replies
