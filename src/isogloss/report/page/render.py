"""The page as one HTML file that loads nothing: style and script stand inside, named by hash."""

import base64
import hashlib
from pathlib import Path
from typing import Any

from isogloss.report.page.names import meanings

FOLDER = Path(__file__).parent
TEMPLATES = FOLDER / "templates"


def render(content: dict[str, Any]) -> str:
    """Fill the template. Every value is escaped: text from data is never markup.

    Args:
        content: From `page_content`.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style = _read("style.css")
    script = _read("page.js")
    # The two files of this package alone are put in as they are; they hold no data.
    page = environment.get_template("page.html").render(
        **content,
        meanings=meanings,
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=policy(style, script),
    )
    return "\n".join(line.rstrip() for line in page.split("\n") if line.strip()) + "\n"


def policy(style: str, script: str) -> str:
    """A content security policy that allows this very style and script, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _read(name: str) -> str:
    # Blank lines go, as they do in the page, so that the hashes hold.
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip()) + "\n"


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
