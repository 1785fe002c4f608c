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


def latex_table(rows: Sequence[Sequence[str]], caption: str, label: str, left: int = 1) -> str:
    """A booktabs table: the first row is the heading, the first columns stand left.

    Args:
        rows: Cells as plain text.
        caption: Plain text.
        label: For references.
        left: How many columns stand left.
    """
    heading, *body = [" & ".join(latex_text(cell) for cell in row) + r" \\" for row in rows]
    lines = [
        r"\begin{table}",
        rf"\caption{{{latex_text(caption)}}}",
        rf"\label{{{label}}}",
        r"\begin{tabular}{" + "l" * left + "r" * (len(rows[0]) - left) + "}",
        r"\toprule",
        heading,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"
