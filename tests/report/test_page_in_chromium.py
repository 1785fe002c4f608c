"""The page in a real browser: quiet, closed, sortable, readable in the dark, on paper and alone."""

import shutil
from collections.abc import Iterator

import pytest

from isogloss.report.page.content import page_content
from isogloss.report.page.render import render

from .page_sample import sample

pytest.importorskip("selenium", reason="selenium is not installed")

from .browser import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("chromium") and shutil.which("chromedriver")),
        reason="Chromium is not installed (Debian: chromium, chromium-driver)",
    ),
]

# The contrast of every text that is shown, against the first opaque ground behind it; WCAG 2.
CONTRAST = """
const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255;
  return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const parts = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const seen = [];
for (const element of document.querySelectorAll('body *')) {
  const own = Array.from(element.childNodes).some((n) => n.nodeType === 3 && n.data.trim());
  const box = element.getBoundingClientRect();
  if (!own || !box.width || !box.height) continue;
  if (element.closest('.unseen, .skip, option, title, desc')) continue;
  const style = getComputedStyle(element);
  const svg = element.ownerSVGElement;
  let behind = svg || element, ground = [];
  for (; behind; behind = behind.parentElement) {
    ground = parts(getComputedStyle(behind).backgroundColor);
    if (ground.length === 3 || ground[3] === 1) break;
  }
  if (!behind) ground = [255, 255, 255];
  const [a, b] = [light(parts(svg ? style.fill : style.color).slice(0, 3)),
                  light(ground.slice(0, 3))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  seen.push([Math.round(ratio * 100) / 100, element.tagName, element.className.baseVal
    ?? element.className, element.textContent.trim().slice(0, 40)]);
}
return seen.sort((x, y) => x[0] - y[0]);
"""
COLUMN = """
const rows = document.querySelectorAll(`${arguments[0]} tbody tr`);
return Array.from(rows).map((row) => row.cells[arguments[1]].dataset.v ?? row.cells[0].textContent);
"""
SHOWN = "return document.querySelector(arguments[0]).getClientRects().length > 0"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    page = tmp_path_factory.mktemp("page") / "index.html"
    page.write_text(render(page_content(sample())[0]), encoding="utf-8")
    opened = Browser(page)
    try:
        yield opened
    finally:
        opened.driver.quit()


def test_it_says_nothing_and_asks_nobody(browser: Browser) -> None:
    browser.messages(), browser.requests()
    browser.open()
    browser.choose("#pick-target", "all")
    browser.choose("#price", "0.01")
    assert browser.messages() == []
    assert set(browser.requests()) <= {browser.address}


def test_the_policy_stops_what_is_slipped_in(browser: Browser) -> None:
    browser.open()
    browser.messages(), browser.requests()
    browser.run(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"http://127.0.0.1:9/x.png\">')"
    )
    browser.run("const s = document.createElement('script'); s.textContent = 'window.sneaked = 1';"
                "document.body.append(s)")  # fmt: skip
    assert browser.run("return window.sneaked === undefined")
    told = " ".join(message["message"] for message in browser.messages())
    assert "Content Security Policy" in told
    assert browser.requests() == {"http://127.0.0.1:9/x.png": "csp"}


def test_columns_sort_both_ways_with_words_last(browser: Browser) -> None:
    browser.open()
    heading = "#t-recall-first th.c-recall_at_10_same button"
    press = "document.querySelector(arguments[0]).click()"
    browser.run(press, heading)
    down = [float(value) for value in browser.run(COLUMN, "#t-recall-first", 1)]
    assert down == sorted(down, reverse=True)
    state = "return document.querySelector(arguments[0]).closest('th').getAttribute('aria-sort')"
    assert browser.run(state, heading) == "descending"
    browser.run(press, heading)
    assert browser.run(state, heading) == "ascending"
    up = [float(value) for value in browser.run(COLUMN, "#t-recall-first", 1)]
    assert up == sorted(up)
    # Under two heading rows, a heading of the second one sorts its own column.
    browser.run(press, "#t-depth-first th.c-k80_cross button")
    cells = browser.run(COLUMN, "#t-depth-first", 2)
    numbers = [int(cell) for cell in cells if cell.isdigit()]
    assert numbers == sorted(numbers, reverse=True)
    assert all(not cell.isdigit() for cell in cells[len(numbers) :])


def test_picking_a_benchmark_and_a_model_leaves_them_alone(browser: Browser) -> None:
    browser.open()
    assert browser.run(SHOWN, "#t-recall-first")
    assert not browser.run(SHOWN, "#t-recall-second")
    browser.choose("#pick-target", "second")
    browser.choose("#pick-model", "fair")
    assert browser.run(SHOWN, "#t-recall-second")
    assert not browser.run(SHOWN, "#t-recall-first")
    assert browser.run(SHOWN, "#t-routes-second-fair")
    assert not browser.run(SHOWN, "#t-routes-second-good")
    assert browser.run(SHOWN, "#t-slices-second-fair")
    assert browser.run("return document.querySelector('#shown').textContent") == (
        "Showing second; models: fair."
    )
    browser.choose("#pick-target", "pool-both")
    assert browser.run(SHOWN, "#t-depth-pool-both")


