"""A network as one netlist that holds many faults, of which a selector switches on one at a time.

Yosys flattens the network, chooses the faults by its weights and builds them in.  The selector is
set before time 0 from the environment variable SELECTOR, so that one simulator serves all faults;
0 is the sound network.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fattree_bench.families.family import Network
from fattree_bench.mutate.mutant import PORT, Mutant, parse_mutant
from fattree_bench.sim.yosys import copied, hierarchy, run_yosys

SELECTOR = "TB_MUTANT"
# `proc` without the search for latches, which takes for ever over long loops, and with temporaries
# that nobody reads removed at once: a latch becomes a loop of wires, which `check -assert` refuses.
PROCESSES = (
    "proc_clean; proc_rmdead; proc_prune; proc_init; proc_arst; proc_rom; "
    "proc_mux; proc_dff; proc_memwr; proc_clean; opt_clean"
)
# Upper bits of an index that no word needs: simulators and solvers differ in what they do, and no
# hardware has them.  The second round finds what the first has made constant.
NARROW = 2 * "wreduce; opt_expr; opt_clean; "
# Memories are read without a clock (-nordff): these ports of theirs are tied, and Yosys refuses a
# memory of which they are not.
TIED = re.compile(" -port RD_(CLK|EN|ARST|SRST) ")
# An index into a word has a sign, tied to 0.  Simulators and solvers differ in what lies below bit
# 0 of the word, and no hardware has it.
SIGN = re.compile(
    r"cell \$shiftx (\S+)\n(?:    .*\n)*?    parameter \\B_WIDTH (\d+)\n"
    r"(?:    .*\n)*?    connect \\B \{ 1'0 "
)
INDEX = re.compile(r" -cell (\S+) -port B -portbit (\d+) ")
SOUND, RULED, MUTATED = "sound.il", "ruled.il", "mutated.il"
FAULTS, VERILOG = "mutants.txt", "mutants.v"


@dataclass(frozen=True)
class MutatedNetlist:
    """A folder with the netlist in Yosys's format (SOUND, MUTATED) and as VERILOG."""

    folder: Path
    top: str
    mutants: tuple[Mutant, ...]

    @property
    def verilog(self) -> Path:
        return self.folder / VERILOG

    @property
    def lemmas(self) -> Path:
        """Where the prover keeps what is always true of the sound netlist."""
        return self.folder / "lemmas.json"

    def terms(self, number: int) -> Path:
        """The netlist with one fault, or none (0), as BTOR2; `write_terms` writes it."""
        return self.folder / f"{number}.btor"


def make_netlist(
    network: Network, rtl: Path, count: int, seed: int, folder: Path
) -> MutatedNetlist:
    """Choose `count` faults by `seed`, fewer if there are not so many, and build them in.

    Raises:
        YosysError: Yosys refused the design.

    """
    folder.mkdir(parents=True, exist_ok=True)
    top, parameters = network.synthesis(bench=True)
    sources = copied(folder, rtl, *network.synthesized(rtl), ("SYNTHESIS", "GIVEN"))

    def chosen(number: int) -> str:
        control = f"-ctrl {PORT} {count.bit_length()} 1"
        return f"mutate -list {number} -seed {seed} {control} -o {FAULTS}"

    run_yosys(
        [
            sources.read("-formal"),
            hierarchy(top, parameters),
            PROCESSES,
            # Scopes are deleted, not left out: else cells lose their own lines to their instances'.
            "flatten; delete t:$scopeinfo; opt_clean; opt_expr; opt_clean",
            # Memories as one cell each, which all that follows understands.
            "memory -nordff -nomap; opt_clean",
            NARROW,
            # Else the Verilog claims that cases never overlap: a fault that makes them do so would
            # end the simulation, which no hardware does.
            "pmuxtree",
            "setundef -undriven -zero",  # as the simulator has it
            "check -assert",
            "chformal -lower",
            f"write_rtlil {RULED}",
            f"chformal -remove; opt_clean; {NARROW}",
            f"write_rtlil {SOUND}",
            chosen(count),
        ],
        folder,
        "choose",
    )
    faults, listed = _faults(folder)
    asked = count
    while len(faults) < count and listed == asked:
        asked += count - len(faults)
        run_yosys([f"read_rtlil {SOUND}", chosen(asked)], folder, "choose-again")
        faults, listed = _faults(folder)
    return finish(folder, top, _numbered(faults[:count]))


