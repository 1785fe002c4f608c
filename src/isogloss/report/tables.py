"""Tables of cells as LaTeX."""

from collections.abc import Sequence

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "±": r"$\pm$",
}


def latex_text(text: str) -> str:
    """Text with everything that LaTeX would read as a command spelled out."""
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


def latex_table(rows: Sequence[Sequence[str]], caption: str, label: str) -> str:
    """A booktabs table: the first row is the heading, the first column stands left.

    Args:
        rows: Cells as plain text.
        caption: Plain text.
        label: For references.
    """
    heading, *body = [" & ".join(latex_text(cell) for cell in row) + r" \\" for row in rows]
    lines = [
        r"\begin{table}",
        rf"\caption{{{latex_text(caption)}}}",
        rf"\label{{{label}}}",
        r"\begin{tabular}{l" + "r" * (len(rows[0]) - 1) + "}",
        r"\toprule",
        heading,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"
