"""Proves rules for all time with property directed reachability, by the ABC inside Yosys."""

import re
import time
from pathlib import Path

from fattree_bench.families.proof import FAILED, PROVED, UNDECIDED, Proof, Trace, Verdict
from fattree_bench.sim.yosys import YosysError, run_yosys

# Yosys runs ABC only on a gate to be mapped, which ABC must return.
GATE = ("module gate (input a, input b, output y); assign y = a & b; endmodule",)
SPARE = 30.0  # seconds in addition to ABC's own limit


def prove(proof: Proof, aigers: dict[str, Path], widths: dict[str, int]) -> list[Verdict]:
    """Prove each rule from its binary AIGER file."""
    return [verdict(proof, rule, path, widths) for rule, path in aigers.items()]


def verdict(
    proof: Proof, rule: str, path: Path, widths: dict[str, int], first: str = "fold"
) -> Verdict:
    """The verdict of ABC on one rule; `first`: its commands ahead of pdr."""
    folder, start = path.parent, time.perf_counter()
    status, found = folder / f"{rule}.status", folder / f"{rule}.cex"
    for old in (status, found):
        old.unlink(missing_ok=True)
    (folder / "gate.v").write_text("\n".join(GATE) + "\n")
    (folder / f"{rule}.abc").write_text(
        f"write_blif gate.blif\nread_aiger {path.name}\n{first}\n"
        f"pdr -T {proof.limit:.0f}\n"
        f"write_status {status.name}\n"
        f"write_cex -n {found.name}\n"
        "read_blif gate.blif\n"
        "strash\n"
    )
    script = ["read_verilog gate.v", "techmap", f"abc -script {rule}.abc"]
    try:
        run_yosys(script, folder, f"{rule}_pdr", seconds=proof.limit + SPARE)
    except YosysError:
        if not status.exists():
            return Verdict(rule, UNDECIDED, time.perf_counter() - start, "ABC gave no answer")
    took = time.perf_counter() - start
    words = status.read_text().split()
    if words and words[0] == "snl_UNSAT":
        return Verdict(rule, PROVED, took, f"invariant after {words[1]} frames")
    if words and words[0] == "snl_SAT":
        trace = read_cex(found, input_bits(path.with_suffix(".map")), widths)
        return Verdict(rule, FAILED, took, f"in clock {len(trace) - 1}", trace)
    return Verdict(rule, UNDECIDED, took, f"{words[1] if len(words) > 1 else 0} frames")


def input_bits(path: Path) -> dict[int, tuple[str, int]]:
    """(input of the wrapper, bit) by number of the AIGER input, from the map file of Yosys."""
    found = re.findall(r"^input (\d+) (\d+) (\S+)", path.read_text(), re.MULTILINE)
    return {int(number): (name, int(bit)) for number, bit, name in found}


def read_cex(path: Path, bits: dict[int, tuple[str, int]], widths: dict[str, int]) -> Trace:
    """The inputs of a counter-example of ABC, written as piNUMBER@clock=value."""
    trace: Trace = []
    for number, clock, value in re.findall(
        r"^pi(\d+)@(\d+)=([01])", path.read_text(), re.MULTILINE
    ):
        while len(trace) <= int(clock):
            trace.append(dict.fromkeys(widths, 0))
        name, bit = bits.get(int(number), ("", 0))
        if name in widths and value == "1":
            trace[int(clock)][name] |= 1 << bit
    return trace
