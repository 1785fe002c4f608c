"""Validate params.yaml, model declarations and the head of raw data without running anything."""

from isogloss.device_names import AUTO
from isogloss.engine import open_engine
from isogloss.errors import DataError, IsoglossError
from isogloss.foreign_text import message_line
from isogloss.progress import counted
from isogloss.project import Project


def run(project: Project) -> None:
    """Go through everything that `dvc repro` would need and report every fault at once.

    Of raw data the first records of a source's first files are read (`patents.first_records`);
    the corpus reads them all and names each record that it refuses.

    Args:
        project: Its params.yaml has been validated by being loaded.

    Raises:
        DataError: Something is missing or wrong; each fault has been printed on a line of its own.
    """
    faults = [
        *_engine_faults(project),
        *_device_faults(project),
        *_source_faults(project),
        *_benchmark_faults(project),
        *_prompt_faults(project),
        *_recording_faults(project),
        *_model_faults(project),
        *_medical_faults(project),
        *_derived_faults(project),
    ]
    settings = project.settings
    print(
        f"params.yaml: valid; {counted(len(settings.sources), 'source')}, "
        f"{counted(len(settings.made), 'made benchmark')}, "
        f"{len(settings.run.benchmarks)} x {len(settings.run.models)} evaluations"
        + (f" and {len(settings.run.derived)} derived" if settings.run.derived else "")
    )
    for fault in faults:
        print(f"fault: {message_line(fault)}")
    if faults:
        raise DataError(f"{counted(len(faults), 'fault')} found, named above")
    if settings.run.benchmarks:
        looked = ", raw data by its first records" if settings.sources else ""
        print(f"everything that `dvc repro` needs is in place{looked}")
    else:
        # Comparison and report of the pipeline need an evaluation to start from.
        print(
            "everything is in place; without run.benchmarks, run `dvc repro medical-shifts` and "
            "`isogloss report`"
        )


def _engine_faults(project: Project) -> list[str]:
    """Whether it is installed; whether a cluster is there is told by giving it work."""
    try:
        with open_engine(project.settings.engine):
            return []
    except IsoglossError as error:
        return [str(error)]


def _device_faults(project: Project) -> list[str]:
    """Whether devices that are named are here; those left open take what there is."""
    settings = project.settings
    named = {"embedding": settings.embedding.device, "search": settings.search.device}
    faults = []
    for section, device in named.items():
        if device in (AUTO, "cpu"):
            continue
        from isogloss.retrieval.device import usable_device

        try:
            usable_device(device)
        except IsoglossError as error:
            faults.append(f"params.yaml: {section}.device: {error}")
    return faults


def _recording_faults(project: Project) -> list[str]:
    """Roles that only replay need their recordings."""
    chat = project.settings.chat
    return [
        f"{path}: no such file, and chat.{role} only replays; run `make data`, or pull it by name"
        for benchmark in project.settings.llm_benchmarks
        for role, stage in (("generator", "generate"), ("verifier", "verify"))
        if getattr(chat, role).replay_only
        and not (path := project.recording(benchmark, stage)).is_file()
    ]


def _source_faults(project: Project) -> list[str]:
    from isogloss.patents.first_records import wrong_files
    from isogloss.patents.raw_files import SUFFIXES, find_files

    faults = []
    for source, settings in project.settings.sources.items():
        folder = project.raw(source)
        found = find_files(folder, settings.format) if folder.is_dir() else None
        if found is None or not (found.read or found.beside or found.not_read):
            faults.append(f"{folder}: no raw data; run dvc pull data.dvc or put files there")
            continue
        files = found.read
        if not files:
            kinds = ", ".join(SUFFIXES[settings.format])
            faults.append(f"{folder}: holds no file of a {settings.format} source ({kinds})")
        faults += [
            f"{folder / name}: no {settings.format} data: {reason}"
            for name, reason in wrong_files(files, settings)
        ]
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
    from isogloss.qac.prompts import read_translation_prompt
    from isogloss.stages import seed_translations
    from isogloss.stages.llm_queries import asked_languages

    faults = []
    for settings in project.settings.llm_benchmarks.values():
        try:
            asked_languages(project, settings)
        except IsoglossError as error:
            faults.append(str(error))
    for source in project.settings.seed_translations:
        try:
            read_translation_prompt(seed_translations.settings_of(project, source).language)
        except IsoglossError as error:
            faults.append(str(error))
    return faults


