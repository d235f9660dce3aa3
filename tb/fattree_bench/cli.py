"""`ftb COMMAND NAME=value …`: the console script, and what every make target calls.

A word that ends in .toml means DESIGN=word: `ftb sim my_switch.toml TEST=uniform`.
"""

import errno
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fattree_bench.clipping import clipped, refuse_twice
from fattree_bench.errors import UserError, meant, one_line
from fattree_bench.extras import EXTRAS, missing
from fattree_bench.paths import CALL_VARIABLE, MODELS, ROOT, call, clone
from fattree_bench.settings import Variable, collect
from fattree_bench.sim import variables as v
from fattree_bench.sim.interrupt import answered, interruptible
from fattree_bench.sim.pulse import pulse
from fattree_bench.terminal import Streams, Terminal

if TYPE_CHECKING:
    from fattree_bench.campaign import Campaign

console = Terminal()
# What a machine may lack, and no one's mistake: a full disk, a folder that is not ours.
MACHINE = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM),
    *(errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENAMETOOLONG),
)


def sim(arguments: list[str]) -> int:
    """Build a network, drive tests into it, print what came of it."""
    if v.collect(arguments).get("WITNESS"):
        from fattree_bench.prove.witness import run as play

        return play(console, arguments)
    from fattree_bench.simulated import run

    return run(console, arguments)


def list_all(arguments: list[str]) -> int:
    """List networks and their tests; NETWORK=x: of one network; of a design, those that fit it."""
    from fattree_bench.families import NETWORKS, find, scenarios

    given = v.collect(arguments)
    if given.get("DESIGN"):
        one = find(given["NETWORK"]).from_variables(given)
        for scenario in scenarios(one).values():
            why = f" (not for it: {reason})" if (reason := scenario.unfit(one)) else ""
            console.entry(f"  {scenario.name}", f"{scenario.summary}{why}", 19)
        return 0
    only = collect(arguments, (v.Variables.kind,)).get("NETWORK")
    for name, network in {only: find(only)}.items() if only else NETWORKS.items():
        console.print(f"[bold]{name}[/]: {network.summary}")
        for scenario in scenarios(name).values():
            console.entry(f"  {scenario.name}", scenario.summary, 19)
    return 0


def waves(arguments: list[str]) -> int:
    """Say where the newest waves are and how to open them."""
    from fattree_bench.bench.sentences import opened

    # Those of a design are next to it: BUILD says where.
    words = [word for word in arguments if word.partition("=")[0] not in ("DESIGN", "NETWORK")]
    values = collect(words, (v.Folders.build,))
    folder = v.resolved(values.get("BUILD", v.Folders.build.default)) / "runs"
    found = sorted(
        [p for p in folder.glob("*/waves.*") if p.suffix in (".vcd", ".fst")],
        key=lambda p: p.stat().st_mtime,
    )
    if not found:
        raise UserError(f"no waves in {folder}: {call()} sim … WAVES=1 writes them")
    console.print(f"newest waves: {found[-1]}", soft_wrap=True)
    for command in opened(str(found[-1])):
        console.print(f"open them with: {command}", markup=False, soft_wrap=True)
    return 0


def own(command: str) -> tuple[Variable[Any], ...]:
    """The variables of a command, without those of the network that it is for."""
    if command in DECLARED:
        module, name = DECLARED[command]
        found: tuple[Variable[Any], ...] = attrgetter(name)(
            import_module(f"fattree_bench.{module}")
        )
        return found
    return campaign(command).variables.parameters if command in CAMPAIGNS else ()


def groups() -> dict[str, tuple[Variable[Any], ...]]:
    """Variables by the network or command that they belong to."""
    from fattree_bench.families import NETWORKS
    from fattree_bench.jobs.farm_options import FarmOptions

    owners = dict.fromkeys(["sim", *CAMPAIGNS, *DECLARED])
    of_commands = {f"make {name}": own(name) for name in owners}
    of_networks = {name: network.parameters for name, network in NETWORKS.items()}
    return {**of_commands, **of_networks, "FARM": FarmOptions.parameters}


def whole_tables() -> dict[str, str]:
    """The tables of families, for the README, and of models."""
    from fattree_bench.families import FAMILIES, NETWORKS, about, family
    from fattree_bench.tables import of_models, of_networks

    names = {x: [name for name in NETWORKS if family(name) == x] for x in FAMILIES}
    networks = of_networks(ROOT / "docs", {x: (about(x), names[x]) for x in FAMILIES})
    return {"networks": networks, "models": of_models(MODELS)}


