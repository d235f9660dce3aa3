"""What `make bench` prints of what was measured."""

from typing import Any

from rich.table import Table

from fattree_bench.families.speed import Case, Speed
from fattree_bench.speed.tables import Measured, Row, breakdown, builds, rates

CASE = Case("verilator", "lbbvn", {"N": "16"}, ("repeated", "fresh", "classic"))


def figures(packets: float, passed: bool = True) -> dict[str, Any]:
    parts = {"simulator": 1.0, "scoreboard": 0.5, "coverage": 0.1}
    return {
        "packets": packets,
        "seconds": 2.0,
        "passed": passed,
        "memory_kib": 2048,
        "parts": parts,
    }


def measured(scale: float, *wanted: tuple[str, str]) -> Measured:
    made = Measured({"verified": {"cpu": 10 / scale, "wall": 6.0, "code": 2_500_000}})
    for number, (model, kind) in enumerate(wanted, 1):
        made.keep(model, kind, figures(2e6 * scale * number))
    return made


HERE = measured(
    2.0,
    *(("verified", "classic"), ("verified", "fresh"), ("blind", "fresh")),
    *(("bare", "fresh"), ("verified", "repeated"), ("bare", "repeated")),
)


def cells(table: Table) -> list[dict[str, list[str]]]:
    """Rows, each its cells by heading: headings may come twice."""
    columns = [(str(column.header), list(column.cells)) for column in table.columns]
    rows: list[dict[str, list[str]]] = [{} for _ in range(table.row_count)]
    for name, texts in columns:
        for row, text in zip(rows, texts, strict=True):
            row.setdefault(name, []).append(str(text))
    return rows


def test_the_better_figure_is_kept_unless_it_hides_a_fault() -> None:
    kept = Measured()
    for packets, passed, best in ((4, True, 4), (2, True, 4), (8, True, 8), (1, False, 1)):
        kept.keep("verified", "fresh", figures(packets, passed))
        assert kept.figures["verified", "fresh"]["packets"] == best
    assert not kept.passed
    kept.keep("verified", "fresh", figures(9))
    assert not kept.passed
    kept.keep("bare", "fresh", None)
    assert ("bare", "fresh") not in kept.figures


def test_rows_by_stimulus() -> None:
    repeated, fresh, classic = cells(rates("lbbvn", Speed(), [Row(CASE, "x", ["16"], HERE)], ""))
    assert repeated["leaves"] == ["16"]
    assert (repeated["bare"], repeated["verified"]) == (["12"], ["10"])
    assert repeated["verified/bare"] == ["0.83"]
    assert (fresh["bare"], fresh["verified"], fresh["verified/bare"]) == (["8"], ["4"], ["0.50"])
    assert fresh["coverage costs %"] == ["33"]
    assert (classic["bare"], classic["verified"]) == ([""], ["2"])
    assert (repeated["frame/classic"], classic["frame/classic"]) == ([""], ["5"])
    assert (fresh["MiB"], classic["bare MiB"]) == (["2"], [""])
    assert "times" not in " ".join(repeated)


def test_times_the_base() -> None:
    """A dash where the base has no such figure; nothing where there is none here, either."""
    base = measured(0.5, ("verified", "repeated"), ("bare", "repeated"))
    rows = [Row(CASE, "x", ["16"], HERE, base)]
    repeated, fresh, classic = cells(rates("lbbvn", Speed(), rows, "8edd085"))
    assert repeated["times 8edd085"] == ["12.00", "20.00"]  # bare 12 / 1, verified 10 / 0.5
    assert fresh["times 8edd085"] == ["-", "-"]
    assert classic["times 8edd085"] == ["", "-"]
    empty = Row(CASE, "x", ["16"], HERE, Measured())  # it could not be built there
    assert cells(rates("lbbvn", Speed(), [empty], "v1"))[0]["times v1"] == ["-", "-"]


def test_costs_of_builds() -> None:
    base = measured(0.5)
    (row,) = cells(builds([Row(CASE, "x", [], HERE, base)], "v1"))
    assert (row["CPU s"], row["times v1"], row["wall s"]) == (["5.0"], ["4.00"], ["6.0"])
    assert row["C++ MB"] == ["2.5"]
    (row,) = cells(builds([Row(CASE, "x", [], HERE, Measured())], "v1"))
    assert row["times v1"] == ["-"]
    assert "times v1" not in cells(builds([Row(CASE, "x", [], HERE)], ""))[0]


def test_where_the_time_goes() -> None:
    """What is measured packet by packet, bare or without coverage is not of a frame."""
    table = breakdown([Row(CASE, "x", [], HERE)])
    assert [row[""] for row in cells(table)] == [["x fresh"], ["x repeated"]]
    (row, _) = cells(table)
    assert (row["simulator"], row["scoreboard"], row["coverage"]) == (["50.0"], ["20.0"], ["5.0"])
    assert row["pyuvm and cocotb"] == ["25.0"]
