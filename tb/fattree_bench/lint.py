"""Verilator, Icarus, Yosys, ruff and mypy must have nothing to say."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from fattree_bench.bench.form import FORM, SYNTHESIZED
from fattree_bench.bench.interface.recorders import PASSIVE
from fattree_bench.bench.network import Network
from fattree_bench.families import NETWORKS
from fattree_bench.paths import ROOT, RTL
from fattree_bench.sim.toolchain import prepare_verilator, simulator_version
from fattree_bench.sim.yosys import GREETING, YOSYS, copied, executable, hierarchy

Command = tuple[str, list[str], Path]  # what it is, arguments, folder to run in


def commands(scratch: Path) -> Iterator[Command]:
    """Every check."""
    for kind in NETWORKS.values():
        forms = ({}, SYNTHESIZED) if FORM.name in {p.name for p in kind.parameters} else ({},)
        for corner in (corner | form for corner in kind.about.corners for form in forms):
            network = kind.from_variables(corner)
            for agent in network.about.agents if corner == kind.about.corners[0] else ("FRAME",):
                if agent != PASSIVE:  # its bench is made around a user's design
                    yield from _hdl(network, RTL, agent, corner, scratch)
    python = [sys.executable, "-m"]
    yield "ruff check", [*python, "ruff", "check", "--quiet", "."], ROOT
    yield "ruff format", [*python, "ruff", "format", "--quiet", "--check", "."], ROOT
    yield "mypy", [*python, "mypy", "--no-error-summary"], ROOT


def _hdl(
    network: Network, rtl: Path, agent: str, corner: dict[str, str], scratch: Path
) -> Iterator[Command]:
    made = Path(tempfile.mkdtemp(dir=scratch))
    for name, text in network.rtl.generated(agent, rtl).items():
        (made / name).write_text(text)
    sources = [str(p) for p in (*network.rtl.sources(rtl), *sorted(made.iterdir()))]
    includes = [f"-I{p}" for p in network.rtl.includes(rtl)]
    label = f"{network.name} {agent} " + " ".join(f"{k}={v}" for k, v in corner.items())
    public = scratch / "public.vlt"
    public.write_text(network.rtl.public("vpi"))
    top = network.rtl.top
    yield (
        f"Verilator  {label}",
        [
            *("verilator", "--lint-only", "-Wall", "--quiet", "--top-module", top, *includes),
            *(*network.rtl.build_flags("verilator"), str(public), *sources),
        ],
        ROOT,
    )
    yield (
        f"Icarus     {label}",
        [
            *("iverilog", "-Wall", "-g2005", "-s", top, "-o", os.devnull, *includes),
            *(*network.rtl.build_flags("icarus"), *sources),
        ],
        ROOT,
    )
    if FORM.name in corner:  # the rest is of what is synthesized, in any case
        return
    if agent == "FRAME":
        folder = Path(tempfile.mkdtemp(dir=scratch))
        synthesized, settings = network.synthesis()
        read = copied(folder, rtl, *network.rtl.synthesized(rtl)).read()
        script = f"{read}; {hierarchy(synthesized, settings)}"
        yield f"Yosys      {label}", [executable(YOSYS), "-q", "-p", script], folder
    if corner.get("ASYNC"):
        told = [network.name, *(f"{k}={v}" for k, v in corner.items())]
        crossings = [sys.executable, "-m", "fattree_bench.crossings", str(rtl), *told]
        yield f"crossings  {label}", crossings, ROOT


def run(console: Console) -> int:
    """Run every check; silence and exit status 0 are what it takes."""
    prepare_verilator()
    have_icarus = True
    try:
        simulator_version("icarus")
    except Exception as error:
        have_icarus = False
        console.print(f"[red]SKIPPED Icarus: {error}[/]")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for what, command, folder in commands(Path(scratch)):
            if command[0] == "iverilog" and not have_icarus:
                continue
            done: Any = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, check=False
            )
            said = (done.stdout + done.stderr).strip()
            said = "\n".join(line for line in said.splitlines() if not line.startswith(GREETING))
            good = done.returncode == 0 and not said
            console.print(f"{'[green]ok[/]  ' if good else '[red]FAIL[/]'} {what}")
            if not good:
                failed += 1
                console.print(said, markup=False, soft_wrap=True)
    console.print(f"{failed} checks failed" if failed else "all clean")
    return 1 if failed else 0
