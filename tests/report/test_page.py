"""The page's markup: whole, escaped, labelled, and closed against the network."""

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise

import lxml.html
import pytest

from isogloss.report.page.content import page_content
from isogloss.report.page.render import render

from .page_sample import sample

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def html() -> str:
    return render(page_content(sample())[0])


@pytest.fixture(scope="module")
def tree(html: str) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(html)


def test_the_same_results_give_the_same_bytes(html: str) -> None:
    assert render(page_content(sample())[0]) == html


def test_every_table_names_its_rows_and_columns(tree: lxml.html.HtmlElement) -> None:
    tables = tree.xpath("//table")
    assert len(tables) > 20
    for table in tables:
        (caption,) = table.xpath("./caption")
        assert caption.text_content().strip()
        assert not table.xpath(".//th[not(@scope)]")
        widths = {
            sum(int(cell.get("colspan", 1)) for cell in row) for row in table.xpath("./tbody/tr")
        }
        assert len(widths) == 1
        # Both heading rows together are as wide as the rows below them.
        first, *second = table.xpath("./thead/tr")
        across = sum(int(cell.get("colspan", 1)) for cell in first)
        assert {across} == widths
        if second:
            grouped = sum(int(cell.get("colspan", 1)) for cell in first.xpath("./th[@colspan]"))
            assert len(second[0]) == grouped
            assert not first.xpath("./th[not(@colspan) and not(@rowspan)]")
        assert all(row.xpath("./th[@scope='row']") for row in table.xpath("./tbody/tr"))


def test_ids_are_unique_and_links_lead_somewhere(tree: lxml.html.HtmlElement) -> None:
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    for target in tree.xpath("//@href[starts-with(., '#')]"):
        assert target[1:] in ids
    for labels in tree.xpath("//@aria-labelledby"):
        assert set(labels.split()) <= set(ids)


def test_files_linked_to_are_those_that_are_written(tree: lxml.html.HtmlElement) -> None:
    from isogloss.report.page.table import files

    written = files(page_content(sample())[1])
    linked = {link.removeprefix("tables/") for link in tree.xpath("//@href[contains(., '/')]")}
    assert linked <= set(written)
    # The whole plan is in no section, but beside the page.
    assert set(written) - linked == {"plan.csv", "plan.tex"}


def test_a_model_is_drawn_alike_on_every_benchmark() -> None:
    gathered = sample()
    first, *others = gathered.targets
    # One model fewer: the others keep their looks.
    fewer = replace(first, evaluated=[e for e in first.evaluated if e.model != "blind"])
    content, _ = page_content(replace(gathered, targets=[fewer, *others]))
    looks = {(line.model, line.look) for p in content["panels"] for line in p.chart.lines}
    assert len(looks) == len({model for model, _ in looks})
    assert len({look for _, look in looks}) == len(looks)


def test_headings_have_no_gaps(tree: lxml.html.HtmlElement) -> None:
    levels = [int(heading.tag[1]) for heading in tree.xpath("//h1|//h2|//h3|//h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_policy_allows_this_style_and_script_alone(html: str) -> None:
    policy = re.search(r'Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    allowed = policy[1].replace("&#39;", "'").replace("&#43;", "+")
    assert "default-src 'none'" in allowed
    assert "unsafe" not in allowed
    for tag in ("style", "script"):
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", html, flags=re.DOTALL)
        assert len(found) == 1
        digest = base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in allowed


def test_nothing_points_to_a_network(tree: lxml.html.HtmlElement) -> None:
    for address in tree.xpath("//@href|//@src|//@action|//@data|//@poster|//@srcset"):
        assert address.startswith(("#", "tables/"))
    assert not tree.xpath("//link|//iframe|//object|//embed|//base|//img|//*[@style]")
    assert not [name for name in tree.xpath("//@*") if str(name).lower().startswith("javascript:")]


def test_text_from_data_is_never_markup() -> None:
    gathered = sample()
    first, *others = gathered.targets
    slices = [{**row, "value": HOSTILE} for row in first.evaluated[0].slices]
    changed = replace(first.evaluated[0], slices=slices)
    target = replace(
        first,
        evaluated=[changed, *first.evaluated[1:]],
        remarks=[HOSTILE],
        card=f"## How it was made\n\n{HOSTILE}\n",
    )
    declarations = {"good": {"kind": "hub", "name": HOSTILE, "licence": HOSTILE}}
    page = render(
        page_content(replace(gathered, targets=[target, *others], declarations=declarations))[0]
    )
    tree = lxml.html.document_fromstring(page)
    assert HOSTILE in tree.text_content()
    assert len(tree.xpath("//script")) == 1
    assert not tree.xpath("//img|//*[@onerror]")


def test_published_figures_stand_apart_from_measured_ones(tree: lxml.html.HtmlElement) -> None:
    (table,) = tree.xpath("//table[@id='t-published-chemclir']")
    groups = [cell.text_content() for cell in table.xpath(".//th[@scope='colgroup']")]
    assert all(name.startswith(("published: ", "measured here: ")) for name in groups)
    # "good" is declared as bge-m3 of the hub, so it alone is measured.
    assert [name for name in groups if name.startswith("measured")] == [
        "measured here: first",
        "measured here: second",
    ]
    rows = {row.xpath("./th")[0].text_content(): row for row in table.xpath("./tbody/tr")}
    assert [model for model, row in rows.items() if row.xpath("./td[@data-low]")] == ["bge-m3"]
    assert rows["bge-m3"].xpath("./td")[0].text_content() == "0.64"


def test_a_page_without_measured_twins_says_so() -> None:
    page = render(page_content(replace(sample(), declarations={}))[0])
    assert "None of these models was measured in this run" in page
    assert "measured here: first" not in page


def test_without_medical_results_the_section_says_so(html: str) -> None:
    assert "results/medical/scores.json</code> does not exist" in html
