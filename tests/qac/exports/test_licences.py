import pytest

from isogloss.errors import DataError, UsageError
from isogloss.qac.exports.licences import Licence, licence_of

TAG = "SPDX-License-Identifier: "


def test_a_declared_licence_is_told_to_each_reader() -> None:
    found = licence_of(f"By somebody.\n<!-- {TAG}cc0-1.0 -->\n")
    assert found.spdx == "CC0-1.0"
    assert found.hub == {"license": "cc0-1.0"}
    assert found.mteb == "cc0-1.0"
    assert found.url == "https://spdx.org/licenses/CC0-1.0.html"
    assert licence_of("", "odbl-1.0").hub == {"license": "odbl"}


def test_a_licence_without_a_tag_on_the_hub_is_linked() -> None:
    found = licence_of("", "etalab-2.0")
    assert found.hub == {
        "license": "other",
        "license_name": "etalab-2.0",
        "license_link": "https://spdx.org/licenses/etalab-2.0.html",
    }
    assert found.mteb == "https://spdx.org/licenses/etalab-2.0.html"


def test_words_alone_declare_no_licence() -> None:
    """The files are MIT, the text in them is not: nothing is guessed."""
    found = licence_of("Text © an office. The XML files come from a project under MIT.")
    assert found == Licence(None, attributed=True)
    assert found.hub["license"] == "other"
    assert found.hub["license_link"] == "ATTRIBUTION.md"
    assert found.mteb == "not specified"
    assert licence_of("").hub == {"license": "unknown"}


def test_contradictions_are_refused() -> None:
    with pytest.raises(DataError, match=r"CC0-1.0 and MIT; keep one"):
        licence_of(f"{TAG}MIT\n{TAG}CC0-1.0")
    with pytest.raises(DataError, match=r"'Mine-1.0', which SPDX does not list"):
        licence_of(f"{TAG}Mine-1.0")
    with pytest.raises(UsageError, match=r"--license MIT: the attribution declares CC0-1.0"):
        licence_of(f"{TAG}CC0-1.0", "mit")
    assert licence_of(f"{TAG}MIT", "mit").spdx == "MIT"


@pytest.mark.parametrize("asked", ["", "nonsense", "MIT OR Apache-2.0", "LicenseRef-mine"])
def test_only_one_listed_licence_is_taken(asked: str) -> None:
    with pytest.raises(UsageError, match="no SPDX identifier"):
        licence_of("", asked)
