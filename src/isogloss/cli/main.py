"""The entry point: every verb in one app, expected failures as one line, and exit codes."""

import sys
import traceback
from contextlib import suppress
from typing import Annotated

import typer

from isogloss import __version__
from isogloss.cli import (
    audit,
    data,
    evaluation,
    medical,
    medical_models,
    review,
    versions,
    workspace,
)
from isogloss.errors import IsoglossError
from isogloss.foreign_text import message_line
from isogloss.write_faults import os_fault

# What shells expect of a command that Ctrl-C ended: 128 and the signal's number.
INTERRUPTED = 130

app = typer.Typer(
    help="Measures where a model stops understanding when the language changes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
data.register(app)
evaluation.register(app)
versions.register(app)
audit.register(app)
medical.register(app)
medical_models.register(medical.medical)
review.register(medical.medical)
audit.register_medical(medical.medical)
workspace.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"isogloss {__version__}")
        raise typer.Exit


@app.callback()
def options(
    _debug: Annotated[
        bool, typer.Option("--debug", help="Add the traceback to an error.", is_eager=True)
    ] = False,
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Measures where a model stops understanding when the language changes."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit.

    0: done. 1: the data or the run failed. 2: the call was wrong. 130: interrupted.
    """
    given = sys.argv[1:] if arguments is None else arguments
    # --debug is taken wherever it stands, because it is added when something has just gone wrong.
    debug = "--debug" in given
    try:
        app([argument for argument in given if argument != "--debug"], prog_name="isogloss")
    except SystemExit as end:
        # typer ends with this code where it meets Ctrl-C itself.
        if end.code == INTERRUPTED:
            _say_interrupted()
        raise
    except KeyboardInterrupt:
        _say_interrupted()
        sys.exit(INTERRUPTED)
    except IsoglossError as error:
        if debug:
            traceback.print_exc()
        typer.echo(f"isogloss: {error}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        # A full disk or a read-only folder is the machine's state, not a defect to trace.
        if isinstance(error, BrokenPipeError):
            _close_quietly()
        if debug:
            traceback.print_exc()
        typer.echo(f"isogloss: {message_line(os_fault(error))}", err=True)
        sys.exit(1)


def _say_interrupted() -> None:
    # After the shell's ^C, on a line of its own; output may be gone with the terminal.
    with suppress(OSError):
        typer.echo(
            "\nisogloss: interrupted; what is written is whole: run it again to go on", err=True
        )


def _close_quietly() -> None:
    """End without noise when the reader of our output (head, less) went away."""
    sys.stderr.close()
    sys.exit(0)
