"""`make sim`: build a network, drive tests into it, print the results."""

import errno
import json
import os
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from fattree_bench.bench import progress
from fattree_bench.bench.scenario import WATCH
from fattree_bench.errors import UserError
from fattree_bench.families import foretold, select
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, build
from fattree_bench.sim.changed import Rtl
from fattree_bench.sim.console import print_outcome, print_table, say
from fattree_bench.sim.continued import interrupted, simulate_all, together, unbuilt
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.pulse import phase
from fattree_bench.terminal import Terminal

LEAST = 1 << 14  # bytes on a disk that is not full


class Live:
    """Looks at the results of a running simulation, and tells when there are more of them."""

    def __init__(self, names: Sequence[str], tell: Callable[[str], None]) -> None:
        self._names, self._tell = names, tell
        self._done, self._clock = 0, ""

    def look(self, results: Path) -> None:
        """Tell what runs now, if that has changed; the last line may be half written."""
        lines = results.read_bytes().split(b"\n")[:-1] if results.exists() else []
        clock = progress.read(results.parent)
        if (len(lines), clock) == (self._done, self._clock):
            return
        self._done, self._clock = len(lines), clock
        failed = [found["scenario"] for found in map(json.loads, lines) if found["faults"]]
        left = self._names[self._done : self._done + 1]
        now = f"running {left[0]}" if left else "ending"
        told = f"{now}, {self._done} of {len(self._names)} tests done{clock}"
        self._tell(told + (f"; {len(failed)} failed: {', '.join(failed[:3])}" if failed else ""))


def run(console: Terminal, arguments: list[str], also: bool = False) -> int:
    """0 passed, 1 the design failed; UserError: it was asked for what cannot be.

    `also`: another form has passed, and this one need not contain a changed file.
    """
    given = v.collect(arguments)
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
    parts, rtl = list[Outcome](), Rtl(settings, given, also)
    for agent in dict.fromkeys(s.agent for s in fit):
        part = [s for s in fit if s.agent == agent]
        try:
            what = f"building {settings.network.name} for {settings.sim}"
            built = build(settings, agent, phase(console, what))
        except BuildError as error:
            parts.append(unbuilt(part, error))
            continue
        if not rtl.inside(built.folder):
            if rtl.other:
                return run(console, [*arguments, rtl.other])
            say(console, rtl.elsewhere)
            return 0
        if built.seconds:
            console.print(f"built in {built.seconds:.1f} s")
        if settings.verbose:
            _say_log(console, built.folder / "build.log")
        what = part[0].name if len(part) == 1 else f"{len(part)} tests"
        with phase(console, f"running {what}") as update:
            found = simulate_all(settings, built, part, partial(Live, tell=update))
        parts += found
        for outcome in found if settings.verbose else ():
            _say_log(console, outcome.log)
        if interrupted(together(parts)):
            break
    total = _printed(console, settings, parts)
    if rtl.missed:
        say(console, rtl.elsewhere, style="yellow")
    if total.passed and rtl.other:
        return run(console, [*arguments, rtl.other], also=True)
    return 0 if total.passed else 1


def _printed(console: Terminal, settings: v.Variables, parts: list[Outcome]) -> Outcome:
    """What all simulations left, after it was printed; KeyboardInterrupt if the user ended them."""
    total = together(parts)
    if not total.results:
        refuse_full(settings.build)
    if all(part.unbuilt for part in parts):
        console.print(total.problems[0], style="red", markup=False, soft_wrap=True)
        return total
    print_outcome(console, settings, total)
    if interrupted(total):
        raise KeyboardInterrupt
    if not total.passed:
        refuse_full(settings.build)
    return total


def refuse_full(folder: Path) -> None:
    """OSError if the disk of a folder is full: whatever has failed, it has for this."""
    if shutil.disk_usage(folder).free < LEAST:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def _say_log(console: Terminal, path: Path) -> None:
    """What a compiler or a simulator said."""
    text = path.read_text(errors="replace") if path.exists() else ""
    console.print(text.rstrip(), markup=False, soft_wrap=True)
