"""The judge against experts on the same replies, language by language."""

from collections.abc import Mapping, Sequence
from typing import Any

from isogloss.medical.verdicts import DIMENSIONS
from isogloss.report.layout.figures import CROSS, FAINT, INK, SAME, new_figure, save, style
from isogloss.report.medical.medical_style import Scale, beside, in_order, mark

PANELS = (
    ("within_one", "within one point (%)", Scale(100, 1, 0, 100, "", "", ""), SAME),
    ("concordance", "concordance (Lin)", Scale(1, 2, -1, 1, "", "", ""), SAME),
    ("difference", "judge − expert, overall", Scale(1, 2, -2, 2, "", "", ""), CROSS),
)


def expert_agreement(agreement: Mapping[str, Any], title: str, notes: Sequence[str] = ()) -> bytes:
    """Draw agreement by language: share within one point, concordance, and who is stricter.

    Args:
        agreement: ``agreement`` of scores.json: sections by language.
        title: What is shown.
        notes: Sentences to put below.

    Returns:
        A PNG.
    """
    languages = in_order(agreement)
    with style():
        figure = new_figure(10.4, 0.42 * len(languages) + 2.2)
        grid = figure.subplots(1, len(PANELS), sharey=True, squeeze=False)
        for axes, (name, heading, scale, colour) in zip(grid[0], PANELS, strict=True):
            low, high = scale.low, scale.high
            for place, language in enumerate(languages):
                section = agreement[language]
                found = section["overall"][name] if name == "difference" else section[name]
                mark(
                    axes, 0, place, found, scale, upright=False, color=colour, marker="o",
                    markersize=5,
                )  # fmt: skip
                words = scale.ranged(found, "+" if name == "difference" else "")
                beside(axes, place, 7, words, color=FAINT if found["value"] is None else INK)
            axes.set_title(heading, fontsize=9)
            axes.set_xlim(low, high)
            axes.grid(axis="x")
            if low < 0:
                axes.axvline(0, color=FAINT, linewidth=0.8)
            axes.set_ylim(len(languages) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
        names = [f"{code} (n={agreement[code]['n']})" for code in languages]
        grid[0][0].set_yticks(range(len(languages)), names)
        return save(
            figure,
            title,
            [
                *notes,
                "n: replies scored by the judge and by at least one expert; several experts are"
                " averaged first. Over each reply's overall score, the mean of five dimensions.",
                "Lines: 95% intervals over items; - stands for what is not estimable.",
            ],
        )


def agreement_cells(agreement: Mapping[str, Any]) -> list[list[str]]:
    """The table of the figure, with the difference in every dimension: a heading, then rows."""
    share, other = PANELS[0][2], PANELS[1][2]
    heading = ["language", "n", "within one (%)", "concordance", "overall"]
    rows = [[*heading, *(name.replace("_", " ") for name in DIMENSIONS)]]
    for language in in_order(agreement):
        section = agreement[language]
        rows.append(
            [
                language,
                str(section["n"]),
                share.ranged(section["within_one"]),
                other.ranged(section["concordance"]),
                other.ranged(section["overall"]["difference"], "+"),
                *(
                    other.ranged(section["dimensions"][name]["difference"], "+")
                    for name in DIMENSIONS
                ),
            ]
        )
    return rows
