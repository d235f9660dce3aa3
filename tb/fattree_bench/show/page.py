"""A scene as one page that needs nothing outside itself."""

import base64
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from fattree_bench.families.showing import Gauges, Scene
from fattree_bench.report.html import environment
from fattree_bench.show.disagreements import Wrong
from fattree_bench.sim.outcome import Outcome
from fattree_bench.sim.variables import Variables

HERE = Path(__file__).resolve().parent
MOST_BYTES = 5_000_000
PACKETS = ("source", "destination", "start", "wrong")
HOPS = ("packet", "time", "place", "lane", "step", "who", "part")
ARRIVALS = ("time", "leaf", "expected", "seen", "wrong", "step", "slot")
EVENTS = ("time", "step", "place", "packet", "kind")


def column(values: npt.NDArray[Any]) -> str:
    """Numbers as text: differences of neighbours, byte by byte, compressed."""
    numbers = np.ascontiguousarray(values, np.int64).reshape(-1)
    differences = np.diff(numbers, prepend=0).astype("<i4")
    planes = differences.view(np.uint8).reshape(-1, 4).T
    return base64.b64encode(zlib.compress(np.ascontiguousarray(planes).tobytes(), 9)).decode()


def columns(data: Any, names: Sequence[str]) -> dict[str, str]:
    return {name: column(getattr(data, name)) for name in names}


def content(scene: Scene) -> dict[str, Any]:
    """What the page's script reads of a scene."""
    says, which = np.unique(np.array([*scene.packets.says, ""]), return_inverse=True)
    s = scene.structure
    kinds = np.where(s.level > 0, scene.inner, "leaf").tolist()
    ends = (x.tolist() for x in (s.tail, s.head, s.lanes))
    return {
        "unit": scene.unit,
        "noun": scene.noun,
        "first": scene.first,
        "last": scene.last,
        "steps": scene.steps,
        "slot": scene.slot,
        "step": scene.step,
        "byTime": scene.by_time,
        "bits": list(scene.bits),
        "inside": scene.inside,
        "parts": list(scene.parts),
        "carries": scene.carries,
        "nodes": [
            [name, *at[:2], kind, at[2]]
            for name, at, kind in zip(s.nodes, s.at.tolist(), kinds, strict=True)
        ],
        "links": [list(link) for link in zip(s.links, *ends, strict=True)],
        "says": says.tolist(),
        "packets": {**columns(scene.packets, PACKETS), "says": column(which[:-1])},
        "hops": columns(scene.hops, HOPS),
        "arrivals": columns(scene.arrivals, ARRIVALS),
        "events": columns(scene.events, EVENTS),
        "kinds": [list(kind) for kind in scene.events.kinds],
        "gauges": [_gauges(gauges) for gauges in scene.gauges],
    }


def _gauges(gauges: Gauges) -> dict[str, Any]:
    made = {
        "names": list(gauges.names),
        "places": list(map(int, gauges.places)),
        "first": gauges.first,
        "most": gauges.most,
        "words": list(gauges.words),
        "title": gauges.title,
        "seen": column(gauges.seen.T),
        "times": len(gauges.seen),
    }
    if gauges.expected is not None:
        made["expected"] = column(gauges.expected.T)
    return made


def page(
    settings: Variables,
    scenario: Any,
    outcome: Outcome,
    scene: Scene,
    wrong: Wrong | None,
    whole: tuple[int, int],
    at: int | None,
) -> str:
    """The page of a run; `whole`: the times that could be shown, `at`: where it begins."""
    result = next(iter([*outcome.results, *outcome.stopped]), None)
    data = content(scene)
    data |= {"wrong": None if wrong is None else wrong.time, "at": at}
    data["lossy"] = result is not None and bool(sum(result.losses.values()))
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    return (
        environment(HERE)
        .get_template("show.html.j2")
        .render(
            network=settings.network,
            variables=settings.network.changed(),
            scenario=scenario,
            sim=settings.sim,
            seed=settings.seed,
            passed=outcome.passed,
            result=result,
            problems=outcome.problems,
            replay=settings.replay(scenario.name),
            wrong=wrong,
            scene=scene,
            whole=whole,
            data=Markup(text),
            style=Markup((HERE / "show.css").read_text(encoding="utf-8")),
            script=Markup("\n".join((HERE / name).read_text(encoding="utf-8") for name in SCRIPTS)),
        )
    )


SCRIPTS = ("data.js", "drawing.js", "spacetime.js", "player.js")
