"""Validate params.yaml, raw data and model declarations without running anything."""

from isogloss.errors import DataError, IsoglossError
from isogloss.project import Project


def run(project: Project) -> None:
    """Go through everything that `dvc repro` would need and report every fault at once.

    Args:
        project: Its params.yaml has been validated by being loaded.

    Raises:
        DataError: Something is missing or wrong; each fault has been printed on a line of its own.
    """
    faults = [
        *_source_faults(project),
        *_benchmark_faults(project),
        *_prompt_faults(project),
        *_model_faults(project),
    ]
    settings = project.settings
    print(
        f"params.yaml: valid; {len(settings.sources)} sources, {len(settings.made)} made "
        f"benchmarks, {len(settings.run.benchmarks)} x {len(settings.run.models)} evaluations"
    )
    for fault in faults:
        print(f"fault: {fault}")
    if faults:
        raise DataError(f"{len(faults)} faults found; each is named above")
    print("everything that `dvc repro` needs is in place")


def _source_faults(project: Project) -> list[str]:
    faults = []
    for source in project.settings.sources:
        folder = project.raw(source)
        if not folder.is_dir() or not any(path.is_file() for path in folder.rglob("*")):
            faults.append(f"{folder}: no raw data; run dvc pull data.dvc or put files there")
    return faults


def _benchmark_faults(project: Project) -> list[str]:
    made = project.settings.made
    wanted = dict.fromkeys(project.settings.run.benchmarks, "run.benchmarks")
    for pool, members in project.settings.pools.items():
        wanted.update(dict.fromkeys(members, f"pools.{pool}"))
    return [
        f"{where}: {key} is neither under benchmarks nor imported to {project.benchmark(key)}"
        for key, where in wanted.items()
        if key not in made and not project.benchmark(key).is_dir()
    ]


def _prompt_faults(project: Project) -> list[str]:
    from isogloss.stages.llm_queries import asked_languages

    faults = []
    for settings in project.settings.llm_benchmarks.values():
        try:
            asked_languages(project, settings)
        except IsoglossError as error:
            faults.append(str(error))
    return faults


def _model_faults(project: Project) -> list[str]:
    from isogloss.retrieval.declaration import read_declaration

    faults = []
    keys = {path.stem for path in (project.root / "models").glob("*.yaml")}
    for key in sorted(keys | set(project.settings.run.models)):
        try:
            read_declaration(project.model(key))
        except IsoglossError as error:
            faults.append(str(error))
    return faults
