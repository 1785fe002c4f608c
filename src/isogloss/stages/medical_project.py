"""A project's own medical answers: which files are scored, and what identifies them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from isogloss.errors import DataError, UsageError
from isogloss.files import read_json, sha256_bytes, write_json
from isogloss.medical_settings import Arm, MedicalSettings
from isogloss.project import Project

if TYPE_CHECKING:
    from isogloss.medical.items import Item

SCORES_FILE = "scores.json"
IDENTITY_FILE = "inputs.json"
SCORE = "run `isogloss medical score`"
KINDS = ("answers", "refusals", "verdicts")


class ArmInput(msgspec.Struct, frozen=True):
    """The items of one arm.

    Attributes:
        digest: Over them, in their order: 32 hex digits.
        items: How many, over all languages.
        languages: How many.
        datasets: How many.
    """

    digest: str
    items: int
    languages: int
    datasets: int


class Inputs(msgspec.Struct, frozen=True):
    """What the figures depend on, besides the options: inputs.json.

    Attributes:
        arms: The items of each arm.
        files: Model -> arm -> kind of file (answers, refusals, verdicts) -> its hash.
        experts: The hash of the experts' scores; empty where there are none.
    """

    arms: dict[str, ArmInput]
    files: dict[str, dict[str, dict[str, str]]]
    experts: str = ""


@dataclass(frozen=True)
class ProjectFiles:
    """Everything that is read.

    Attributes:
        items: By arm.
        paths: By kind of file; answers first, each (model, arm) once.
        experts: The experts' scores; None where there is no such file.
        inputs: What identifies all of it.
    """

    items: "dict[Arm, list[Item]]"
    paths: dict[str, list[Path]]
    experts: Path | None
    inputs: Inputs


def scored_settings(project: Project) -> MedicalSettings:
    """The section `medical` of a project that has something to score.

    Raises:
        UsageError: It names no models or no arms.
    """
    medical = project.settings.medical
    if medical is None or not medical.models or not medical.arms:
        raise UsageError(
            "params.yaml: medical.models is empty, so there is nothing to score; name models there,"
            " or give --items, --answers and --out"
        )
    return medical


def project_files(project: Project) -> ProjectFiles:
    """Find and identify what params.yaml names.

    Raises:
        UsageError: It names nothing.
        DataError: A file is missing; the verb that makes it is named.
    """
    from isogloss.stages.medical_inputs import arm_items

    medical = scored_settings(project)
    items = {arm: arm_items(project, arm) for arm in medical.arms}
    paths: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    hashes: dict[str, dict[str, dict[str, str]]] = {}
    verbs = {"answers": "answer", "refusals": "refusals", "verdicts": "judge"}
    for model in medical.models:
        for arm in medical.arms:
            for kind in KINDS:
                path: Path = getattr(project, kind)(model, arm)
                if not path.is_file():
                    raise DataError(
                        f"{path}: no such file; run `isogloss medical {verbs[kind]} {model} {arm}`"
                    )
                # Floors and models without open-ended items leave empty files.
                if path.stat().st_size:
                    paths[kind].append(path)
                held = hashes.setdefault(model, {}).setdefault(arm, {})
                held[kind] = sha256_bytes(path.read_bytes())[:32]
    experts = project.experts if project.experts.is_file() else None
    inputs = Inputs(
        arms={arm: arm_input(held) for arm, held in items.items()},
        files=hashes,
        experts="" if experts is None else sha256_bytes(experts.read_bytes())[:32],
    )
    return ProjectFiles(items, paths, experts, inputs)


def arm_input(items: "Sequence[Item]") -> ArmInput:
    """Count and hash items: first 32 hex digits of a SHA-256 over their six fields, in order."""
    rows = [[one.id, one.language, one.task, one.dataset, one.input, one.target] for one in items]
    return ArmInput(
        digest=sha256_bytes(msgspec.json.encode(rows))[:32],
        items=len(items),
        languages=len({one.language for one in items}),
        datasets=len({one.dataset for one in items}),
    )


def write_inputs(folder: Path, inputs: Inputs) -> None:
    """Write inputs.json."""
    write_json(folder / IDENTITY_FILE, msgspec.to_builtins(inputs))


def read_inputs(folder: Path) -> Inputs:
    """Read inputs.json.

    Raises:
        DataError: It is missing or broken.
    """
    path = folder / IDENTITY_FILE
    return read_json(path, Inputs, SCORE)