def help_all(arguments: list[str]) -> int:
    """Print the variables with their defaults; NETWORK=x: of one network; sim: of a command."""
    from fattree_bench.families import DEFAULT, find

    if arguments and arguments[0] in COMMANDS:
        (command, *more) = arguments
        collect(more, ())
        console.print(f"[bold]{call()} {command}[/]: {does(command)}")
        say_variables(command, own(command))
        console.print(f"\nof a network: {call()} help NETWORK={DEFAULT}", soft_wrap=True)
        return 0
    given = collect(arguments, (v.Variables.kind,))
    if given:  # the commands, which need packages of their own, are not asked
        network = find(given["NETWORK"])
        console.print(f"[bold]{network.name}[/]: {network.summary}")
        say_variables(network.name, network.parameters)
        return 0
    for name, parameters in groups().items():
        say_variables(name, parameters)
    aliases = ", ".join(f"{old} = {new}" for old, new in v.ALIASES.items())
    console.print(f"\nother names that also work: {aliases}")
    return 0


def say_variables(owner: str, parameters: tuple[Variable[Any], ...]) -> None:
    """A line each."""
    if parameters:
        console.print(f"\n[bold]variables of {owner}[/]")
    for p in parameters:
        console.entry(f"  {p.name:<15} {p.default}", p.help, 36)


def docs(arguments: list[str]) -> int:
    """Write tables of variables and networks into the documents, claims, and the drawings.

    REPORT=coverage.json: the whole nightly or full tier whose verdicts the documents count.
    """
    from fattree_bench import claims, drawings
    from fattree_bench.report.database import read_json
    from fattree_bench.tables import renew

    given = collect(arguments, (claims.REPORT,))
    clone("docs")
    if found := given.get("REPORT"):
        try:
            claims.record(read_json(ROOT / found))
        except ValueError as error:
            raise UserError(f"REPORT={error}") from None
    pages = [*claims.renew(ROOT / "docs", ROOT / "README.md"), *drawings.renew(ROOT / "docs")]
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for path in [*pages, *renew(paths, groups(), whole_tables())]:
        console.print(f"renewed {path.relative_to(ROOT)}")
    return 0


def bench(arguments: list[str]) -> int:
    """Measure."""
    from fattree_bench.sim.build import BuildError
    from fattree_bench.speed.command import run

    try:
        return run(console, v.collect(arguments))
    except BuildError as error:
        console.print(str(error), style="red", markup=False, soft_wrap=True)
        return 1


def campaign(name: str) -> "type[Campaign]":
    """A command that runs jobs; imported on use, as each needs much that others do not."""
    module, kind, _ = CAMPAIGNS[name]
    place = f"fattree_bench.{module}{'.command' * ('.' not in module)}"
    found: type[Campaign] = getattr(import_module(place), kind)
    return found


def run_campaign(name: str, arguments: list[str]) -> int:
    """Run one of CAMPAIGNS."""
    from fattree_bench.campaign import run

    return run(console, campaign(name), arguments)


def run_called(name: str, arguments: list[str]) -> int:
    """Run one of CALLED."""
    status: int = import_module(f"fattree_bench.{CALLED[name][0]}").run(console, arguments)
    return status


def lint(arguments: list[str]) -> int:
    """Check the Verilog with three tools and the Python with two."""
    from fattree_bench.lint import run

    collect(arguments, ())
    clone("lint")
    return run(console)


