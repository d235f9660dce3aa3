"""The page: what it says, and how it fares in a real browser."""

import itertools
import re
import shutil
from pathlib import Path

import pytest

from fattree_bench.explore.plot import draw
from fattree_bench.explore.sweep_page import write_sweep_page
from fattree_bench.report.page import heat, write_page
from fattree_bench.report.regression import CodeFile, CodePoint, Group, Picture
from tests.tb.explore import samples as sweeps
from tests.tb.report import samples
from tests.tb.report.browser import (
    SCHEMES,
    WIDTHS,
    check_contrast,
    check_copy,
    check_dark,
    check_document,
    check_no_overflow,
    check_quiet,
    check_tappable,
    looked_at,
    opened,
)

pytestmark = pytest.mark.xdist_group("chromium")  # one browser is enough

SAMPLES = {"rich": samples.rich, "green": samples.green, "empty": samples.empty}
NODE = "source/rtl-common-node.v.html"
PAGES = [*((name, "index.html") for name in SAMPLES), ("rich", NODE)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A page of each sample."""
    root = tmp_path_factory.mktemp("pages")
    for name, make in SAMPLES.items():
        write_page(make(), root / name)
    return root


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def spoilt(path: Path, old: str, new: str) -> Path:
    """A copy of a page, next to it, with something changed."""
    text = text_of(path)
    assert old in text
    copy = path.with_name("spoilt.html")
    copy.write_text(text.replace(old, new), encoding="utf-8")
    return copy


# What it says -------------------------------------------------------------------------------------


def test_documents_are_sound(folders):
    pages = [page for page in folders.glob("**/*.html") if page.name != "spoilt.html"]
    assert len(pages) == 3 + 3 + 3
    for page in pages:
        check_document(page)


def test_unsound_documents_are_seen(folders, tmp_path):
    for name, old, new in (
        ("dead link", f'href="{NODE}"', 'href="source/none.html"'),
        ("dead place", 'href="#claims"', 'href="#none"'),
        ("link to elsewhere", f'href="{NODE}"', 'href="https://example.org/"'),
        ("same id twice", 'id="claims"', 'id="code"'),
        ("tags that cross", "</section>", "</main></section>"),
    ):
        with pytest.raises(AssertionError):
            check_document(spoilt(folders / "rich/index.html", old, new))
            pytest.fail(f"{name} was not seen")  # is no AssertionError
    copy = shutil.copytree(folders / "rich", tmp_path / "copy")
    (copy / NODE).unlink()
    with pytest.raises(AssertionError):
        check_document(copy / "index.html")


def test_order_of_the_sections(folders):
    expected = ["verdict", "failures", "claims", "testplan", "networks"]
    expected += ["functional", "code", "evidence", "tests", "problems"]
    for name in SAMPLES:
        found = re.findall(r'<section[^>]* id="(\w+)"', text_of(folders / name / "index.html"))
        assert found == expected


def test_markup_is_text(folders):
    text = text_of(folders / "rich/index.html")
    assert text.count("<script>") == text.count("</script>") == 1
    assert "&lt;script&gt;window.broken = 1&lt;/script&gt; &amp; &#34;quotes&#34;" in text
    assert "<b>bold" not in text
    assert "an &lt;ordinary&gt; one &amp; two cores" in text
    assert "\x00" not in text
    assert "\x1b" not in text
    source = text_of(folders / "rich" / NODE)
    assert "&lt;never&gt; &amp; never" in source
    assert "&lt;at least one&gt; &amp;" in source


def test_empty_parts_say_so(folders):
    text = text_of(folders / "empty/index.html")
    for words in (
        "No test was run.",
        "No claim is part of this run.",
        "No testpoint is part of this run.",
        "No network was drawn.",
        "Functional coverage was not counted in this run.",
        "Code coverage was not measured in this run.",
    ):
        assert f'<p class="none">{words}</p>' in text
    assert "<table" not in text
    assert "No test failed." in text_of(folders / "green/index.html")
    assert "None: all of the plan was run." in text_of(folders / "green/index.html")


def test_a_log_that_is_not_there_is_no_link(folders):
    text = text_of(folders / "rich/index.html")
    assert "Waves: build/no/such/waves.vcd (not there)" in text
    assert 'waves.vcd"' not in text


def test_large_reports_are_folded(tmp_path):
    write_page(samples.large(), tmp_path)
    text = text_of(tmp_path / "index.html")
    assert len(text) < 2_000_000
    assert text.count("<tr><td><span") > 1000
    assert "13 more failures" in text
    assert '<details class="card fold plan"><summary><h3>lbbvn</h3>' in text  # 60 testpoints
    check_document(tmp_path / "index.html")


@pytest.mark.parametrize(
    "svg",
    [
        "not XML",
        "<p>no SVG</p>",
        "<svg><script>1</script></svg>",
        '<svg><g onclick="1"/></svg>',
        '<svg><image href="https://example.org/a.png"/></svg>',
        '<svg xmlns:x="http://www.w3.org/1999/xlink"><use x:href="a.svg#b"/></svg>',
        "<svg><style>g { fill: url( 'https://example.org/a.svg') }</style></svg>",
        "<svg><style>@import 'a.css';</style></svg>",
    ],
)
def test_pictures_that_need_more_than_themselves_are_refused(svg, tmp_path):
    report = samples.empty()
    report.pictures = [Picture("odd", "", svg)]
    with pytest.raises(ValueError, match="picture 'odd'"):
        write_page(report, tmp_path)


def test_heat_map():
    axes = [("a", ["0", "1"]), ("b", ["x", "y"])]
    group = Group("n", "c", "g", axes, [0, 1, 0, 1_234_567], [True, True, False, True])
    assert heat(group) == [("0", [("h0", "0"), ("h1", "1")]), ("1", [("hx", "×"), ("h4", "1M")])]
    assert heat(Group("n", "c", "g", axes[:1], [0, 1], [True, True])) == []
    wide = [("a", samples.labels(21)), ("b", ["x"])]
    assert heat(Group("n", "c", "g", wide, [0] * 21, [True] * 21)) == []


# Annotated source ---------------------------------------------------------------------------------


def rows_of(path: Path) -> dict[int, str]:
    rows = re.findall(r'<tr id="L(\d+)"(.*?)</tr>', text_of(path), re.DOTALL)
    return {int(number): row for number, row in rows}


def test_lines_are_marked(folders):
    rows = rows_of(folders / "rich" / NODE)
    assert len(rows) == len(samples.code()[0].source)
    states = {number: re.match(r' class="(\w+)"', row) for number, row in rows.items()}
    marked = {number: match[1] for number, match in states.items() if match}
    assert marked == {
        7: "covered",
        8: "partial",
        13: "covered",
        14: "covered",
        15: "covered",
        16: "partial",
        17: "covered",
        18: "missed",
        19: "excluded",
    }
    assert '<td class="hits">123\N{NO-BREAK SPACE}456</td>' in rows[13]
    assert "toggle never seen: valid_i[2]:0-&gt;1" in rows[8]
    assert "and 4 more" in rows[8]
    assert "branch never taken: else" in rows[16]
    assert "expression never hit: (valid_i[1]==1) =&gt; 0" in rows[16]
    assert "line never run" in rows[18]
    assert "line excluded: block — a message that ends the simulation" in rows[19]


def test_a_comment_over_two_lines_is_one(folders):
    rows = rows_of(folders / "rich" / NODE)
    assert all('<span class="p-cm">' in rows[line] for line in (4, 5))


def test_files_of_one_name_have_pages_of_their_own(tmp_path):
    report = samples.empty()
    paths = ["rtl/a b.v", "rtl-a-b.v", "RTL/a/b.v", "../../..", "leer/ä.v"]
    report.code = [CodeFile(path, [f"// {path}"], []) for path in paths]
    write_page(report, tmp_path)
    pages = list((tmp_path / "source").iterdir())
    assert len({page.name.casefold() for page in pages}) == len(paths)
    check_document(tmp_path / "index.html")
    assert all(any(path in text_of(page) for page in pages) for path in paths)


def test_pages_of_earlier_runs_go_away(tmp_path):
    report = samples.rich()
    write_page(report, tmp_path)
    report.code = report.code[:1]
    write_page(report, tmp_path)
    assert [page.name for page in (tmp_path / "source").iterdir()] == [Path(NODE).name]


@pytest.mark.parametrize("source", [[], [""], ["", "", "x"], ["/* open", "still open"], ['"open']])
def test_any_source_keeps_its_lines(source, tmp_path):
    report = samples.empty()
    report.code = [CodeFile("a.v", source, [CodePoint("line", 99, 1, "", 0)])]
    write_page(report, tmp_path)
    assert len(rows_of(tmp_path / "source/a.v.html")) == len(source)


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sample", "page"), PAGES)
def test_page_in_a_browser(browser, folders, sample, page):
    watched = opened(browser, folders / sample / page)
    for width, scheme in itertools.product(WIDTHS, SCHEMES):
        looked_at(watched.page, width, scheme)
        check_no_overflow(watched.page)
        check_contrast(watched.page)
        if width == min(WIDTHS):
            check_tappable(watched.page)
    check_dark(watched.page)
    check_quiet(watched)
    watched.page.context.close()


def test_a_page_of_plots_in_a_browser(browser, tmp_path):
    """The pictures of make explore stood in white frames in the dark."""
    curves = [sweeps.curve({1: sweeps.run()}, ("M",), cost, M=f"2,{cost}") for cost in (72, 100)]
    page = tmp_path / "sweep.html"
    draw(curves, tmp_path, tmp_path / "cache")
    write_sweep_page(page, curves, {"network": "two"}, [])
    watched = opened(browser, page)
    for width, scheme in itertools.product(WIDTHS, SCHEMES):
        looked_at(watched.page, width, scheme)
        check_no_overflow(watched.page)
        check_contrast(watched.page)
    check_dark(watched.page)
    check_quiet(watched)
    watched.page.add_style_tag(content="figure { background: #fff !important }")
    with pytest.raises(AssertionError, match=r"light in the dark.*figure"):
        check_dark(watched.page)
    watched.page.context.close()


def test_markup_does_not_run(browser, folders):
    page = opened(browser, folders / "rich/index.html").page
    assert page.evaluate("typeof window.broken") == "undefined"
    messages = page.locator(".message").all_inner_texts()
    assert samples.MARKUP in messages
    page.context.close()


def test_what_is_too_wide_is_seen(browser, folders):
    wide = '<div style="width: calc(100vw + 1px)">wide</div></main>'
    for path in ("green/index.html", f"rich/{NODE}"):
        page = opened(browser, spoilt(folders / path, "</main>", wide)).page
        for width, scheme in itertools.product(WIDTHS, SCHEMES):
            looked_at(page, width, scheme)
            with pytest.raises(AssertionError, match="pixels wide"):
                check_no_overflow(page)
        page.context.close()


def test_what_is_too_low_to_tap_is_seen(browser, folders):
    page = opened(browser, folders / "rich/index.html").page
    looked_at(page, min(WIDTHS), "light")
    page.add_style_tag(content="button { min-height: 0 !important }")
    with pytest.raises(AssertionError, match=r"too low to tap.*<button"):
        check_tappable(page)
    page.context.close()


def test_complaints_are_seen(browser, folders):
    for fault in (
        "<script>nowhere()</script>",
        "<script>console.error('no')</script>",
        '<img src="https://example.invalid/a.png">',
        '<link rel="stylesheet" href="http://127.0.0.1:9/a.css">',
    ):
        path = spoilt(folders / "empty/index.html", "</main>", f"{fault}</main>")
        watched = opened(browser, path)
        with pytest.raises(AssertionError):
            check_quiet(watched)
        watched.page.context.close()


def test_poor_contrast_is_seen(browser, folders):
    page = opened(browser, folders / "rich/index.html").page
    for scheme, rule in itertools.product(
        SCHEMES,
        (
            "body { color: #888 }",
            ".muted { color: #888 }",
            ".badge.good { color: #888 }",
            ".message { background: #888 }",
            ".hx { color: rgb(128 128 128 / 60%) }",
        ),
    ):
        looked_at(page, 1280, scheme)
        check_contrast(page)
        style = page.add_style_tag(content=rule)
        with pytest.raises(AssertionError):
            check_contrast(page)
        style.evaluate("(node) => node.remove()")
    page.context.close()


NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });"
NO_COPY = f"{NO_CLIPBOARD} document.execCommand = () => false;"


@pytest.mark.parametrize(("before", "pasted"), [("", True), (NO_CLIPBOARD, True), (NO_COPY, False)])
def test_copy_button(browser, folders, before, pasted):
    watched = opened(browser, folders / "rich/index.html", before=before)
    check_copy(watched.page, samples.REPLAY, pasted)
    check_quiet(watched)
    watched.page.context.close()


def test_a_button_that_copies_something_else_is_seen(browser, folders):
    path = spoilt(folders / "rich/index.html", "node.textContent", "'something else'")
    page = opened(browser, path).page
    with pytest.raises(AssertionError):
        check_copy(page, samples.REPLAY)
    page.context.close()


def test_paper_has_all_but_the_long_lists(browser, folders):
    page = opened(browser, folders / "rich/index.html").page
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = false })")
    page.emulate_media(media="print")
    page.pdf()
    assert page.locator("details:not(.long):not([open])").count() == 0
    assert page.locator("details.long[open]").count() == 0
    assert page.locator("button:visible").count() == 0
    page.context.close()


def test_without_scripts_nothing_is_lost(browser, folders):
    """No filter box that does nothing, all tests in their table."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folders / "rich/index.html").as_uri())
    page.locator("summary", has_text="All 109 tests").click()
    assert page.locator("#filter:visible").count() == 0
    assert page.locator("#all-tests tbody tr:visible").count() == len(samples.rich().tests)
    context.close()