def _model_faults(project: Project) -> list[str]:
    from isogloss.retrieval.declaration import read_declaration, unpinned

    faults = []
    run = project.settings.run
    used = {*run.models, *(one.model for one in run.derived.values())}
    keys = {path.stem for path in (project.root / "models").glob("*.yaml")}
    for key in sorted(keys | set(project.settings.run.models)):
        try:
            declaration = read_declaration(project.model(key))
        except IsoglossError as error:
            faults.append(str(error))
            continue
        # A model may be declared before it is pinned, but not run.
        if key in used and (fault := unpinned(declaration)) is not None:
            faults.append(fault)
    return faults


def _medical_faults(project: Project) -> list[str]:
    """Items, prompts and answerers; whether an endpoint is there is told by asking it."""
    from isogloss.medical.answerers import answerer
    from isogloss.medical.panel import TASKS
    from isogloss.medical.prompts import answer_prompt, translate_prompt
    from isogloss.stages.medical_inputs import source_items

    medical = project.settings.medical
    if medical is None or not (medical.languages or medical.models):
        return []
    faults = []
    try:
        source_items(project)
    except IsoglossError as error:
        faults.append(str(error))
    for language in medical.languages:
        try:
            for task in TASKS:
                answer_prompt(task, language)
                translate_prompt(task, language)
        except IsoglossError as error:
            faults.append(str(error))
    for model in medical.models:
        try:
            who = answerer(model, project.settings.chat.answerers)
        except IsoglossError as error:
            faults.append(str(error))
            continue
        budget = project.settings.chat.budgets.get("answer")
        limited = budget is not None and budget.money is not None
        if limited and who.endpoint is not None and who.endpoint.costs_unknown_money:
            faults.append(
                f"chat.budgets.answer.money: {model} has no prices; declare it under "
                "chat.answerers with input_price and output_price"
            )
        if who.encoder is not None and not project.model(who.encoder).is_file():
            faults.append(f"{project.model(who.encoder)}: no such file; {model} needs that encoder")
    reviews = project.root / medical.reviews
    if medical.languages and not reviews.is_dir():
        faults.append(f"{reviews}: no such folder; returned review sheets belong there")
    return faults


def _derived_faults(project: Project) -> list[str]:
    """Where params.yaml and a declaration disagree on what a retriever is made of."""
    from isogloss.retrieval.declaration import read_declaration
    from isogloss.retrieval.derived import DerivedDeclaration

    faults = []
    for key in project.settings.run.models:
        try:
            declaration = read_declaration(project.model(key))
        except IsoglossError:
            continue  # Told with the other declarations.
        if isinstance(declaration, DerivedDeclaration):
            faults.append(
                f"run.models: {key} is made of {', '.join(declaration.parts)}; name it under "
                "run.derived"
            )
    for name, one in project.settings.run.derived.items():
        try:
            declaration = read_declaration(project.model(one.model))
        except IsoglossError as error:
            if not project.model(one.model).is_file():
                faults.append(str(error))
            continue
        if not isinstance(declaration, DerivedDeclaration):
            faults.append(f"run.derived.{name}: {one.model} is made of no others; see run.models")
        elif tuple(one.parts) != declaration.parts:
            faults.append(
                f"run.derived.{name}: parts are {', '.join(one.parts)}, but models/{one.model}.yaml"
                f" is made of {', '.join(declaration.parts)}"
            )
    return faults
