"""The Markdown summary, read back by a Markdown parser; and the figures that it shares."""

import re

import pytest
from markdown_it import MarkdownIt

from fattree_bench.report import markdown as module
from fattree_bench.report.markdown import MOST, markdown, write_markdown
from fattree_bench.report.summary import figures, group_sums, holes, reasons, uncovered_code
from fattree_bench.words import duration, moment, number, percent
from tests.tb.report import samples

SAMPLES = {"rich": samples.rich, "green": samples.green, "empty": samples.empty}


def tokens(text):
    """All tokens, those within a line too."""
    found = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        found += [token, *(token.children or [])]
    return found


def check_plain(text):
    """Nothing of a message has become markup."""
    kinds = {token.type for token in tokens(text)}
    assert not kinds & {"html_block", "html_inline", "link_open", "em_open", "s_open", "image"}
    strong = re.findall(r"\*\*(.*?)\*\*", text)
    assert set(strong) <= {"FAIL", "fails; expected: holds"}


def codes(text):
    return [token.content for token in tokens(text) if token.type == "code_inline"]


@pytest.mark.parametrize("make", SAMPLES.values(), ids=SAMPLES)
def test_summary(make, tmp_path):
    report = make()
    text = markdown(report)
    check_plain(text)
    assert text.startswith(f"# {'PASS' if report.passed else 'FAIL'}: {report.tier} regression\n")
    assert [t.tag for t in tokens(text) if t.type == "heading_open"].count("h1") == 1
    write_markdown(report, tmp_path / "summary.md")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == text


def test_summary_of_failures():
    report = samples.rich()
    found = codes(markdown(report))
    for bucket in report.buckets:
        assert bucket.message in found
        assert bucket.replay in found
    assert "## Failures" not in markdown(samples.green())


def test_markup_is_escaped(monkeypatch):
    report = samples.rich()
    report.problems = [samples.MARKUP, "_a_ __b__ [c](d) ~~e~~ &lt; \\* ![f](g)", "# no heading"]
    report.tests[0].network = "a|b"
    report.testpoints[0].name = "a|b `c|d`"
    text = markdown(report)
    check_plain(text)
    words = [token.content for token in tokens(text) if token.type == "inline"]
    flat = " ".join("".join(c.content for c in t.children) for t in tokens(text) if t.children)
    assert "_a_ __b__ [c](d) ~~e~~ &lt; \\* ![f](g)" in flat
    assert "lbbvn: a|b `c|d`" in flat
    assert len(words) > 50
    monkeypatch.setattr(module, "_MARKUP", re.compile("(?!)"))
    with pytest.raises(AssertionError):
        check_plain(markdown(report))


def test_tables_have_all_their_rows():
    report = samples.rich()
    rows = sum(token.type == "tr_open" for token in tokens(markdown(report)))
    proofs = len(report.evidence[0].rows)
    claims = [3, 5, 2]  # verdicts by paper, claims of a paper, the others
    expected = [8, *claims, len(report.testpoints), len(group_sums(report)), proofs]
    assert rows == sum(expected) + len(expected)


def test_at_most_so_many_holes():
    text = markdown(samples.rich()).partition("## Proofs")[0]
    functional, code = text.split("## Holes in the ")[1:]
    assert functional.startswith("functional coverage: 255\n")
    assert functional.count("\n* ") == MOST + 1
    assert "and 235 more" in functional
    assert code.startswith("code coverage: 15\n")
    assert code.count("\n* ") == 15
    assert code.index("line block") < code.index("branch else") < code.index("toggle")
    assert "## Holes" not in markdown(samples.green())


def test_empty_parts_say_so():
    text = markdown(samples.empty())
    for part in ("claims", "functional coverage", "code coverage"):
        assert f"No {part} in this run." in text
    assert "No test was run." in text
    assert "|" not in text


# Figures ------------------------------------------------------------------------------------------


def test_figures():
    found = {f.label: (f.good, f.total, f.trouble) for f in figures(samples.rich())}
    assert found == {
        "tests": (105, 113, True),
        "testpoints": (3, 5, True),
        "claims": (5, 7, True),
        "functional bins": (873, 1128, False),
        "lines": (6, 7, False),
        "branches": (3, 4, False),
        "toggles": (7, 19, False),
        "expressions": (1, 2, False),
    }
    assert not any(f.trouble or f.good < f.total for f in figures(samples.green()))
    assert not any(f.total for f in figures(samples.empty()))


def test_reasons():
    sections = [section for _, section in reasons(samples.rich())]
    assert sections == ["failures", "claims", "problems", "problems"]
    assert reasons(samples.green()) == []
    assert reasons(samples.empty()) == [("No test was run.", "tests")]


def test_holes_are_those_of_the_groups():
    report = samples.rich()
    hit, bins = report.functional_total()
    assert len(list(holes(report))) == bins - hit == 255
    missed = sum(a - b for b, a in map(report.code_total, ("line", "branch", "toggle")))
    assert len(list(uncovered_code(report))) == missed + 1  # an expression
    assert sum(s.bins for s in group_sums(report)) == bins


def test_words():
    space = "\N{NO-BREAK SPACE}"
    assert percent(0, 0) == "–"
    assert percent(9999, 10000) == f"99.9{space}%"
    assert percent(10**9 - 1, 10**9) == f"99.9{space}%"
    assert percent(7, 7) == f"100{space}%"
    assert percent(0, 7) == f"0.0{space}%"
    assert number(1234567) == f"1{space}234{space}567"
    seconds = (0.04, 9.94, 10, 59.4, 59.6, 3599, 3600, 100000)
    assert [duration(s).replace(space, "") for s in seconds] == [
        *("0.0s", "9.9s", "10s", "59s", "1min 0s", "59min 59s", "1h 0min", "27h 46min")
    ]
    assert moment("2026-11-21T16:36:07+01:00") == "2026-11-21 15:36 UTC"
    assert moment("2026-11-21T15:36:07") == "2026-11-21 15:36 UTC"
    assert moment("some day") == "some day"
