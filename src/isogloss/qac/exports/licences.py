"""One licence under the names that different readers give it; nothing is guessed from prose."""

import re
from dataclasses import dataclass

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from isogloss.errors import DataError, UsageError

ATTRIBUTION_FILE = "ATTRIBUTION.md"
_TAG = re.compile(r"SPDX-License-Identifier:[ \t]*([A-Za-z0-9.+-]+)")

# SPDX identifiers for which Hugging Face has a tag, and those of them that mteb knows.
_HUB = """
    Apache-2.0 MIT BSD-3-Clause CC0-1.0 CC-BY-2.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0
    CC-BY-NC-2.0 CC-BY-NC-3.0 CC-BY-NC-4.0 CC-BY-NC-SA-2.0 CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0
    CC-BY-ND-4.0 CC-BY-NC-ND-3.0 CC-BY-NC-ND-4.0 PDDL-1.0 ODC-By-1.0 ODbL-1.0 EUPL-1.2
"""
_HUB_NAMES = {"PDDL-1.0": "pddl", "ODC-By-1.0": "odc-by", "ODbL-1.0": "odbl"}
_MTEB = """
    Apache-2.0 MIT BSD-3-Clause CC0-1.0 CC-BY-2.0 CC-BY-3.0 CC-BY-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0
    CC-BY-NC-3.0 CC-BY-NC-4.0 CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0 CC-BY-ND-4.0 CC-BY-NC-ND-4.0
    ODC-By-1.0 EUPL-1.2
"""


@dataclass(frozen=True)
class Licence:
    """What is known of a benchmark's licence.

    Attributes:
        spdx: Its SPDX identifier; None where nobody declared one.
        attributed: There is a text on licence and credit beside it.
    """

    spdx: str | None
    attributed: bool

    @property
    def url(self) -> str | None:
        """The licence's page in the SPDX list."""
        return f"https://spdx.org/licenses/{self.spdx}.html" if self.spdx else None

    @property
    def hub(self) -> dict[str, str]:
        """The keys of a Hugging Face card: a tag, or `other` with a name and a link."""
        if self.spdx in _HUB.split():
            return {"license": _HUB_NAMES.get(self.spdx, self.spdx.lower())}
        if self.spdx and self.url:
            return {"license": "other", "license_name": self.spdx.lower(), "license_link": self.url}
        if self.attributed:
            link = {"license_name": "see-attribution", "license_link": ATTRIBUTION_FILE}
            return {"license": "other", **link}
        return {"license": "unknown"}

    @property
    def mteb(self) -> str:
        """The value of mteb's `TaskMetadata.license`: a known name, a page, or not specified."""
        if self.spdx in _MTEB.split():
            return _HUB_NAMES.get(self.spdx, self.spdx.lower())
        return self.url or "not specified"


def licence_of(attribution: str, declared: str | None = None) -> Licence:
    """Find the licence that a text on attribution or the caller declares.

    A text declares one by a line ``SPDX-License-Identifier: CC0-1.0``. Licences that it mentions
    otherwise may be those of a part or of the file format, so they are left to the reader.

    Args:
        attribution: Licence and credit as given beside the raw data.
        declared: An SPDX identifier given by the caller.

    Raises:
        UsageError: `declared` is no SPDX identifier or contradicts the text.
        DataError: The text names several licences, or one that SPDX does not list.
    """
    found = sorted(set(_TAG.findall(attribution)))
    if len(found) > 1:
        raise DataError(f"the attribution declares {' and '.join(found)}; keep one SPDX identifier")
    stated = None
    if found:
        stated = _canonical(found[0])
        if stated is None:
            raise DataError(f"the attribution declares {found[0]!r}, which SPDX does not list")
    asked = None
    if declared is not None:
        asked = _canonical(declared)
        if asked is None:
            raise UsageError(f"--license {declared!r}: no SPDX identifier, such as CC-BY-4.0")
    if asked and stated and asked != stated:
        raise UsageError(f"--license {asked}: the attribution declares {stated}")
    return Licence(asked or stated, bool(attribution))


def _canonical(identifier: str) -> str | None:
    try:
        canonical = str(canonicalize_license_expression(identifier))
    except InvalidLicenseExpression:
        return None
    # Several licences at once, and those of one's own, have no page and no tag: text tells them.
    return None if " " in canonical or canonical.startswith("LicenseRef-") else canonical
