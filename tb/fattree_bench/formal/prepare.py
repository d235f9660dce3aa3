"""Turns a wrapper and its RTL into input of the engines: SMT-LIB, or one AIGER file per rule."""

import re
from collections.abc import Sequence
from pathlib import Path

from fattree_bench.families.proof import Proof
from fattree_bench.sim.yosys import YosysError, copied, hierarchy, run_yosys

# -keepdc: plain `opt` would fix the arbitrary value of a register without reset.  AIGER has no
# registers with enable or reset, so `opt` must not create any.
CLEAN = "opt -keepdc -nodffe -nosdff"
LOWERED = (
    "proc",
    "flatten",
    CLEAN,
    "memory -nordff -nomap",
    "memory_map",
    CLEAN,
    "async2sync",
    "dffunmap",
    "chformal -lower",
    CLEAN,
    "opt_clean",
)

# Registers in designs with several clocks step while their clock's wire is 1; those of the wrapper
# always step.
TICKS = "ticks.v"
STEPPING = (
    '(* techmap_celltype = "$dff" *)',
    "module step (CLK, D, Q);",
    "  parameter WIDTH = 1, CLK_POLARITY = 1;",
    "  input CLK; input [WIDTH-1:0] D; output [WIDTH-1:0] Q;",
    "  \\$ff #(.WIDTH(WIDTH)) _TECHMAP_REPLACE_ (.D(CLK ? D : Q), .Q(Q));",
    "endmodule",
)


def lowered(proof: Proof, folder: Path) -> list[str]:
    """Commands that lower a design to words, gates and registers of one clock."""
    if not proof.ticks:
        return [*LOWERED]
    (folder / TICKS).write_text("\n".join(STEPPING) + "\n")
    return [*LOWERED, f"techmap -map {TICKS} t:$dff", "connect -set clk 1'1", CLEAN]


def elaborate(proof: Proof, folder: Path, rtl: Path) -> list[str]:
    """Commands that read a proof's sources, which are copied into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    # SYNTHESIS leaves out the assertions of the RTL: Yosys has no $fatal.
    defines = ("SYNTHESIS", *proof.defines)
    sources = copied(folder, rtl, proof.files(rtl), proof.includes(rtl), defines)
    return [
        sources.read("-formal"),
        hierarchy(proof.top, proof.parameters),
        *lowered(proof, folder),
    ]


def smt(proof: Proof, folder: Path, rtl: Path) -> Path:
    """Write the SMT-LIB description of one clock; returns the file."""
    run_yosys([*elaborate(proof, folder, rtl), "write_smt2 -wires model.smt2"], folder, "smt")
    return folder / "model.smt2"


def rule_names(folder: Path, proof: Proof, rtl: Path) -> list[str]:
    """Rules in the elaborated wrapper; the design is left in bits.il."""
    said = run_yosys(
        [
            *elaborate(proof, folder, rtl),
            "techmap",
            CLEAN,
            "setundef -anyseq",  # undefined bits are arbitrary
            "aigmap",
            "opt_clean",
            "tee -o rules.txt select -list t:$assert",
            "write_rtlil bits.il",
        ],
        folder,
        "bits",
    )
    names = re.findall(r"/(\S+)", (folder / "rules.txt").read_text())
    if not names:
        raise YosysError(f"{proof.name}: no rule to prove: {said[-200:]}")
    return names


def aigers(proof: Proof, folder: Path, rtl: Path, ascii_too: bool) -> dict[str, Path]:
    """Write one AIGER file per rule, with its violation as the only bad state; files by rule.

    RULE.map maps inputs of the AIGER file to inputs of the wrapper.
    """
    names = [n for n in rule_names(folder, proof, rtl) if wanted(n, proof.rules)]
    script = ["read_rtlil bits.il", "design -save all"]
    ascii_ = "-ascii " if ascii_too else ""
    for name in names:
        script += [
            "design -load all",
            f"select -set other t:$assert c:{name} %d",
            "delete @other",
            "opt_clean",
            f"write_aiger -zinit -symbols -map {name}.map {ascii_}{name}.aig",
        ]
    run_yosys(script, folder, "aiger")
    return {name: folder / f"{name}.aig" for name in names}


def wanted(rule: str, rules: Sequence[str]) -> bool:
    """Whether a rule (C1, or u_x.C1 in an inner module) is chosen; no rules: all are."""
    return not rules or rule in rules


def input_widths(folder: Path, top: str) -> dict[str, int]:
    """Widths of the wrapper's inputs, from the design that `aigers` left."""
    widths = {}
    inside = False
    for line in (folder / "bits.il").read_text().splitlines():
        if line.startswith("module "):
            inside = bool(
                re.match(rf"module \\({re.escape(top)}|\$paramod.*\\{re.escape(top)}\b)", line)
            )
        elif inside and (
            port := re.match(r"  wire (?:width (\d+) )?(?:offset \d+ )?input \d+ \\(\S+)", line)
        ):
            widths[port[2]] = int(port[1] or 1)
    return widths
