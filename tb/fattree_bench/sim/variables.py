"""The variables of `make sim`; old cocotb names still work."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryFile

from fattree_bench import settings
from fattree_bench.bench.around import Around
from fattree_bench.bench.chosen import Chosen
from fattree_bench.bench.network import Network
from fattree_bench.errors import UserError
from fattree_bench.families import DEFAULT, DESCRIBED, find, select
from fattree_bench.paths import CLONE, ROOT, RTL, call
from fattree_bench.settings import Part, Settings, flag, number, parsed, refuse_unknown, text, word

SIMS, BOUGHT = ("verilator", "icarus"), ("questa", "riviera", "vcs", "xcelium")
SEEDS = 1 << 32


def resolved(folder: str) -> Path:
    """A folder, which may be named from the root."""
    return (ROOT / folder).resolve()


def hardware(folder: str) -> Path:
    """A folder of Verilog; ValueError if it is none."""
    if not (resolved(folder) / "common").is_dir():
        raise ValueError("no such folder, or no common/ in it")
    return resolved(folder)


def writable(folder: str) -> Path:
    """A folder below the root, made if it is not there; UserError if it cannot be written to."""
    path = resolved(folder)
    if not folder:
        raise UserError("BUILD=: must be a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=path).close()
    except OSError as error:
        raise UserError(f"BUILD={folder}: cannot be written: {error.strerror}") from None
    return path


def drawn_seed() -> str:
    """A random seed; it is printed, and replays as any other."""
    return str(secrets.randbelow(SEEDS))


class Folders(Settings):
    """What every command that builds takes."""

    rtl = parsed("RTL", "rtl" if CLONE else str(RTL), "folder to take the Verilog from", hardware)
    build = parsed("BUILD", "build", "folder for everything that is generated", writable)


class Variables(Folders):
    """Checked variables of one simulation, and the network that its own variables make."""

    network: Network

    kind = text("NETWORK", DEFAULT, "which network")
    test = text(
        "TEST", "", "tests, by name or glob, comma-separated (make list); else the usual one"
    ).but(environment=True, old=("TESTCASE", "COCOTB_TESTCASE"))
    sim = word("SIM", "verilator", (*SIMS, *BOUGHT)).but(environment=True)
    seed = number(
        *("SEED", 1, 0, SEEDS - 1, "{allowed}, decides all random choices"),
        allowed="{low} … {high} or random",
    ).but(environment=True, old=("COCOTB_RANDOM_SEED",), draw=drawn_seed)
    waves = flag("WAVES", 0, "write waves (make waves)").but(environment=True, old=("GUI",))
    debug = flag("DEBUG", 0, "build with every signal visible to Python")
    access = word(
        "TRANSPORT", "auto", {"auto": "", "view": "Verilator's memories", "vpi": "bulk VPI access"}
    )
    coverage = flag("COVERAGE", 1, off="do not count functional coverage")
    code = flag("CODE", 0, "count code coverage (Verilator), in the run's coverage.dat").but(
        old=("COV",)
    )
    verbose = flag(
        "VERBOSE", 0, "print all variables, cover groups, columns, and the logs of the tools"
    )
    native = flag("NATIVE", 0, "compile for long runs on this kind of processor (Verilator)")
    witness = text("WITNESS", "", "a counter-example of make formal, played instead of tests")
    around, chosen = Part(Around), Part(Chosen)
    time_limit = number("TIME_LIMIT", 86400, 1, 10**7, "seconds after which a simulation is ended")
    log_limit = number(
        "LOG_LIMIT", 64, 1, 10**6, "megabytes of log after which a simulation is ended"
    )

    def check(self) -> None:
        for sims, needs, told in (
            (SIMS[:1], self.access == "view", "TRANSPORT=view: needs SIM=verilator; use vpi"),
            (SIMS[:1], self.code, "CODE=1: needs SIM=verilator"),
            (SIMS, self.waves or self.witness, "WAVES=1, WITNESS: need SIM=verilator or icarus"),
        ):
            if needs and self.sim not in sims:
                raise UserError(told)
        self.chosen.refuse(lambda: select(self.network, self.test))

    @property
    def rows(self) -> int:
        """Slots, clocks or delivery cycles of random traffic, or that are watched."""
        usual = self.chosen.rows(self.network.traffic_rows(self.sim))
        return usual if self.around.active else self.around.watched

    @property
    def transport(self) -> str:
        """How Python reaches the players' memories."""
        return "view" if self.sim == "verilator" and self.access != "vpi" else "vpi"

    def replay(self, test: str) -> str:
        """The command line that repeats one test."""
        words = {"NETWORK": self.network.name, **self.network.changed()}
        words |= self.chosen.changed() | ({"RTL": str(self.rtl)} if self.rtl != RTL else {})
        words |= {"TEST": test} if self.around.active else self.around.changed()
        return command("sim", words | {"SIM": self.sim, "SEED": str(self.seed)})


def command(name: str, given: Mapping[str, str], quote: Callable[[str], str] = str) -> str:
    """A command as its user may call it again; a design that is named needs no network."""
    words = dict(given)
    if words.get("DESIGN"):
        words.pop("NETWORK", None)
    told = [call(), name]
    if call() == "ftb" and words.get("DESIGN", "").endswith(".toml"):
        told.append(quote(words.pop("DESIGN")))
    return " ".join([*told, *(f"{k}={quote(x)}" for k, x in words.items())])


class Told(Variables):
    """The same where nothing will be written."""

    build = Variables.build.but(read=lambda text, _: resolved(text))


COMMON = Variables.parameters
ALIASES = {old: p.name for p in COMMON for old in p.old}
FROM_ENVIRONMENT = tuple(name for p in COMMON if p.environment for name in (p.name, *p.old))


def collect(arguments: Iterable[str]) -> dict[str, str]:
    """NAME=value arguments over the environment; aliases resolved, names not yet checked."""
    return settings.collect(arguments, COMMON, others=True)


def implied(given: Mapping[str, str]) -> dict[str, str]:
    """What DESIGN=file implies: its network, and that all goes to build/ there."""
    design = given.get("DESIGN", "")
    said = {"NETWORK": DESCRIBED} if design else {}
    if design and resolved(design).is_file():
        said["BUILD"] = str(resolved(design).parent / "build")
    return {name: value for name, value in said.items() if name not in given}


def check(values: dict[str, str], write: bool = True) -> Variables:
    """All variables, or UserError with the first that is wrong; `write`: BUILD must be writable."""
    chosen = find(values.get("NETWORK", Variables.kind.default))
    refuse_unknown(values, (*COMMON, *chosen.parameters))
    network = chosen.from_variables(values)
    network.verilog()  # some networks have a model, but no RTL
    made = Variables if write else Told
    return made.from_variables({"TEST": network.default_test, **values}, network=network)