def _faults(folder: Path) -> tuple[list[str], int]:
    """The faults that Yosys chose, without those in bits that are tied, and how many it chose."""
    cells = SIGN.findall((folder / SOUND).read_text())
    signs = {(cell, str(int(width) - 1)) for cell, width in cells}
    lines = (folder / FAULTS).read_text().splitlines()
    faults = [line for line in lines if not (TIED.search(line) or signs & {*INDEX.findall(line)})]
    return faults, len(lines)


def _numbered(faults: list[str]) -> list[str]:
    """The same with the values 1, 2, 3 … of the selector."""
    return [re.sub(r"(-ctrl \S+ \d+) \d+", rf"\1 {i}", one) for i, one in enumerate(faults, 1)]


def finish(folder: Path, top: str, faults: list[str]) -> MutatedNetlist:
    """Build the faults, lines of `mutate -list`, into the sound netlist of a folder."""
    inner = f"{top}_mutants"
    mutants = tuple(map(parse_mutant, faults))
    commands = [
        f"read_rtlil {SOUND}",
        *faults,
        f"write_rtlil {MUTATED}",
        f"rename {top} {inner}",
        f"write_verilog -noattr {VERILOG}",
    ]
    run_yosys(commands, folder, "apply")
    with (folder / VERILOG).open("a") as file:
        file.write(wrapper((folder / MUTATED).read_text(), top, inner))
    return MutatedNetlist(folder, top, mutants)


def write_terms(netlist: MutatedNetlist, numbers: Iterable[int]) -> None:
    """Write the sound network (0), or it with one fault alone, for the equivalence check."""
    faults = {m.number: m.command for m in netlist.mutants} | {0: ""}
    # Terms know no asynchronous resets and no values at power-up; designs of others may have them.
    plain = "async2sync; setattr -unset init w:*"
    script = [f"read_rtlil {RULED}", plain, "design -save sound"]
    for number in numbers:
        script += ["design -load sound", faults[number], f"write_btor {netlist.terms(number).name}"]
    run_yosys(script, netlist.folder, "terms")


def wrapper(rtlil: str, top: str, inner: str) -> str:
    """Verilog of a module that looks like `top` from outside and holds the netlist `inner`."""
    names = re.findall(r"^  parameter \\(\S+)", rtlil, re.MULTILINE)
    wires = re.findall(
        r"^  wire (?:width (\d+) )?(input|output) (\d+) \\(\S+)$", rtlil, re.MULTILINE
    )
    ports = sorted((int(n), way, int(width or 1), name) for width, way, n, name in wires)
    (selector_width,) = [width for _, _, width, name in ports if name == PORT]
    outside = [port for port in ports if port[3] != PORT]
    parameters = ",\n".join(f"  parameter {name} = 0" for name in names)
    declared = ",\n".join(f"  {way} wire [{w - 1}:0] {name}" for _, way, w, name in outside)
    joined = ",\n".join(f"    .{name}({name})" for _, _, _, name in ports)
    given = f'std::getenv("{SELECTOR}")'.replace('"', '\\"')
    return f"""
module {top} #(
{parameters}
) (
{declared}
);
  reg [{selector_width - 1}:0] {PORT};
  initial {PORT} = $c("({given} ? std::atoi({given}) : 0)");
  {inner} u_mutants (
{joined}
  );
endmodule
"""
