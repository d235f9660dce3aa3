"""Turns a wrapper and the RTL round it into what the engines read: SMT-LIB, or an AIGER a rule."""

import re
from collections.abc import Sequence
from pathlib import Path

from fattree_bench.families.proof import Proof
from fattree_bench.sim.yosys import YosysError, copied, hierarchy, run_yosys

# Not `opt` alone: a register that is never reset may be anything, and it would be taken for such.
# AIGER knows no registers with enable or reset, so none are made of those that have neither.
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

# A register of many clocks: it steps if its clock's wire is 1, and the wrapper's own always.
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
    """The commands that leave words, gates and registers of one clock."""
    if not proof.ticks:
        return [*LOWERED]
    (folder / TICKS).write_text("\n".join(STEPPING) + "\n")
    return [*LOWERED, f"techmap -map {TICKS} t:$dff", "connect -set clk 1'1", CLEAN]


def elaborate(proof: Proof, folder: Path, rtl: Path) -> list[str]:
    """The commands that read a proof's sources, copied into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    # SYNTHESIS leaves out the RTL's own checks: Yosys has no $fatal.
    sources = copied(folder, rtl, proof.files(rtl), proof.includes(rtl), ("SYNTHESIS",))
    return [
        sources.read("-formal"),
        hierarchy(proof.top, proof.parameters),
        *lowered(proof, folder),
    ]


def smt(proof: Proof, folder: Path, rtl: Path) -> Path:
    """Write the SMT-LIB description of one clock; the file."""
    run_yosys([*elaborate(proof, folder, rtl), "write_smt2 -wires model.smt2"], folder, "smt")
    return folder / "model.smt2"


def rule_names(folder: Path, proof: Proof, rtl: Path) -> list[str]:
    """Rules that the elaborated wrapper really holds; the design stays in bits.il."""
    said = run_yosys(
        [
            *elaborate(proof, folder, rtl),
            "techmap",
            CLEAN,
            "setundef -anyseq",  # what is undefined may be anything
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
    """Write one AIGER file a rule, whose only bad state is that the rule is broken; by rule.

    Beside it RULE.map tells which input of the wrapper an input of the AIGER is.
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
    """Whether a rule, C1 or, of an inner module, u_x.C1, is among those chosen; none: all are."""
    return not rules or rule in rules


def input_widths(folder: Path, top: str) -> dict[str, int]:
    """Inputs of the wrapper and their bits, from the design that `aigers` left."""
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
