"""Builds simulations: one folder a distinct design, found by its recipe.

The recipe is what is known beforehand: sources, parameters, flags, tools.  A folder is good only
while every file that the simulator says it read is as it was, and its program was seen to start.
"""

import hashlib
import json
import re
import shutil
import subprocess
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocotb_tools.runner import Icarus, Runner
from filelock import FileLock

from fattree_bench.paths import PACKAGE
from fattree_bench.sim import alone, changed, elaboration, places, program, toggles
from fattree_bench.sim.others import OTHERS, flags_of
from fattree_bench.sim.runner import MAIN, STOP_FILTER, BurstVerilator, quiet_runner
from fattree_bench.sim.runtime_objects import runtime
from fattree_bench.sim.sources import key
from fattree_bench.sim.toolchain import VERILATOR_ROOT, processor, toolchain
from fattree_bench.sim.variables import Variables

# What of ours is in a build, or makes it.
OWN_MODULES = ("build", "flags", "program", "runner", "runtime_objects", "severity", "toolchain")
OWN = (
    *(MAIN, STOP_FILTER, *(Path(str(m.__file__)) for m in (changed, elaboration, toggles, places))),
    *(Path(__file__).with_name(f"{name}.py") for name in OWN_MODULES),
)
ICARUS_READ = "read.txt"


class BuildError(Exception):
    """The simulator refused the design; holds the log."""


@dataclass(frozen=True)
class Built:
    """A simulation ready to run."""

    folder: Path
    top: str
    seconds: float  # 0 if it was there already
    sim: str
    waves: bool


def recipe(variables: Variables, agent: str) -> dict[str, Any]:
    """All that is known of a build beforehand: of two equal ones only one is made."""
    design, sim = variables.around.design(variables.network.rtl), variables.sim
    sources, flags = design.sources(variables.rtl), flags_of(variables)
    headers = [h for d in design.includes(variables.rtl) for h in sorted(d.glob("*.vh"))]
    return {
        "files": [f"{p.name}:{_digest(p)}" for p in (*sources, *headers, *OWN)],
        "rtl": str(variables.rtl) if variables.code else "",  # coverage names the files
        "public": design.public(variables.transport),
        "generated": design.generated(agent, variables.rtl),
        "flags": flags,
        "tools": toolchain(sim),
        "native": processor() if variables.native and sim == "verilator" else "",
        "waves": variables.waves,
        "debug": variables.debug,
    }


def build_folder(variables: Variables, made_of: dict[str, Any]) -> Path:
    """Where the build of a recipe lies, or will."""
    network, sim = variables.network, variables.sim
    return variables.build / "sim" / f"{network.name}-{network.leaves}-{sim}-{key(made_of)}"


def build(
    variables: Variables, agent: str, telling: AbstractContextManager[object] | None = None
) -> Built:
    """Build, or find, the simulation of a network; BuildError if the design is refused.

    `telling` is entered while something is built, not when it is there already.
    """
    network, sim = variables.network, variables.sim
    made_of = recipe(variables, agent)
    folder = build_folder(variables, made_of)
    folder.parent.mkdir(parents=True, exist_ok=True)
    start, began = time.perf_counter(), time.time_ns()
    with FileLock(f"{folder}.lock"):
        if is_built(folder, variables.rtl):
            return Built(folder, network.rtl.top, 0.0, sim, variables.waves)
        if sim not in OTHERS and (refused := alone.check(variables, agent, folder)):
            raise BuildError(refused)
        with telling or nullcontext():
            _compile(variables, folder, agent, tuple(made_of["flags"]))
        read = files_read(folder, sim)
        late = any(began <= path.stat().st_mtime_ns <= time.time_ns() for path in read)
        if late or recipe(variables, agent) != made_of:  # it would be found under a wrong name
            raise BuildError("the sources changed while they were being built; run it again")
        check_start(folder, sim)
        digests = {_name(path, variables.rtl): _digest(path) for path in read}
        mark = folder / "built.part"
        mark.write_text(json.dumps({"recipe": made_of, "read": digests}, indent=1))
        mark.rename(folder / "built")
    return Built(folder, network.rtl.top, time.perf_counter() - start, sim, variables.waves)


