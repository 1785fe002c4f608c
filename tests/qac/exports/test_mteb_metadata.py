import pytest
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.languages import check_language_code

from isogloss.errors import DataError
from isogloss.languages import ISO_639_1
from isogloss.qac.exports.licences import _MTEB, Licence
from isogloss.qac.exports.mteb_metadata import language_script, mteb_metadata, task_name


def filled(finished, licence) -> TaskMetadata:
    fields = mteb_metadata(finished, licence)
    revision = fields.pop("revision")
    return TaskMetadata(dataset={"path": "here", "revision": revision}, **fields)


def test_mteb_takes_the_metadata(finished, licence) -> None:
    metadata = filled(finished, licence)
    metadata._validate_metadata()
    assert metadata.name == "IsoglossTinyTitle"
    assert metadata.eval_langs == ["deu-Latn", "eng-Latn", "nor-Latn", "zho-Hans"]
    assert metadata.dataset["revision"] == finished.benchmark.version
    assert metadata.license == "cc-by-4.0"
    assert metadata.annotations_creators == "derived"
    assert metadata.sample_creation == "created"


@pytest.mark.parametrize("spdx", [*_MTEB.split(), "etalab-2.0", None])
def test_mteb_takes_every_licence(finished, spdx) -> None:
    assert filled(finished, Licence(spdx, attributed=True)).license == Licence(spdx, True).mteb


def test_every_language_has_a_code_that_mteb_knows() -> None:
    for code in sorted(ISO_639_1):
        check_language_code(language_script(code))
    assert len({language_script(code) for code in ISO_639_1}) == len(ISO_639_1)


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(DataError, match="'tlh': has no ISO 639-3 code"):
        language_script("tlh")


def test_names_of_tasks() -> None:
    assert task_name("tico19-cloze") == "IsoglossTico19Cloze"
