"""Counter-examples: kept as stimulus, replayed with waves by `make sim WITNESS=…`."""

import dataclasses
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.revive import revived
from fattree_bench.errors import UserError
from fattree_bench.families.proof import Proof, Verdict
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.paths import ROOT
from fattree_bench.sim.flags import THIS_PYTHON
from fattree_bench.sim.toolchain import prepare_verilator
from fattree_models.common.user_file import read_file

CLOCK = "clk"
BROKEN = re.compile(r"(\S+): holds=[^1] at (\d+)")
TIMEOUT = 600  # seconds per replay
DEFINES = ("-DREPLAY", "-DSYNTHESIS")  # without assertions of the RTL, which could end it early


@dataclasses.dataclass(frozen=True)
class Witness:
    """A counter-example: inputs of the wrapper in each clock, from the start.

    Of `make prove` it has the file of the design, and the variables that made its wrapper.
    """

    proof: str
    rule: str
    rtl: str
    widths: dict[str, int]
    steps: list[dict[str, int]]
    design: str = ""
    given: dict[str, str] = dataclasses.field(default_factory=dict)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(dataclasses.asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Witness":
        """Read a file written by `save`; UserError: not such a file, or an unknown proof."""
        try:
            data = read_file(path)
        except ValueError as error:
            raise UserError(f"WITNESS={error}") from None
        try:
            made: Witness = revived(cls, json.loads(data))
            numbers = [*made.widths.values(), *(x for step in made.steps for x in step.values())]
            whole = all(isinstance(number, int) for number in numbers) and all(
                set(step) >= set(made.widths) - {CLOCK} for step in made.steps
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            whole = False
        if not whole or not made.steps:
            raise UserError(f"WITNESS={path}: not a counter-example of make formal") from None
        if not made.design and made.proof not in PROOFS:
            raise UserError(f"WITNESS={path}: unknown proof {made.proof}")
        return made


def keep(proof: Proof, verdict: Verdict, widths: dict[str, int], folder: Path, rtl: Path) -> Path:
    """Write the counter-example of a rule into the folder of its proof; returns the file."""
    path = folder / f"{verdict.rule}.json"
    Witness(proof.name, verdict.rule, str(rtl), widths, verdict.trace or []).save(path)
    return path


def bench(witness: Witness, proof: Proof) -> str:
    """A Verilog bench that drives the wrapper and writes waves.vcd.

    Inputs are registers of the clock: Verilator takes `<=` of an initial block for `=`.
    """
    inputs = {n: w for n, w in witness.widths.items() if n != CLOCK}
    parameters = ", ".join(f".{k}({v})" for k, v in proof.parameters.items())
    ports = ", ".join(f".{n}({n})" for n in witness.widths)
    lines = [
        "module replay;",
        f"  reg {CLOCK} = 1'b0;",
        "  integer played = 0;",
        *(f"  reg [{w - 1}:0] {n};" for n, w in inputs.items()),
        f"  {proof.top} {f'#({parameters})' if parameters else ''} u_proof ({ports});",
        "  initial begin",
        '    $dumpfile("waves.vcd");',
        "    $dumpvars(0, replay);",
    ]
    lines += [f"    {n} = {w}'h{witness.steps[0][n]:x};" for n, w in inputs.items()]
    edges = f"repeat ({len(witness.steps) - 1}) begin #1 {CLOCK} = 1'b1; #1 {CLOCK} = 1'b0; end"
    lines += [f"    {edges}", "    #1 $finish;", "  end", f"  always @(posedge {CLOCK}) begin"]
    lines += ["    played <= played + 1;", "    case (played)"]
    for number, step in enumerate(witness.steps[1:]):
        values = (f"        {n} <= {w}'h{step[n]:x};" for n, w in inputs.items())
        lines += [f"      {number}: begin", *values, "      end"]
    return "\n".join([*lines, "      default: ;", "    endcase", "  end", "endmodule", ""])


def play(witness: Witness, folder: Path, sim: str) -> list[str]:
    """Run a counter-example in a simulator; returns the rules broken there."""
    seen = BROKEN.findall(log(witness, PROOFS[witness.proof], folder, sim))
    return sorted({path.split(".")[-1] for path, _ in seen})


def log(witness: Witness, proof: Proof, folder: Path, sim: str) -> str:
    """What a simulator says that plays a counter-example.

    Writes waves.vcd into `folder`.  UserError: the simulator is missing or rejects the sources.
    """
    rtl = Path(witness.rtl)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "replay.v").write_text(bench(witness, proof))
    files = [str(f) for f in [*proof.files(rtl), folder / "replay.v"]]
    includes = [f"-I{folder}" for folder in proof.includes(rtl)]
    if sim == "icarus":
        build = ["iverilog", f"-g{proof.language}", *DEFINES, "-s", "replay", "-o", "replay.vvp"]
        start = ["vvp", "-n", "replay.vvp"]
    else:
        prepare_verilator()
        build = ["verilator", "--binary", "--trace", "-Wno-fatal", "-Wno-lint", *DEFINES]
        build += ["-j", "2", "--top-module", "replay", "-Mdir", "obj", "-o", "replay"]
        build += ["-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-CFLAGS", "-std=c++20"]  # delays
        build += ["-MAKEFLAGS", shlex.quote(THIS_PYTHON)]  # Verilator gives it to a shell
        start = ["obj/replay"]
    if shutil.which(build[0]) is None:
        raise UserError(f"SIM={sim}: {build[0]} is not installed")
    run_in(folder, [*build, *(f"-D{name}" for name in proof.defines), *includes, *files])
    return run_in(folder, start)


def run_in(folder: Path, command: list[str]) -> str:
    """Run a program and return its output; UserError if it failed."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    if done.returncode:
        lines = [*(done.stdout + done.stderr).strip().splitlines(), "no message"]
        told = next((line for line in lines if "error" in line.lower()), lines[-2:][0])
        raise UserError(f"{command[0]}: {told}")
    return done.stdout


def replay(console: Console, path: str, sim: str, build: Path) -> int:
    """`make sim WITNESS=…`: 1 if the simulator breaks the rule as well, else 0."""
    witness = Witness.load(ROOT / path)
    folder = build / "formal" / witness.proof / f"replay-{sim}-{os.getpid()}"
    broken = play(witness, folder, sim)
    text = PROOFS[witness.proof].texts().get(witness.rule.split(".")[-1], "")
    clocks = f"{len(witness.steps)} clock{'s' * (len(witness.steps) != 1)}"
    console.print(f"{witness.proof}, rule {witness.rule}: {escape(text)}", soft_wrap=True)
    console.print(f"waves: {folder / 'waves.vcd'}", soft_wrap=True)
    if broken:
        console.print(f"[red]broken within {clocks} on {sim}: {', '.join(broken)}[/]")
        return 1
    console.print(f"[green]no rule is broken on {sim} ({clocks})[/]")
    return 0
