"""Pages as a reader uses them: tests are sorted and chosen, predicted losses look predicted."""

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from playwright.sync_api import Browser, Page

from fattree_bench.report.history import draw
from fattree_bench.report.items import found_in
from fattree_bench.report.markdown import markdown
from fattree_bench.report.page import write_page
from fattree_bench.report.part import concerned, whole
from fattree_bench.report.summary import figures
from tests.tb.report import samples
from tests.tb.report.browser import check_no_overflow, check_quiet, check_tappable, opened
from tests.tb.report.test_history import made

pytestmark = pytest.mark.xdist_group("chromium")


def test_a_part_of_a_tier_lists_only_what_it_is_about() -> None:
    report = samples.rich()
    assert whole(report)
    every = {row.item.number for part in concerned(report, found_in(report)) for row in part.rows}
    report.command += " NETWORK=lbbvn"
    own = [row for part in concerned(report, found_in(report)) for row in part.rows]
    assert {row.item.number for row in own} < every
    assert own and all(row.claims or row.tests[1] for row in own)


def test_no_card_is_empty(tmp_path: Path) -> None:
    report = samples.rich()
    report.code = []
    write_page(report, tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert text.count('<div class="figure">') == 4 and "No code coverage in this run." in text
    assert "No code coverage in this run." in markdown(report)


def test_coverage_says_what_is_enough() -> None:
    report = samples.rich()
    notes = {figure.label: figure.note for figure in figures(report)}
    assert "goals apply to whole tiers only" in notes["toggles"]
    report.goals = {"toggle": 98}
    notes = {figure.label: figure.note for figure in figures(report)}
    assert "goal: 98 %" in notes["toggles"] and "no goal" in notes["lines"]


def test_one_regression_has_an_axis_of_its_own(tmp_path: Path) -> None:
    """Of whole numbers across; of nothing above 100 % and below 0 up."""
    for passed in (0.0, 50.0, 100.0):
        draw([made(1, passed=passed)], tmp_path / "h.svg", tmp_path / "cache")
        ticks = re.findall(r">([−\d.]+)</text>", (tmp_path / "h.svg").read_text())
        across, up = ticks[:1], [float(tick.replace("−", "-")) for tick in ticks[1:]]
        assert across == ["1"] and max(up) == 100 and min(up) >= 0, ticks


def column(page: Page, number: int) -> list[str]:
    return page.locator(f"#all-tests tbody tr:visible td:nth-child({number})").all_inner_texts()


def test_tests_are_sorted_and_chosen(browser: Browser, tmp_path: Path) -> None:
    report = samples.rich()
    write_page(report, tmp_path)
    watched = opened(browser, tmp_path / "index.html")
    page = watched.page
    failed = sum(not test.passed for test in report.tests)
    assert column(page, 1) == ["FAIL"] * failed + ["pass"] * (len(report.tests) - failed)
    times = page.locator("#all-tests thead button", has_text="Time")
    for reverse in (False, True):
        times.click()
        keys = page.locator("#all-tests tbody td:last-child").evaluate_all(
            "(cells) => cells.map((cell) => Number(cell.dataset.key))"
        )
        assert keys == sorted(keys, reverse=reverse)
    page.select_option("select[data-column='4']", "icarus")
    page.select_option("select[data-column='0']", "FAIL")
    chosen = sum(not test.passed and test.sim == "icarus" for test in report.tests)
    assert column(page, 5) == ["icarus"] * chosen
    assert page.locator("#shown").inner_text() == f"{chosen} of {len(report.tests)} shown"
    page.set_viewport_size({"width": 360, "height": 900})
    check_tappable(page)
    check_no_overflow(page)
    check_quiet(watched)
    page.context.close()


def check_filter(page: Page, words: str, expected: int, of: int) -> None:
    page.locator("#filter").fill(words)
    shown = page.locator("#all-tests tbody tr:visible")
    assert shown.count() == expected
    assert page.locator("#shown").inner_text() == f"{expected} of {of} shown"


def test_filter(browser: Browser, tmp_path: Path):
    report = samples.rich()
    many = len(report.tests)
    failed = sum(1 for t in report.tests if not t.passed and t.sim == "icarus")
    write_page(report, tmp_path)
    page = opened(browser, tmp_path / "index.html").page
    check_filter(page, "", many, many)
    check_filter(page, "  FAIL icarus ", failed, many)
    check_filter(page, "überlauf", sum(t.scenario == "überlauf" for t in report.tests), many)
    check_filter(page, "no such test", 0, many)
    page.context.close()


def test_a_filter_that_does_nothing_is_seen(browser: Browser, tmp_path: Path):
    write_page(samples.rich(), tmp_path)
    path = tmp_path / "index.html"
    path.write_text(path.read_text().replace('addEventListener("input"', 'addEventListener("x"'))
    page = opened(browser, path).page
    with pytest.raises(AssertionError):
        check_filter(page, "icarus fail", 1, 109)
    page.context.close()


# Pixels of the drawing that have a colour of the page.
DRAWN = """(name) => {
  const hex = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const rgb = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)), c = player.drawing.canvas;
  const data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += rgb.every((v, k) => data[i + k] === v);
  return count;
}"""


@pytest.mark.usefixtures("icarus")
def test_predicted_losses_look_predicted(
    browser: Browser, tmp_path: Path, tb_cli: Callable[..., CompletedProcess[str]]
) -> None:
    """Not red, as what is wrong is: that the same loss were a fault would be seen."""
    test = ("NETWORK=lbbvn", "N=8", "TEST=rotators", "SIM=icarus", "INSIDE=0", "OPEN=0")
    assert tb_cli("show", *test, f"BUILD={tmp_path}").returncode == 0
    page = browser.new_page()
    page.goto((tmp_path / "show" / "lbbvn-rotators-1.html").as_uri())
    page.wait_for_function("window.ready === true")
    page.evaluate("player.jump('lost', 1)")
    assert page.evaluate(DRAWN, "lost") > 0 and page.evaluate(DRAWN, "bad") == 0
    assert page.locator("#now tr.lost").count() > 0 and page.locator("#now tr.odd").count() == 0
    page.evaluate("scene.kinds.forEach((kind) => { kind[1] = true }); player.resize()")
    assert page.evaluate(DRAWN, "bad") > 0 and page.locator("#now tr.odd").count() > 0
    page.close()
