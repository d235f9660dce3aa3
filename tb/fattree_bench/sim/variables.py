"""The variables of `make sim`: defaults, help, checks; old cocotb names as aliases."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fattree_bench.errors import UserError
from fattree_bench.families import DEFAULT, find
from fattree_bench.families.family import Network
from fattree_bench.paths import ROOT
from fattree_bench.settings import Parameter, choice, integer

SIMS = ("verilator", "icarus")
SEEDS = 1 << 32
FOLDERS = (
    Parameter("RTL", "rtl", "folder to take the Verilog from"),
    Parameter("BUILD", "build", "folder for everything that is generated"),
)
COMMON = (
    Parameter("NETWORK", DEFAULT, "which network"),
    Parameter("TEST", "", "tests, by name or glob, comma-separated (make list)"),
    Parameter("SIM", "verilator", "verilator or icarus"),
    Parameter("SEED", "1", "0 … 4294967295, decides all random choices"),
    Parameter("WAVES", "0", "1: write waves (make waves)"),
    Parameter("DEBUG", "0", "1: build with every signal visible to Python"),
    Parameter("TRANSPORT", "auto", "view (Verilator's memories), vpi, or auto"),
    Parameter("COVERAGE", "1", "0: do not count functional coverage"),
    Parameter("CODE", "0", "1: count code coverage (Verilator)"),
    Parameter("WITNESS", "", "a counter-example of make formal, played instead of tests"),
    *FOLDERS,
)
ALIASES = {"TESTCASE": "TEST", "COCOTB_TESTCASE": "TEST", "COCOTB_RANDOM_SEED": "SEED"}
FROM_ENVIRONMENT = ("SIM", "TEST", "SEED", "WAVES", *ALIASES)
IGNORED = ("PYTHON",)  # make's own business


@dataclass(frozen=True)
class Variables:
    """Checked variables of one simulation."""

    network: Network
    test: str
    sim: str
    seed: int
    waves: bool
    debug: bool
    transport: str
    coverage: bool
    code: bool
    rtl: Path
    build: Path

    def replay(self, test: str) -> str:
        """The command line that repeats one test."""
        values = {p.name: p.default for p in self.network.parameters}
        changed = {k: v for k, v in self.network.variables().items() if v != values[k]}
        parts = [f"NETWORK={self.network.name}"]
        parts += [f"{k}={v}" for k, v in changed.items()]
        if self.rtl != ROOT / "rtl":
            parts.append(f"RTL={self.rtl}")
        return f"make sim {' '.join(parts)} TEST={test} SIM={self.sim} SEED={self.seed}"


def flag(name: str, value: str) -> bool:
    """The value of a switch; UserError if it is neither 0 nor 1."""
    if value not in ("0", "1"):
        raise UserError(f"{name}={value}: must be 0 or 1")
    return value == "1"


def seed_number(value: str) -> int:
    """The value of SEED; UserError if it has not 32 bits."""
    return integer("SEED", value, f"0 … {SEEDS - 1}", 0, SEEDS - 1)


def collect(arguments: Iterable[str]) -> dict[str, str]:
    """NAME=value arguments over the environment; aliases resolved, names not yet checked."""
    values = {k: os.environ[k] for k in FROM_ENVIRONMENT if os.environ.get(k)}
    given = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals:
            raise UserError(f"{argument}: variables are given as NAME=value")
        given[name] = value
    for source in (values, given):
        for old, new in ALIASES.items():
            if old in source:
                source.setdefault(new, source.pop(old))
    return {k: v for k, v in {**values, **given}.items() if k not in IGNORED}


def check(values: dict[str, str], write: bool = True) -> Variables:
    """All variables of a simulation, or UserError with the first that is wrong.

    `write`: BUILD is to be written, and it is seen to that it can be.
    """
    network = find(values.get("NETWORK", COMMON[0].default))
    known = {p.name: p.default for p in (*COMMON, *network.parameters)}
    for name in values:
        if name not in known:
            raise UserError(f"{name}: no such variable; there is {', '.join(known)}")
    value = {**known, **values}
    seed = seed_number(value["SEED"])
    sim = choice("SIM", value["SIM"], SIMS)
    transport = choice("TRANSPORT", value["TRANSPORT"], ("auto", "view", "vpi"))
    if transport == "view" and sim == "icarus":
        raise UserError("TRANSPORT=view: needs SIM=verilator; use vpi")
    code = flag("CODE", value["CODE"])
    if code and sim == "icarus":
        raise UserError("CODE=1: needs SIM=verilator")
    if transport == "auto":
        transport = "view" if sim == "verilator" else "vpi"
    rtl = (ROOT / value["RTL"]).resolve()
    if not (rtl / "common").is_dir():
        raise UserError(f"RTL={value['RTL']}: no such folder, or no common/ in it")
    chosen = network.from_variables(value)
    return Variables(
        network=chosen,
        test=values.get("TEST", chosen.default_test),
        sim=sim,
        seed=seed,
        waves=flag("WAVES", value["WAVES"]),
        debug=flag("DEBUG", value["DEBUG"]),
        transport=transport,
        coverage=flag("COVERAGE", value["COVERAGE"]),
        code=code,
        rtl=rtl,
        build=writable(value["BUILD"]) if write else (ROOT / value["BUILD"]).resolve(),
    )


def writable(folder: str) -> Path:
    """A folder below the root, made if it is not there; UserError if nobody may write to it."""
    path = (ROOT / folder).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(f"BUILD={folder}: cannot be written: {error.strerror}") from None
    return path
