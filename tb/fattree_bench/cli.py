"""`python -m fattree_bench COMMAND NAME=value …`: what every make target calls."""

import sys
from collections.abc import Callable

from rich.console import Console

from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT
from fattree_bench.settings import choice
from fattree_bench.sim import variables as v

# Where nobody sees a terminal's width, lines are as long as they need to be.
console = Console(highlight=False, width=None if sys.stdout.isatty() else 180)


def sim(arguments: list[str]) -> int:
    """Build a network, drive tests into it, print what came of it."""
    from fattree_bench.families import select
    from fattree_bench.sim.build import BuildError, build
    from fattree_bench.sim.console import print_outcome
    from fattree_bench.sim.simulate import Outcome, simulate

    given = v.collect(arguments)
    if given.get("WITNESS"):
        return witness(given, arguments)
    settings = v.check(given)
    chosen = select(settings.network.name, settings.test)
    reasons = {s.name: reason for s in chosen if (reason := s.unfit(settings.network))}
    fit = [s for s in chosen if s.name not in reasons]
    for name, reason in reasons.items():
        if not fit:
            raise UserError(f"TEST={name}: not for this network: {reason}")
        console.print(f"[yellow]skipped {name}: {reason}[/]")
    total = Outcome()
    for agent in dict.fromkeys(s.agent for s in fit):
        part = [s for s in fit if s.agent == agent]
        try:
            with progress(f"building {settings.network.name} for {settings.sim}"):
                built = build(settings, agent)
        except BuildError as error:
            console.print(str(error), style="red", markup=False, soft_wrap=True)
            return 1
        if built.seconds:
            console.print(f"built in {built.seconds:.1f} s")
        with progress(f"running {', '.join(s.name for s in part)}"):
            outcome = simulate(settings, built, part)
        total.results += outcome.results
        total.stopped += outcome.stopped
        total.problems += outcome.problems
        total.unfinished += outcome.unfinished
        total.seconds += outcome.seconds
        total.log = outcome.log
    print_outcome(console, settings, total)
    return 0 if total.passed else 1


def witness(given: dict[str, str], arguments: list[str]) -> int:
    """Play a counter-example of `make formal` in a simulator."""
    from fattree_bench.formal.trace import replay

    for argument in arguments:
        name = argument.partition("=")[0]
        if name not in ("WITNESS", "SIM", "BUILD", *v.IGNORED):
            raise UserError(f"{name}: goes with tests, not with WITNESS=…; there is SIM, BUILD")
    value = {p.name: p.default for p in v.COMMON} | given
    sim = choice("SIM", value["SIM"], v.SIMS)
    return replay(console, value["WITNESS"], sim, v.writable(value["BUILD"]))


def progress(what: str) -> "_Progress":
    """A spinner on a terminal, a plain line elsewhere."""
    return _Progress(what)


class _Progress:
    def __init__(self, what: str) -> None:
        self.status = console.status(what) if console.is_terminal else None
        if self.status is None:
            console.print(f"{what} …", soft_wrap=True)

    def __enter__(self) -> None:
        if self.status:
            self.status.start()

    def __exit__(self, *_: object) -> None:
        if self.status:
            self.status.stop()


def list_all(arguments: list[str]) -> int:
    """List networks and their tests."""
    from fattree_bench.families import NETWORKS, scenarios

    for name, network in NETWORKS.items():
        console.print(f"[bold]{name}[/]: {network.summary}", soft_wrap=True)
        for scenario in scenarios(name).values():
            console.print(f"  {scenario.name:<16} {scenario.summary}", soft_wrap=True)
    return 0


def waves(arguments: list[str]) -> int:
    """Say where the newest waves are and how to open them."""
    values = v.collect(arguments)
    folder = ROOT / values.get("BUILD", "build") / "runs"
    found = sorted(
        [p for p in folder.glob("*/waves.*") if p.suffix in (".vcd", ".fst")],
        key=lambda p: p.stat().st_mtime,
    )
    if not found:
        raise UserError("no waves yet: make sim WAVES=1 writes them")
    console.print(f"newest waves: {found[-1]}", soft_wrap=True)
    console.print(f"open them with: surfer {found[-1]}   or   gtkwave {found[-1]}", soft_wrap=True)
    return 0


def help_all(arguments: list[str]) -> int:
    """Print the variables with their defaults."""
    from fattree_bench.area import command as area_session
    from fattree_bench.explore import command as explore
    from fattree_bench.families import NETWORKS
    from fattree_bench.formal import command as formal_session
    from fattree_bench.jobs import farm
    from fattree_bench.mutate import command as mutate_session
    from fattree_bench.regress import command as regress

    groups = {
        "variables of make sim": v.COMMON,
        **{f"variables of NETWORK={name}": n.parameters for name, n in NETWORKS.items()},
        "variables of make regress and make coverage": regress.PARAMETERS,
        "variables of FARM=…": farm.PARAMETERS,
        "variables of make explore": explore.PARAMETERS,
        "variables of make formal": formal_session.PARAMETERS,
        "variables of make mutate": mutate_session.PARAMETERS,
        "variables of make area": area_session.PARAMETERS,
    }
    for title, parameters in groups.items():
        console.print(f"\n[bold]{title}[/]")
        for p in parameters:
            console.print(f"  {p.name:<15} {p.default:<17} {p.help}", soft_wrap=True)
    aliases = ", ".join(f"{old} = {new}" for old, new in v.ALIASES.items())
    console.print(f"\nold names still work: {aliases}")
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


def regress(arguments: list[str]) -> int:
    """Run a tier of the testplan."""
    from fattree_bench.regress.command import run

    return run(console, arguments, code=False)


def coverage(arguments: list[str]) -> int:
    """Run a tier of the testplan with code coverage, and report on it."""
    from fattree_bench.regress.command import run

    return run(console, arguments, code=True)


def explore(arguments: list[str]) -> int:
    """Sweep the load: latency and accepted load, with confidence."""
    from fattree_bench.explore.command import run

    return run(console, arguments)


def formal(arguments: list[str]) -> int:
    """Prove the properties of the networks and their blocks."""
    from fattree_bench.formal.command import run

    return run(console, arguments)


def mutate(arguments: list[str]) -> int:
    """Put faults into a network one by one and count how many the bench kills."""
    from fattree_bench.mutate.command import run

    return run(console, arguments)


def area(arguments: list[str]) -> int:
    """Synthesize networks and count what they are made of."""
    from fattree_bench.area.command import run

    return run(console, arguments)


def lint(arguments: list[str]) -> int:
    """Check the Verilog with three tools and the Python with two."""
    from fattree_bench.lint import run

    return run(console)


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "sim": sim,
    "list": list_all,
    "waves": waves,
    "help": help_all,
    "bench": bench,
    "lint": lint,
    "regress": regress,
    "coverage": coverage,
    "explore": explore,
    "formal": formal,
    "mutate": mutate,
    "area": area,
}


def main(arguments: list[str]) -> int:
    """Exit status: 0 passed, 1 the design or a check failed, 2 the user's mistake."""
    try:
        if not arguments or arguments[0] not in COMMANDS:
            raise UserError(f"usage: python -m fattree_bench {'|'.join(COMMANDS)} NAME=value …")
        return COMMANDS[arguments[0]](arguments[1:])
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def start() -> None:
    """The console script `ftb`."""
    sys.exit(main(sys.argv[1:]))
