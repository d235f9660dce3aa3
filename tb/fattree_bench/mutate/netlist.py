"""A network as one netlist with many faults behind a selector that enables one at a time.

Yosys flattens the network, chooses the faults by its weights and inserts them.  The selector is
set before time 0 from the environment variable SELECTOR, so one build serves all mutants; 0
selects no fault.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fattree_bench.bench.network import Network
from fattree_bench.mutate.mutant import PORT, Mutant, parse_mutant
from fattree_bench.sim.yosys import copied, hierarchy, run_yosys

SELECTOR = "TB_MUTANT"
# `proc` without the search for latches, which takes too long on large loops, and with an early
# opt_clean of temporaries: a latch becomes a combinational loop, which `check -assert` finds.
PROCESSES = (
    "proc_clean; proc_rmdead; proc_prune; proc_init; proc_arst; proc_rom; "
    "proc_mux; proc_dff; proc_memwr; proc_clean; opt_clean"
)
# Removes unused upper bits of indices: simulators and solvers disagree on them, and hardware has
# none.  The second pass finds what the first made constant.
NARROW = 2 * "wreduce; opt_expr; opt_clean; "
# Memories are read asynchronously (-nordff): these ports are tied, and Yosys rejects others.
TIED = re.compile(" -port RD_(CLK|EN|ARST|SRST) ")
# The index of $shiftx has a sign bit, tied to 0.  Simulators and solvers disagree on bits below 0
# of a word, and hardware has none.
SIGN = re.compile(
    r"cell \$shiftx (\S+)\n(?:    .*\n)*?    parameter \\B_WIDTH (\d+)\n"
    r"(?:    .*\n)*?    connect \\B \{ 1'0 "
)
INDEX = re.compile(r" -cell (\S+) -port B -portbit (\d+) ")
SOUND, RULED, MUTATED = "sound.il", "ruled.il", "mutated.il"
FAULTS, VERILOG = "mutants.txt", "mutants.v"


@dataclass(frozen=True)
class MutatedNetlist:
    """A folder with the netlist as RTLIL (SOUND, RULED, MUTATED) and as VERILOG."""

    folder: Path
    top: str
    mutants: tuple[Mutant, ...]

    @property
    def verilog(self) -> Path:
        return self.folder / VERILOG

    @property
    def lemmas(self) -> Path:
        """File of the prover's lemmas on the fault-free netlist."""
        return self.folder / "lemmas.json"

    def terms(self, number: int) -> Path:
        """The netlist with one fault, or none (0), as BTOR2; written by `write_terms`."""
        return self.folder / f"{number}.btor"


def make_netlist(
    network: Network, rtl: Path, count: int, seed: int, folder: Path
) -> MutatedNetlist:
    """Choose up to `count` faults by `seed` and insert them.

    Raises:
        YosysError: Yosys rejected the design.

    """
    folder.mkdir(parents=True, exist_ok=True)
    top, parameters = network.synthesis(bench=True)
    sources = copied(folder, rtl, *network.rtl.synthesized(rtl), ("SYNTHESIS", "GIVEN"))

    def chosen(number: int) -> str:
        control = f"-ctrl {PORT} {count.bit_length()} 1"
        return f"mutate -list {number} -seed {seed} {control} -o {FAULTS}"

    run_yosys(
        [
            sources.read("-formal"),
            hierarchy(top, parameters),
            PROCESSES,
            # -noscopeinfo would replace the source lines of cells by those of their instances.
            "flatten; delete t:$scopeinfo; opt_clean; opt_expr; opt_clean",
            # One cell per memory.
            "memory -nordff -nomap; opt_clean",
            NARROW,
            # Verilog of $pmux asserts that cases never overlap; a fault would stop the simulation.
            "pmuxtree",
            "setundef -undriven -zero",  # as in the simulator
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
    """(faults that Yosys chose, without those in tied bits; how many it chose)."""
    cells = SIGN.findall((folder / SOUND).read_text())
    signs = {(cell, str(int(width) - 1)) for cell, width in cells}
    lines = (folder / FAULTS).read_text().splitlines()
    faults = [line for line in lines if not (TIED.search(line) or signs & {*INDEX.findall(line)})]
    return faults, len(lines)


def _numbered(faults: list[str]) -> list[str]:
    """The faults with selector values 1, 2, 3 …"""
    return [re.sub(r"(-ctrl \S+ \d+) \d+", rf"\1 {i}", one) for i, one in enumerate(faults, 1)]


def finish(folder: Path, top: str, faults: list[str]) -> MutatedNetlist:
    """Insert faults, lines of `mutate -list`, into the fault-free netlist of a folder."""
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
    """Write the netlist without fault (0) or with one fault as BTOR2."""
    faults = {m.number: m.command for m in netlist.mutants} | {0: ""}
    # BTOR2 has no asynchronous resets, and power-up values do not matter; your own design may
    # have both.
    plain = "async2sync; setattr -unset init w:*"
    script = [f"read_rtlil {RULED}", plain, "design -save sound"]
    for number in numbers:
        script += ["design -load sound", faults[number], f"write_btor {netlist.terms(number).name}"]
    run_yosys(script, netlist.folder, "terms")


def wrapper(rtlil: str, top: str, inner: str) -> str:
    """Verilog of a module with the ports of `top` that instantiates the netlist `inner`."""
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
