"""`make sim`: build a network, drive tests into it, print the results."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.text import Text

from fattree_bench.bench.scenario import WATCH
from fattree_bench.errors import UserError
from fattree_bench.families import foretold, select
from fattree_bench.settings import IGNORED
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, build
from fattree_bench.sim.changed import Rtl
from fattree_bench.sim.console import print_outcome, print_table, say
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.simulate import simulate
from fattree_bench.terminal import Terminal

PULSE = 10.0  # seconds of silence at most


def run(console: Terminal, arguments: list[str]) -> int:
    """0 passed, 1 the design failed; UserError: it was asked for what cannot be."""
    given = v.collect(arguments)
    if given.get("WITNESS"):
        return _witness(console, given, arguments)
    settings = v.check(given)
    if not settings.around.active and "TEST" in given:
        raise UserError("TEST=…: goes with ACTIVE=1; a design of your own chooses its traffic")
    chosen = select(settings.network, settings.test) if settings.around.active else [WATCH]
    unfit: dict[str, list[str]] = {}  # names by reason
    for scenario in chosen:
        if reason := scenario.unfit(settings.network):
            unfit.setdefault(reason, []).append(scenario.name)
    fit = [s for s in chosen if not any(s.name in names for names in unfit.values())]
    for reason, names in unfit.items():
        if not fit:
            asked = f"TEST={names[0]}" if settings.around.active else "ACTIVE=0"
            raise UserError(f"{asked}: not for this network: {reason}")
        say(console, f"skipped {', '.join(names)}: {reason}", style="yellow")
    for said in foretold(settings.network):
        if isinstance(said, str):
            say(console, said)
        else:
            print_table(console, said)
    total, rtl = Outcome(), Rtl(settings, given)
    for agent in dict.fromkeys(s.agent for s in fit):
        part = [s for s in fit if s.agent == agent]
        try:
            what = f"building {settings.network.name} for {settings.sim}"
            built = build(settings, agent, _progress(console, what))
        except BuildError as error:
            console.print(str(error), style="red", markup=False, soft_wrap=True)
            return 1
        if not rtl.inside(built.folder):
            return run(console, [*arguments, rtl.other])
        if built.seconds:
            console.print(f"built in {built.seconds:.1f} s")
        if settings.verbose:
            _say_log(console, built.folder / "build.log")
        what = part[0].name if len(part) == 1 else f"{len(part)} tests"
        with _progress(console, f"running {what}") as update:
            outcome = simulate(settings, built, part, tell=update)
        if settings.verbose:
            _say_log(console, outcome.log)
        for each in ("results", "stopped", "problems", "unfinished", "complaints"):
            getattr(total, each).extend(getattr(outcome, each))
        total.seconds += outcome.seconds
        total.log = outcome.log
        total.waves = outcome.waves or total.waves
    print_outcome(console, settings, total)
    if rtl.missed:
        say(console, rtl.elsewhere, style="yellow")
    if total.passed and rtl.other:
        return run(console, [*arguments, rtl.other])
    return 0 if total.passed else 1


def _witness(console: Terminal, given: dict[str, str], arguments: list[str]) -> int:
    """Play a counter-example of `make formal` in a simulator."""
    from fattree_bench.formal.trace import replay

    for argument in arguments:
        name = argument.partition("=")[0]
        if name not in ("WITNESS", "SIM", "BUILD", *IGNORED):
            raise UserError(f"{name}: goes with tests, not with WITNESS=…; there is SIM, BUILD")
    sim, build = v.Variables.sim, v.Folders.build
    return replay(
        console, given["WITNESS"], sim.read_from(given, None), build.read_from(given, None)
    )


def _say_log(console: Terminal, path: Path) -> None:
    """What a compiler or a simulator said."""
    text = path.read_text(errors="replace") if path.exists() else ""
    console.print(text.rstrip(), markup=False, soft_wrap=True)


@contextmanager
def _progress(console: Terminal, what: str) -> Iterator[Callable[[str], None]]:
    """A spinner on a terminal, lines elsewhere: one at once, then one every PULSE seconds.

    The caller may change the words.
    """
    if console.is_terminal:
        with console.status(Text(what)) as status:
            yield lambda text: status.update(Text(text))
        return
    words, ended, start = [what], threading.Event(), time.monotonic()

    def beat() -> None:
        while not ended.wait(PULSE):
            say(console, f"{words[0]} … {time.monotonic() - start:.0f} s")

    say(console, f"{what} …")
    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield lambda text: words.__setitem__(0, text)
    finally:
        ended.set()
        thread.join()
