"""Whatever monitors or counts in the RTL has reported a fault: docs/monitors.md says which.

`python -m tests.tb.faults.test_monitors` writes the page again.
"""

import re

from fattree_bench.paths import ROOT
from tests.tb.faults.counting import RTL, counters, counts
from tests.tb.faults.faulty import DESIGNS, STOPPED, Faulty, noted

PAGE = ROOT / "docs" / "monitors.md"
# A rule, and what CHECK_ZERO says of the place.
RULE = re.compile(r'`CHECK_(?:ALWAYS|SHARED|ZERO)\([^"]*"([^"]*)"(?:,\s*"(.*) (?:at|of) [\w ]+")?')

# By (file, register): the fault that miscounts it without naming it, by a constant that it compares
# with or by its effect; and why one is no counter.
MISCOUNTED, NO_COUNTER = noted("miscounted"), noted("no_counter")
HEAD = """# Monitors and counters

A fault was planted for each rule that the Verilog checks, and for each of its counters, and `make
sim` named it. The faults are data for tests, in `tests/tb/families/*/faults.toml`.
`tests/tb/faults/test_monitors.py` finds rules and counters in the sources; it fails where one has
no fault, or where this page is not what it would write.

Parameters out of their ranges are refused by `CHECK_PARAMETER`
([checks.vh](../rtl/common/checks.vh)). For each of these rules in `rtl/`,
`tests/tb/faults/refusals.toml` or `tests/tb/families/*/mistakes.toml` has parameters that break it;
`test_refusals.py` sees that it refuses them, and fails where a rule has no case.
`tests/tb/cli/bad_input.toml` has those that users can set.

Counters of events start at their end in simulations, all bits set, so that the first event takes
them over it: `FROM_END` of `rtl/common/event_counter.v`. A counter that wraps early shows at once,
and no run has to last 2^32 events.
"""


def rules() -> list[tuple[str, str, str]]:
    """(file, rule, place or "") of each check at run time, of designs and of benches."""
    files = sorted([*ROOT.glob("rtl/**/*.v"), *ROOT.glob("tb/fattree_bench/**/*.v")])
    return [(f.name, *found) for f in files for found in RULE.findall(f.read_text())]


def speaker(rule: str, place: str) -> Faulty | None:
    """The first fault that a rule stops, at such a place."""
    return next((d for d in DESIGNS if d.rule and d.rule in rule and d.place == place), None)


def miscounts(file: str, register: str) -> Faulty | None:
    """The first fault that miscounts: an edit with the register's name, or one by its own."""
    name = MISCOUNTED.get((file, register))
    named = re.compile(rf"\b{register}\b")
    return next(
        (
            design
            for design in DESIGNS
            if design.name == name
            or (
                name is None
                and any(e.file == file and named.search(e.old + e.new) for e in design.edits)
            )
        ),
        None,
    )


def called(design: Faulty | None) -> str:
    """What the bench says of a fault."""
    if design is None:
        return "-"
    return "a check" if STOPPED in design.names else ", ".join(design.names)


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page() -> str:
    """docs/monitors.md."""
    lines = [HEAD, "## Rules that end a run", "", row("file", "rule", "fault"), row(*["---"] * 3)]
    for file, rule, place in rules():
        design = speaker(rule, place)
        shown = f"{rule}, {place}" if place else rule
        lines.append(row(f"`{file}`", shown, design.name if design else "-"))
    lines += ["", "## Registers that count", ""]
    lines += [row("file", "register", "fault", "what `make sim` says"), row(*["---"] * 4)]
    for file, register in counters():
        if (file, register) not in NO_COUNTER:
            design = miscounts(file, register)
            name = design.name if design else "-"
            lines.append(row(f"`{file}`", f"`{register}`", name, called(design)))
    return "\n".join(lines) + "\n"


def test_every_counter_is_miscounted_by_a_fault() -> None:
    silent = [c for c in counters() if c not in NO_COUNTER and miscounts(*c) is None]
    assert silent == []


def test_what_is_said_of_counters_is_of_some() -> None:
    assert set(MISCOUNTED) | set(NO_COUNTER) <= set(counters())
    assert set(MISCOUNTED.values()) <= {design.name for design in DESIGNS}


def test_each_rule_has_a_fault_and_a_row_of_its_own() -> None:
    assert len(set(rules())) == len(rules())
    assert [rule for _, *rule in rules() if speaker(*rule) is None] == []


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page()


def test_a_new_counter_is_found() -> None:
    """Directly, through wires, in a register file; but not what only compares, or points."""
    assert counts("always @(posedge clk) a_q <= rst ? 0 : a_q + 1'b1;") == {"a_q"}
    through = "wire [3:0] next = more ? b_q - 1 : b_q;\nalways @(posedge clk) b_q <= next;"
    assert counts(through) == {"b_q"}
    inside = """register_file #(.WORDS(4)) u_counts (
      .clk(clk), .word_i(next), .word_o(count));
    assign next = count + step;"""
    assert counts(inside) == {"u_counts"}
    assert counts("always @(posedge clk) c_q <= d_i + 1; // c_q <= c_q + 1") == set()
    assert counts("always @(posedge clk) word_q[i+1] <= word_q[i - 1];") == set()


def test_a_counter_that_is_new_in_a_file_is_told() -> None:
    text = (RTL / "common" / "crossbar.v").read_text()
    new = "  reg [3:0] seen_q;\n  always @(posedge clk) seen_q <= seen_q + 1'b1;\nendmodule"
    assert counts(text) == set()
    assert counts(text.replace("endmodule", new)) == {"seen_q"}


if __name__ == "__main__":
    PAGE.write_text(page())
