"""Items of papers with the claims that decide them: verdicts, counts, and where they stand."""

import re

import pytest

from fattree_bench.bench.claims import (
    CORRECTED,
    FAILS,
    HOLDS,
    NOTHING,
    READING,
    UNDECIDED,
    UNMEASURED,
    Claim,
)
from fattree_bench.papers.registry import Item
from fattree_bench.report.items import OTHERS, Row, counts, found_in, others, stood
from fattree_bench.report.markdown import markdown
from fattree_bench.report.page import write_page
from tests.tb.report import samples


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([HOLDS], HOLDS),
        ([FAILS], FAILS),
        ([CORRECTED, FAILS], FAILS),
        ([HOLDS, FAILS], FAILS),
        ([HOLDS, CORRECTED], CORRECTED),
        ([HOLDS, READING], READING),
        ([HOLDS, UNMEASURED], UNMEASURED),
        ([], UNMEASURED),
    ],
)
def test_of_claims_that_differ_the_worst_counts(verdicts: list[str], expected: str) -> None:
    """No mix makes a correction that no claim states."""
    claims = [Claim("", "", "", "", NOTHING, verdict) for verdict in verdicts]
    assert Row(Item("A1", "I", ""), claims).verdict == expected


@pytest.mark.parametrize(
    ("tests", "expected"), [((3, 3), HOLDS), ((2, 3), UNMEASURED), ((0, 0), UNMEASURED)]
)
def test_a_check_holds_if_all_its_tests_have_passed(tests, expected: str) -> None:
    assert Row(Item("A1", "I", "", check="lemma 1"), [], tests).verdict == expected


def test_every_item_has_its_verdict() -> None:
    report = samples.rich()
    first, second = found_in(report)
    assert {row.item.number: row.verdict for row in (*first.rows, *second.rows)} == {
        **{"A1": HOLDS, "A2": HOLDS, "A3": FAILS, "A4": UNMEASURED, "A5": HOLDS, "A6": HOLDS},
        **{"A7": UNMEASURED, "A8": UNDECIDED, "B1": UNDECIDED},
    }
    assert counts([first, second]) == [
        ("A. Author 2013", 8, [4, 0, 1, 0, 1, 2]),
        ("B. Author", 1, [0, 0, 0, 0, 1, 0]),
        ("all", 9, [4, 0, 1, 0, 2, 2]),
    ]
    of_run = counts([first], {"A1": FAILS, "A8": UNDECIDED})
    assert of_run[0] == ("A. Author 2013", 8, [0, 0, 1, 0, 1, 6])
    assert [(c.testpoint, item.number) for c, item in first.claims] == [
        ("rotators", "A1"),
        ("rotators", "A2"),
        ("bit reversal", "A2"),
        ("folded", "A3"),
        ("partial", "A4"),
    ]
    assert second.claims == []
    assert [claim.testpoint for claim in others(report.judged)] == ["off-line", "area"]


def test_checks_stand_as_their_tests_do() -> None:
    report = samples.rich()
    file = "tests/rtl/test_concentrator.py"
    assert stood(report, "rotators") == (8, 8)
    assert stood(report, "reset while busy") == (6, 8)
    assert stood(report, file) == stood(report, f"{file}::all") == (1, 1)
    assert stood(report, f"{file}::other") == stood(report, "none") == (0, 0)


def test_the_summary_shows_them_by_paper() -> None:
    text = markdown(samples.rich()).partition("## Claims\n")[2].partition("## Testplan")[0]
    first = text.index("### A. Author 2013: On \\<trees\\> & lanes")
    assert text.index("| paper") < first < text.index(f"### {OTHERS}") < text.index("Theorem 1")
    assert "B. Author:" not in text
    (row,) = (line for line in text.splitlines() if line.startswith("| A1 "))
    for words in (
        "(II, \\<Fig. 2\\>)",
        "`tests/tb/regress/test_claims.py -k nothing_lost`",
        "lbbvn: rotators",
        "`README.md` and 3 more",
    ):
        assert words in row


def test_the_page_shows_every_item(tmp_path) -> None:
    write_page(samples.rich(), tmp_path)
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    text = text.partition('<section id="claims">')[2].partition("</section>")[0]
    rows = re.findall(r'<th scope="row" class="nowrap" rowspan="(\d)">(\w+)', text)
    numbers = [item.number for paper in samples.papers() for item in paper.items]
    assert [number for _, number in rows] == numbers
    assert dict(map(reversed, rows))["A2"] == "2"
    for words in (
        'Testpoint <a href="#testpoint-1">lbbvn: rotators</a>',
        "<code>tests/tb/regress/test_claims.py -k nothing_lost</code></a>",
        "and 1 more log",
        "8&nbsp;/ 8 tests passed",
        "not in this run",
        "No &lt;colour&gt; is measured.",
        f"<h3>{OTHERS}</h3>",
    ):
        assert words in text, words


def test_without_papers_there_are_claims_all_the_same(tmp_path) -> None:
    report = samples.rich()
    report.papers = []
    for claim in report.judged:
        claim.item = ""
    write_page(report, tmp_path)
    assert "off-line" in (tmp_path / "index.html").read_text(encoding="utf-8")
    text = markdown(report)
    assert f"### {OTHERS}" in text and "| paper |" not in text
