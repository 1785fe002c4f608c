"""What a corpus is about: its most frequent classification codes."""

from collections.abc import Sequence

from matplotlib.ticker import StrMethodFormatter

from isogloss.report.layout.figures import SAME, new_figure, save, style

MOST = 25


def code_bars(
    counts: Sequence[tuple[str, int]], n_documents: int, title: str, notes: Sequence[str] = ()
) -> bytes:
    """Draw the most frequent classes, at most 25.

    Args:
        counts: Class and number of documents; a document counts once per class.
        n_documents: Documents of the corpus.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    rows = sorted(counts, key=lambda item: (-item[1], item[0]))[:MOST]
    with style():
        figure = new_figure(6.4, 0.21 * max(len(rows), 3) + 1.5)
        axes = figure.subplots()
        axes.barh(range(len(rows)), [count for _, count in rows], height=0.72, color=SAME)
        largest = max((count for _, count in rows), default=1)
        for place, (_, count) in enumerate(rows):
            text = f"{count:,} ({count / n_documents:.0%})"
            axes.text(count + largest * 0.01, place, text, va="center", fontsize=7)
        axes.set_yticks(range(len(rows)), [code for code, _ in rows], fontsize=8)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(0, largest * 1.18)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(f"documents (n = {n_documents:,}; one counts once per class)")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.grid(axis="x")
        return save(figure, title, notes)
