"""`make show`: runs a test, and writes a page that plays it."""

import contextlib
import os
import sys
import webbrowser
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from fattree_bench.bench.scenario import Scenario
from fattree_bench.errors import UserError
from fattree_bench.families import played, select
from fattree_bench.families.showing import Kept, Show
from fattree_bench.paths import call
from fattree_bench.show.asked import Asked
from fattree_bench.show.disagreements import first_wrong
from fattree_bench.show.page import MOST_BYTES, page
from fattree_bench.show.waves import FileWaves
from fattree_bench.sim import variables as v
from fattree_bench.sim.build import BuildError, build
from fattree_bench.sim.changed import containing
from fattree_bench.sim.console import print_outcome
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.simulate import simulate

LEAD = 2  # times before the wanted one that a page also holds
MOST_HOPS = 600_000  # that a page is tried with at first
FILES = ("waves.vcd", "waves.fst")


@dataclass(frozen=True)
class Shown:
    """A page that was written, and the first time at which the RTL differs from the model."""

    path: Path
    wrong: int | None
    says: str


def run(console: Console, arguments: Iterable[str]) -> int:
    """0: the test passed, 1: it failed; the page is there in both cases."""
    given = v.collect(arguments)
    own = {p.name: given.pop(p.name) for p in Asked.parameters if p.name in given}
    asked = Asked.from_variables(own)
    settings, scenario, show = chosen(given, asked)
    try:
        console.print(f"building {settings.network.name} for {settings.sim} …", soft_wrap=True)
        built = containing(settings, build(settings, scenario.agent))
    except BuildError as error:
        console.print(str(error), style="red", markup=False, soft_wrap=True)
        return 1
    kept = settings.build / "show" / f"kept-{os.getpid()}.npz"
    kept.parent.mkdir(exist_ok=True)
    try:
        outcome = simulate(settings, built, [scenario], shown=str(kept), slot=asked.slot)
        print_outcome(console, settings, outcome)
        if not anything(kept) and not (outcome.passed and asked.slot is not None):
            reason = "the simulation ended before the first burst of its clocks was over"
            console.print(f"[red]nothing to show: {reason}[/]", soft_wrap=True)
            return 1
        shown = written(settings, scenario, show, outcome, kept, asked.slot)
    finally:
        kept.unlink(missing_ok=True)
    if shown.says:
        console.print(f"first disagreement: {escape(shown.says)}", soft_wrap=True)
    at = asked.slot if asked.slot is not None else shown.wrong
    link = shown.path.as_uri() + ("" if at is None else anchor(at))
    console.print(f"page: {shown.path}", soft_wrap=True, markup=False)
    if asked.open:
        opened(link)
    return 0 if outcome.passed else 1


def chosen(given: dict[str, str], asked: Asked) -> tuple[v.Variables, Scenario, Show]:
    """The simulation, its one test, and what its family shows; UserError if it cannot be."""
    if given.get("WITNESS"):
        raise UserError("WITNESS: is played by make sim alone")
    network = v.check(given, write=False).network
    show: Show | None = played(network)
    if show is None:
        raise UserError(f"NETWORK={network.name}: has no page; {call()} sim … WAVES=1 writes waves")
    more = dict(show.variables)
    if show.taps and asked.inside:
        more["WAVES"] = "1"
    settings = v.check({**given, **more})
    tests = select(settings.network.name, settings.test)
    if len(tests) != 1:
        raise UserError(f"TEST={settings.test}: is {len(tests)} tests; a page plays one")
    if reason := tests[0].unfit(settings.network):
        raise UserError(f"TEST={tests[0].name}: not for this network: {reason}")
    return settings, tests[0], show


def anchor(time: int) -> str:
    """Where a page begins: to be put behind its address."""
    return f"#t={time}"


def opened(link: str) -> None:
    """Open a page where there is a desktop; never fail where there is none."""
    desktop = sys.platform in ("darwin", "win32")
    desktop = desktop or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if desktop and sys.stdout.isatty():
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(link)


def written(
    settings: v.Variables,
    scenario: Scenario,
    show: Show,
    outcome: Outcome,
    saved: Path,
    slot: int | None,
) -> Shown:
    """Write the page of a run: as much of it, about the wanted time, as a page holds."""
    network = settings.network
    kept = read(saved, outcome, f"{network.rtl.top}.clk", slot)
    wrong = None
    if slot is None:
        wrong = first_wrong(show.scene(network, kept, kept.first, kept.first + kept.rows - 1))
        slot = None if wrong is None else wrong.time
    end = kept.first + kept.rows - 1
    if slot is not None and not kept.first <= slot <= end:
        raise UserError(f"SLOT={slot}: the run that was kept has {kept.first} … {end}")
    rows = min(kept.rows, max(16, int(MOST_HOPS / show.hops(network))))
    while True:
        first = kept.first if slot is None or rows >= kept.rows else max(kept.first, slot - LEAD)
        last = min(end, first + rows - 1)
        scene = show.scene(network, kept, first, last)
        found = wrong or first_wrong(scene)
        text = page(settings, scenario, outcome, scene, found, whole=(kept.first, end), at=slot)
        if len(text.encode()) < MOST_BYTES or rows <= 1:
            break
        rows = max(1, rows // 2)
    path = place(settings, scenario.name)
    path.write_text(text, encoding="utf-8")
    return Shown(path, None if found is None else found.time, "" if found is None else found.says)


def place(settings: v.Variables, test: str) -> Path:
    """The page of a test, which may be in a file."""
    name = f"{settings.network.name}-{test.replace('/', '-')}-{settings.seed}.html"
    return settings.build / "show" / name


def anything(saved: Path) -> bool:
    """Whether an onlooker kept a frame."""
    if not saved.exists():
        return False
    with np.load(saved) as file:
        return bool(len(file["frames"]))


def read(saved: Path, outcome: Outcome, clock: str, slot: int | None) -> Kept:
    """What an onlooker kept: the frames in one piece that hold the wanted time, or the last piece.

    The last piece has the first fault, if there was one.
    """
    with np.load(saved) as file:
        arrays: dict[str, Any] = dict(file)
    frames = arrays["frames"]
    if not len(frames):
        raise UserError(f"SLOT={slot}: the run is over before it")
    gaps = np.flatnonzero(frames[1:, 0] != frames[:-1, 0] + frames[:-1, 1]) + 1
    pieces = np.split(np.arange(len(frames)), gaps)
    piece = pieces[-1]
    if slot is not None:
        inside = [p for p in pieces if frames[p[0], 0] <= slot < frames[p[-1], :2].sum()]
        piece = inside[0] if inside else piece
    names = {name.partition("/")[2] for name in arrays if "/" in name}
    joined = {name: np.concatenate([arrays[f"{k}/{name}"] for k in piece]) for name in names}
    folder = Path(outcome.log).parent
    path = next((folder / name for name in FILES if (folder / name).exists()), None)
    waves = None if path is None else FileWaves(path, clock, frames[piece])
    mine = frames[piece]
    return Kept(
        first=int(mine[0, 0]),
        rows=int(mine[:, 1].sum()),
        clocks=int(mine[:, 2].sum()),
        arrays=joined,
        waves=waves,
        wanted=slot,
    )