def is_built(folder: Path, rtl: Path) -> bool:
    """Whether a folder holds a whole build, and every file that was read is as it was."""
    try:
        read = json.loads((folder / "built").read_text())["read"]
        return all(_digest(rtl / name) == digest for name, digest in read.items())
    except (OSError, ValueError):  # no mark, or none that is whole; a file that is gone
        return False


def files_read(folder: Path, sim: str) -> list[Path]:
    """What the simulator read for a build, as it says itself, but for what was made for it."""
    if sim == "verilator":
        told = (folder / "Vtop__ver.d").read_text().partition(" : ")[2]
        names = [name.replace("\\ ", " ") for name in re.split(r"(?<!\\)\s+", told) if name]
    else:  # of others the recipe has the sources
        names = (folder / ICARUS_READ).read_text().splitlines() if sim == "icarus" else []
    paths = dict.fromkeys((folder / name).resolve() for name in names)
    return [path for path in paths if not path.is_relative_to(folder.resolve())]


def check_start(folder: Path, sim: str) -> None:
    """BuildError unless the program of a build starts; it ends before time 0."""
    icarus = ["vvp", "-n", "-s", f"{folder}/sim.vvp"]
    own = {"verilator": [f"{folder}/simulation", "--start-only"], "icarus": icarus}
    command = own.get(sim, ["true"])  # others need a licence
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        told = "" if not done.returncode else f"ended with status {done.returncode}"
    except OSError as error:
        told = str(error.strerror)
    if told:
        raise BuildError(f"the simulation that was built does not start: {told}; see {folder}")


def _name(path: Path, rtl: Path) -> str:
    """How a build names a file that it read: copies of rtl/ share builds."""
    return str(path.relative_to(rtl)) if path.is_relative_to(rtl) else str(path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_generated(variables: Variables, folder: Path, agent: str) -> list[Path]:
    """Write the Verilog that is made for a network into the folder of its build."""
    texts = variables.around.design(variables.network.rtl).generated(agent, variables.rtl)
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def _compile(variables: Variables, folder: Path, agent: str, flags: tuple[str, ...]) -> None:
    design, tree = variables.around.design(variables.network.rtl), changed.asked(variables)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "build.log"
    runner: Runner
    if variables.sim == "verilator":
        runner = BurstVerilator()
        runner.visible, runner.flags, runner.tree = variables.debug, flags, tree
        runner.native, runner.rtl = variables.native, variables.rtl
        runner.own = design.build_flags("verilator")
        runner.public_file = folder / "public.vlt"
        public = design.public(variables.transport)
        # Only the design counts, not the harness round it.
        harness = "".join(f'coverage_off -file "{place}/*"\n' for place in (PACKAGE, folder))
        runner.public_file.write_text(public + harness)
        if variables.code:
            toggles.mend(VERILATOR_ROOT / "include", folder)
    else:
        runner = OTHERS[variables.sim].runner() if variables.sim in OTHERS else Icarus()
        flags = (*flags, *[f"-Mall={ICARUS_READ}"] * isinstance(runner, Icarus))
    made = write_generated(variables, folder, agent)
    with runtime(variables, folder, flags), quiet_runner():
        try:
            runner.build(
                sources=[*design.sources(variables.rtl), *made],
                includes=design.includes(variables.rtl),
                build_args=[] if variables.sim == "verilator" else list(flags),
                hdl_toplevel=design.top,
                build_dir=folder,
                waves=variables.waves,
                always=True,
                log_file=log,
            )
        except (RuntimeError, subprocess.CalledProcessError, SystemExit):
            lines = log.read_text(errors="replace").splitlines() if log.exists() else []
            told = [line for line in lines if "rror" in line or line.startswith("%Warning-")][
                :5
            ] or lines[-5:]
            raise BuildError("\n".join([f"the build failed; log: {log}", *told])) from None
    if isinstance(runner, Icarus):
        runner.sim_file.write_text(program.mended(runner.sim_file.read_text()))
    for header in folder.glob("*.gch"):  # precompiled: nearly all of the folder's bytes
        header.unlink()
    if tree and variables.sim == "verilator":
        elaboration.condense(folder)