def test_picking_a_route_leaves_its_rows(browser: Browser) -> None:
    browser.open()
    rows = "return Array.from(document.querySelectorAll('#t-all-routes-first tbody tr'))"
    rows += ".filter((r) => r.getClientRects().length)"
    rows += ".map((r) => [r.dataset.source, r.dataset.target])"
    browser.choose(".panel:not([hidden]) .pick-source", "de")
    assert {source for source, _ in browser.run(rows)} == {"de"}
    browser.choose(".panel:not([hidden]) .pick-route-target", "zh")
    assert browser.run(rows) == [["de", "zh"]]
    browser.choose(".panel:not([hidden]) .pick-source", "")
    assert {target for _, target in browser.run(rows)} == {"zh"}


def test_a_price_becomes_a_cost(browser: Browser) -> None:
    browser.open()
    reading = next(
        need.reading
        for need in sample().needs
        if (need.target, need.model, need.reading.coverage) == ("first", "good", 0.8)
    )
    assert reading.depth is not None
    browser.choose("#price", "0.5")
    cell = "return document.querySelector('#t-budget-first tr[data-model=good]').cells[2]"
    text = browser.run(f"{cell}.querySelector('.cost').textContent")
    assert text.startswith(f"{reading.depth * 500:,} [")
    gated = "document.querySelector('#t-budget-first tr[data-model=blind]').cells[2]"
    assert browser.run(f"return {gated}.textContent").strip() == "gated"
    browser.choose("#price", "")
    assert browser.run("return document.querySelectorAll('.cost').length") == 0


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_text_stands_out(browser: Browser, dark: bool, width: int) -> None:
    browser.open(width, dark=dark)
    browser.choose("#pick-target", "all")
    browser.choose("#pick-model", "good")
    found = browser.run(CONTRAST)
    assert len(found) > 500
    assert found[0][0] >= 4.5, found[:5]


def test_dark_is_dark(browser: Browser) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    browser.open(dark=True)
    dark = browser.run(ground)
    browser.open()
    assert dark != browser.run(ground)


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
@pytest.mark.parametrize("script", [True, False])
def test_nothing_is_wider_than_the_window(browser: Browser, width: int, script: bool) -> None:
    browser.open(width, script=script)
    size = browser.command("Page.getLayoutMetrics")
    assert size["cssContentSize"]["width"] == width


@pytest.mark.parametrize("width", [320, 390])
def test_a_long_name_among_the_choices_widens_nothing(browser: Browser, width: int) -> None:
    browser.open(width)
    name = "google-patents-llm.without-machine-translated"
    browser.run("document.querySelector('#pick-target').add(new Option(arguments[0]))", name)
    assert browser.run("return document.querySelector('#pick-target').offsetWidth") > 200
    size = browser.command("Page.getLayoutMetrics")
    assert size["cssContentSize"]["width"] == width


def test_without_script_everything_is_there(browser: Browser) -> None:
    browser.open(script=False)
    # The page's own script is off; the debugger's is not.
    browser.command("Emulation.setScriptExecutionDisabled", value=False)
    for table in ("#t-recall-first", "#t-recall-second", "#t-routes-second-blind"):
        assert browser.run(SHOWN, table)
    assert not browser.run(SHOWN, ".pickers")
    assert browser.run("return document.querySelectorAll('thead button').length") == 0


def test_paper_holds_every_benchmark_and_no_controls(browser: Browser) -> None:
    browser.open(media="print")
    for table in ("#t-recall-first", "#t-recall-second", "#t-budget-pool-both"):
        assert browser.run(SHOWN, table)
    for control in (".pickers", ".contents", ".files", ".price-form"):
        assert not browser.run(SHOWN, control)
    hidden = "return document.querySelectorAll('#t-all-routes-first tr[hidden]').length"
    assert browser.run(hidden) > 0
    rows = "return Array.from(document.querySelectorAll('#t-all-routes-first tbody tr'))"
    assert browser.run(f"{rows}.every((row) => row.getClientRects().length > 0)")
    assert browser.pdf().startswith(b"%PDF")


def test_a_screen_reader_is_told_names(browser: Browser) -> None:
    browser.open()
    kinds = {
        "select": "combobox", "input": "spinbutton", "nav": "navigation", "main": "main",
        ".chart svg[role]": "image", ".map": "image", "#leaderboard table": "table",
        "#leaderboard .scroll": "region", "#leaderboard thead button": "button",
    }  # fmt: skip
    for selector, role in kinds.items():
        found = browser.driver.find_elements("css selector", selector)
        assert found, selector
        shown = [element for element in found if element.is_displayed()]
        assert shown, selector
        for element in shown[:6]:
            assert element.aria_role in (role, "img" if role == "image" else role)
            assert role == "main" or element.accessible_name.strip(), selector
    assert browser.run("return document.documentElement.lang") == "en"


def test_the_keyboard_reaches_and_works_everything(browser: Browser) -> None:
    browser.open()
    order = browser.run(
        "return Array.from(document.querySelectorAll('a, button, select, input, summary,"
        " [tabindex]')).filter((e) => e.tabIndex < 0 || e.tabIndex > 0 && e.tabIndex !== 0).length"
    )
    assert order == 0
    scrolled = browser.run(
        "return Array.from(document.querySelectorAll('.scroll')).every((e) => e.tabIndex === 0)"
    )
    assert scrolled
