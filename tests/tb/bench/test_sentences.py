"""What went wrong, in the same words in every rendering; files of failures next to the page."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fattree_bench.bench.failure import Failure, Parcel, Place, Sighting, Trait
from fattree_bench.bench.result import ScenarioResult, Test
from fattree_bench.bench.sentences import sighted, summary, told
from fattree_bench.regress.buckets import buckets
from fattree_bench.report import artefacts
from fattree_bench.report.junit import write_junit
from fattree_bench.report.markdown import markdown
from fattree_bench.report.page import write_page
from fattree_bench.report.regression import Report, Testpoint

FIRST = Sighting(
    *("misdelivered", "in words", 0, "", 7, "clock", Place("leaf", 1)),
    expected=Parcel(0, 1, 4, "slot"),
    got=Parcel(1, 9, 4, "slot"),
)
TRAITS = [
    Trait("turned at level {}", 2, 176, 176, 0, 300),
    Trait("are {}", 1, 170, 176, 9, 300, ("a", "b")),
]
WORDS = [
    "leaf 1, clock 7: expected packet 0→1 of slot 4, got 1→9 of slot 4 (misdelivered)",
    "the 176 faulty packets: turned at level 2 (all; no sound ones); "
    "are b (170 of them; 9 of 300 sound ones)",
    "512 sent = 336 delivered + 176 at a wrong place",
    "make sim NETWORK=lbbvn SEED=1 WAVES=1",
]


def failed(folder: Path) -> Test:
    """A test with its files in a folder below the root."""
    made = Failure(FIRST, "", TRAITS, 176, 300, packets="faulty-frame.csv")
    result = ScenarioResult(
        *("frame", {"misdelivered": 176}),
        sent=512,
        delivered=336,
        failure=made,
        accounts={"delivered": 336, "misdelivered": 176},
    )
    for name in ("sim.log", "waves.vcd", "waves.gtkw", "waves.sucl", "faulty-frame.csv"):
        (folder / name).write_text(name * 10)
    return Test(
        *("lbbvn", "c", {}, "icarus", 1, "frame", False, result, "x", ["x"]),
        replay="make sim NETWORK=lbbvn SEED=1",
        log=str(folder / "sim.log"),
        waves=str(folder / "waves.vcd"),
        symptoms=["misdelivered"],
    )


def reported(test: Test) -> Report:
    point = Testpoint(
        "Point", "lbbvn", "s", "g", "s", "c", ["frame"], [], failed=1, networks=["lbbvn"]
    )
    return Report(
        *("smoke", 1, "make regress", "2026-11-25T04:00:00+00:00", 1.0, "", {}, {}, [test]),
        testpoints=[point],
        buckets=buckets([test]),
    )


def test_every_rendering_tells_the_same(tmp_path: Path) -> None:
    report = reported(failed(tmp_path))
    assert [line.text for line in summary(report.tests[0])] == WORDS
    write_page(report, tmp_path)
    page = re.sub(r"<[^>]*>", "", (tmp_path / "index.html").read_text())
    write_junit(report, tmp_path / "junit.xml")
    junit = next(ElementTree.parse(tmp_path / "junit.xml").iter("failure")).text or ""
    output = markdown(report)
    for words in WORDS:
        assert words in page and words in junit and words in output


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (
            Sighting(
                "lost", "x", place=Place("leaf", 3), expected=Parcel(5, 3, 2, "number"), since=9
            ),
            "leaf 3, sent in clock 9: expected packet 5→3, number 2 of leaf 5, which never came "
            "(lost)",
        ),
        (Sighting("conflict_count", "level 2: counted 3"), "level 2: counted 3"),
        (
            Sighting("idle_not_zero", "x: 0x3", time=4, place=Place("leaf", 3)),
            "leaf 3, clock 4: idle_not_zero: x: 0x3",
        ),
        (
            Sighting(
                "lost", "shift: clock 4: leaf 3: x", time=4, family="shift", place=Place("leaf", 3)
            ),
            "leaf 3, clock 4, of “shift”: lost: x",  # nothing is said twice
        ),
        (
            Sighting("late", "later", time=4, family="uniform", expected=Parcel(5, 3, 2, "slot")),
            "clock 4, of “uniform”: packet 5→3 of slot 2: late: later",
        ),
    ],
)
def test_the_first_fault_in_words(seen: Sighting, words: str) -> None:
    assert sighted(seen) == words


def test_a_test_without_result_tells_what_stopped_it() -> None:
    stop = Failure(
        Sighting("rule", "no credit (x.v:3)", time=18, unit="time", place=Place("top.u"))
    )
    test = Test("n", "c", {}, "icarus", 1, "frame", False, message="stopped", failure=stop)
    assert [tuple(line) for line in summary(test)] == [
        ("first fault", "top.u, time 18: rule: no credit (x.v:3)"),
        ("ended by", "stopped"),
    ]


def test_a_report_is_whole_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links lead to copies next to the page, whatever becomes of the run; what is large is cut."""
    run, folder = tmp_path / "run", tmp_path / "report"
    run.mkdir()
    (folder / "failures" / "9").mkdir(parents=True)  # of an earlier run
    report = reported(failed(run))
    monkeypatch.setattr(artefacts, "LOG", 200)
    (run / "sim.log").write_text("begin" + "x" * 260 + "end")
    artefacts.keep(report, folder)
    write_page(report, folder)
    page = (folder / "index.html").read_text()
    links = [link for link in re.findall(r'href="([^"#]+)"', page)]
    assert links and all((folder / link).is_file() for link in links)
    assert all(not link.startswith(("/", "..")) for link in links)
    assert {Path(link).name for link in links} == {"sim.log", "waves.vcd", "faulty-frame.csv"}
    assert "surfer --command-file failures/1/waves.sucl failures/1/waves.vcd" in page
    assert not (folder / "failures" / "9").exists()
    log = (folder / "failures" / "1" / "sim.log").read_text()
    assert log.startswith("begin") and log.endswith("end") and "68 bytes are left out" in log
    assert report.cut == [f"{run / 'sim.log'}: its middle is left out of the copy"]
    monkeypatch.setattr(artefacts, "WAVES", 50)
    artefacts.keep(report, folder)
    assert [line for line in report.cut if "waves.vcd" in line]
    assert not (folder / "failures" / "1" / "waves.vcd").exists()


def test_testpoints_tests_and_failures_are_linked(tmp_path: Path) -> None:
    report = reported(failed(tmp_path))
    write_page(report, tmp_path)
    page = (tmp_path / "index.html").read_text()
    ids = set(re.findall(r'id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert {"failure-1", "testpoint-1"} <= links <= ids | {""}


SHARED = [("", 5, "the 5 faulty packets: "), ("lost", 1, "the lost packet: ")]
SHARED += [("acknowledge", 5, "the 5 packets (acknowledge): ")]


@pytest.mark.parametrize(("name", "of", "head"), SHARED)
def test_what_shares_a_trait(name: str, of: int, head: str) -> None:
    made = Failure(FIRST, name, [Trait("turned at level {}", 2, of, of, 0, 300)], of, 300)
    result = ScenarioResult("frame", {"lost": of}, sent=512, delivered=512 - of, failure=made)
    (line,) = (one for one in told(result) if one.head == "in common")
    assert line.text.startswith(head)