CAMPAIGNS = {  # folder, class, what it does
    "regress": ("regress.close", "Regression", "Run a tier of the testplan."),
    "coverage": ("regress", "Coverage", "The same with code coverage."),
    "explore": ("explore", "Explore", "Sweep the load: latency, accepted load and order."),
    "formal": ("formal", "Formal", "Prove rules of our networks and blocks, for all inputs."),
    "mutate": ("mutate", "Mutate", "Put faults into a network, count how many the bench kills."),
    "area": ("area", "Area", "Synthesize: gates, flip-flops, longest path."),
    "universality": ("universality", "Universality", "Simulate layouts on universal fat-trees."),
}
CALLED = {  # module whose `run` it is, what it does
    "show": ("show.command", "Run a test, and write a page that plays it."),
    "shrink": ("shrink.command", "Shrink what a failing run sends to the least that fails so."),
    "prove": ("prove.command", "Prove or refute a router of your own, for all inputs."),
    "new": ("designs.new", "Describe your own design: ftb new my_switch --link stream."),
    "doctor": ("designs.doctor", "Check your own design leaf by leaf; say what to do next."),
    "claim": ("claim.command", "Run what decides an item of a paper: ftb claim L79."),
    "optimise": ("optimise", "List the cheapest networks for a number of processors."),
    "topology": ("fabric.command", "Judge a network of one's own."),
    "history": ("history", "Draw trends of the regressions so far."),
    "compare": (
        "compare",
        "Compare two reports: tests, coverage, figures, claims: ftb compare A B.",
    ),
    "flaky": ("flaky", "List tests that passed and failed with the same sources and seed."),
}
DECLARED = {  # where variables are, of commands that are no campaign or need more: module, name
    "sim": ("sim.variables", "COMMON"),
    "show": ("show.asked", "Asked.parameters"),
    "shrink": ("shrink.command", "Asked.parameters"),
    "prove": ("prove.command", "Asked.parameters"),
    "claim": ("claim.command", "WantedClaim.parameters"),
    "new": ("designs.new", "Wanted.parameters"),
    "doctor": ("designs.doctor", "KNOWN"),
    "optimise": ("optimise", "OPTIMISER.parameters"),
    "topology": ("fabric.asked", "Asked.parameters"),
    "history": ("history", "Asked.parameters"),
    "flaky": ("history", "Asked.parameters"),
    "compare": ("compare", "Asked.parameters"),
    "mutate": ("mutate.asked", "Asked.parameters"),
}
COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "sim": sim,
    "list": list_all,
    "waves": waves,
    "help": help_all,
    "docs": docs,
    "bench": bench,
    "lint": lint,
    **{name: partial(run_called, name) for name in CALLED},
    **{name: partial(run_campaign, name) for name in CAMPAIGNS},
}


def does(command: str) -> str:
    """What it does, in a sentence."""
    known = {**CAMPAIGNS, **CALLED}
    return known[command][-1] if command in known else COMMANDS[command].__doc__ or ""


def usage() -> int:
    """Say what there is."""
    from fattree_bench.families import DEFAULT

    console.print("ftb COMMAND \\[my_switch.toml] NAME=value …\n")
    for name in COMMANDS:
        console.entry(f"  {name}", does(name), 16)
    console.print("\nftb help sim: the variables of a command; ftb help: all of them")
    console.print(f"ftb help NETWORK={DEFAULT}: those of a network")
    return 0


def as_variable(word: str) -> str:
    """DESIGN=… for a design that is named alone; its path holds from the root."""
    if "=" in word or not word.endswith(".toml"):
        return word
    path = Path(word).absolute()
    return f"DESIGN={path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}"


def main(arguments: list[str], once: bool = False) -> int:
    """Exit status: 0 passed, 1 the design or a check failed, 2 the user's mistake, 3 undecided.

    `once`: a variable may be given once; otherwise the last counts.
    """
    try:
        if not arguments or arguments[0] in ("-h", "--help"):
            return usage()
        if arguments[0] == "--version":
            console.print(f"ftb {version('fat-tree-bench')}")
            return 0
        if arguments[0] not in COMMANDS:
            near = meant(arguments[0], COMMANDS)
            told = f"no such command{near or ';'} there is {', '.join(COMMANDS)}"
            raise UserError(f"{arguments[0]}: {told}")
        if {"-h", "--help"} & {*arguments[1:]}:
            return help_all([arguments[0]])
        words = [as_variable(word) for word in arguments[1:]]
        if once:
            refuse_twice(words)
        given = dict(word.split("=", 1) for word in words if "=" in word)
        words += [f"{name}={value}" for name, value in v.implied(given).items()]
        return COMMANDS[arguments[0]](words)
    except UserError as error:
        print(f"error: {clipped(one_line(str(error)), arguments)}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package not in EXTRAS:
            raise
        print(f"error: {arguments[0]}: {missing(package)}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.errno not in MACHINE:
            raise
        where = f"{error.filename}: " if error.filename else ""
        told = one_line(where + str(error.strerror).lower())
        print(f"error: {clipped(told, arguments)}", file=sys.stderr)
        return 2 if error.errno == errno.ENAMETOOLONG else 1
    except KeyboardInterrupt:
        answered()
        print("interrupted", file=sys.stderr)
        return 130


def run() -> None:
    """A process of its own: what make calls."""
    streams = Streams()
    names = os.environ.pop("FTB_GIVEN", "").split()  # of make: no shell has read the values
    given = [f"{name}={os.environ.pop(f'FTB_GIVEN_{name}', '')}" for name in names]
    words = [*sys.argv[1:], *given]
    with interruptible(), pulse(" ".join([call(), *words[:1]]), streams.written):
        status = main(words, once=True)
    sys.exit(streams.close() or status)


def start() -> None:
    """The console script `ftb`."""
    os.environ[CALL_VARIABLE] = "ftb"
    run()
