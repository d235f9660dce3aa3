"""Counter-examples: kept as stimulus, played in a simulator by `make sim WITNESS=…`, as waves."""

import dataclasses
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.revive import revived
from fattree_bench.errors import UserError
from fattree_bench.families.proof import Proof, Verdict
from fattree_bench.formal.catalogue import PROOFS
from fattree_bench.paths import ROOT
from fattree_bench.sim.toolchain import prepare_verilator
from fattree_models.common.user_file import read_file

CLOCK = "clk"
TIMEOUT = 600  # seconds that a replay may take
DEFINES = ("-DREPLAY", "-DSYNTHESIS")  # without the RTL's own checks: they would end it too early


@dataclasses.dataclass(frozen=True)
class Witness:
    """How a rule is broken: inputs of the wrapper, clock by clock, from the start."""

    proof: str
    rule: str
    rtl: str
    widths: dict[str, int]
    steps: list[dict[str, int]]

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(dataclasses.asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Witness":
        """Read a file that `save` wrote; UserError if it is none, or of a proof that is gone."""
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
            raise UserError(f"WITNESS={path}: is no counter-example of make formal") from None
        if made.proof not in PROOFS:
            raise UserError(f"WITNESS={path}: there is no proof {made.proof} any more")
        return made


def keep(proof: Proof, verdict: Verdict, widths: dict[str, int], folder: Path, rtl: Path) -> Path:
    """Write the counter-example of a rule beside its proof; the file."""
    path = folder / f"{verdict.rule}.json"
    Witness(proof.name, verdict.rule, str(rtl), widths, verdict.trace or []).save(path)
    return path


def bench(witness: Witness, proof: Proof) -> str:
    """A Verilog bench that drives the wrapper, and writes waves.vcd.

    Inputs change with the rising clock, after the registers have seen the old ones, so that a rule
    is never looked at between the two.
    """
    inputs = {n: w for n, w in witness.widths.items() if n != CLOCK}
    parameters = ", ".join(f".{k}({v})" for k, v in proof.parameters.items())
    ports = ", ".join(f".{n}({n})" for n in witness.widths)
    lines = [
        "module replay;",
        f"  reg {CLOCK} = 1'b0;",
        *(f"  reg [{w - 1}:0] {n};" for n, w in inputs.items()),
        f"  {proof.top} {f'#({parameters})' if parameters else ''} u_proof ({ports});",
        "  initial begin",
        '    $dumpfile("waves.vcd");',
        "    $dumpvars(0, replay);",
    ]
    lines += [f"    {n} = {w}'h{witness.steps[0][n]:x};" for n, w in inputs.items()]
    for step in witness.steps[1:]:
        lines += ["    #1;", f"    {CLOCK} = 1'b1;"]
        lines += [f"    {n} <= {w}'h{step[n]:x};" for n, w in inputs.items()]
        lines += ["    #1;", f"    {CLOCK} = 1'b0;"]
    lines.append("    #1;")
    return "\n".join([*lines, "    $finish;", "  end", "endmodule", ""])


def play(witness: Witness, folder: Path, sim: str) -> list[str]:
    """Run the counter-example in a simulator; the rules that it breaks there.

    Leaves waves.vcd in `folder`.  UserError if the simulator is not there or refuses the sources.
    """
    proof, rtl = PROOFS[witness.proof], Path(witness.rtl)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "replay.v").write_text(bench(witness, proof))
    files = [str(f) for f in [*proof.files(rtl), folder / "replay.v"]]
    includes = [f"-I{folder}" for folder in proof.includes(rtl)]
    if sim == "icarus":
        build = ["iverilog", "-g2005", *DEFINES, "-s", "replay", "-o", "replay.vvp"]
        start = ["vvp", "-n", "replay.vvp"]
    else:
        prepare_verilator()
        build = ["verilator", "--binary", "--trace", "-Wno-fatal", "-Wno-lint", *DEFINES]
        build += ["-j", "2", "--top-module", "replay", "-Mdir", "obj", "-o", "replay"]
        build += ["-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include"]
        start = ["obj/replay"]
    if shutil.which(build[0]) is None:
        raise UserError(f"SIM={sim}: {build[0]} is not installed")
    run_in(folder, [*build, *includes, *files])
    said = run_in(folder, start)
    seen = re.findall(r"(\S+): holds=(\S) at \d+", said)
    return sorted({path.split(".")[-1] for path, holds in seen if holds != "1"})


def run_in(folder: Path, command: list[str]) -> str:
    """Run a program; what it printed; UserError if it ended badly."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    if done.returncode:
        last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["no message"]
        raise UserError(f"{command[0]}: {last[0]}")
    return done.stdout


def replay(console: Console, path: str, sim: str, build: Path) -> int:
    """`make sim WITNESS=…`: 1 if the rule is broken in the simulator, too; 0 if it is not."""
    witness = Witness.load(ROOT / path)
    folder = build / "formal" / witness.proof / f"replay-{sim}"
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


def as_json(verdicts: list[Verdict]) -> list[dict[str, Any]]:
    return [dataclasses.asdict(v) for v in verdicts]
