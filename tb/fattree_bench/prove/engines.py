"""One interface over the engines: search for counter-examples, induction, then invariants.

`python -m fattree_bench.prove.engines PAYLOAD FOUND`: a process of its own, whose CPU time is
limited.  It writes a line of JSON for each finding when it is made, so what was found stays when
the time is over.
"""

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from fattree_bench.families.proof import FAILED, PROVED, Trace, Verdict
from fattree_bench.formal import prepare
from fattree_bench.paths import RTL
from fattree_bench.prove import cases, harness
from fattree_bench.prove.unrolled import Model, Unrolled
from fattree_bench.sim.yosys import YosysError, run_yosys

Say = Callable[[dict[str, Any]], None]
SPARE = 5  # CPU seconds in addition to what an engine gives itself
SEARCH = 0.6  # of the time, before induction is tried
DIVISIONS = "techmap t:$mod t:$div"  # which the reader of BTOR2 does not know with signs
DEEPEST = 3  # clocks of an induction


def main() -> None:
    """Do what the payload asks for."""
    payload, found = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    limit = int(payload["seconds"]) + SPARE
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + SPARE))

    def say(one: dict[str, Any]) -> None:
        with found.open("a") as file:
            file.write(json.dumps(one) + "\n")

    made = harness.again(payload["design"], Path(payload["folder"]), payload["given"])
    made = replace(made, rules=tuple(payload["rules"]), limit=payload["seconds"])
    try:
        ENGINES[payload["engine"]](made, payload["seconds"], say)
    except YosysError as error:
        if "ERROR" in str(error):  # else its time was over
            say({"error": str(error)})


def search(made: harness.Harness, seconds: float, say: Say) -> None:
    """Look for counter-examples clock by clock, then prove by induction."""
    made.write()
    script = [*prepare.elaborate(made, made.folder, RTL), DIVISIONS, "write_btor model.btor"]
    run_yosys(script, made.folder, "btor")
    model = Model.read(made.folder / "model.btor")
    left = [rule for rule in made.texts() if rule in model.bad]
    start, last = time.process_time(), 0.0
    states = Unrolled(model, initial=True)

    def spent() -> float:
        return time.process_time() - start

    def settle(rule: str, result: str, note: str, trace: Trace | None = None) -> None:
        left.remove(rule)
        say(asdict(Verdict(rule, result, round(spent(), 1), note, trace)))

    reached = False
    while left and states.last < made.bound and spent() + last < seconds * SEARCH:
        before = spent()
        states.add()
        while left and (trace := states.breaks(left)):
            for rule in states.told(left):
                settle(rule, FAILED, f"{len(trace)} clocks", trace)
        if not reached and states.breaks([harness.REACHED]):
            reached = True
            say({"reached": states.last})
        states.hold(left, states.last)
        say({"clocks": states.last})
        last = 2 * (spent() - before)
    for depth in range(1, DEEPEST + 1):
        if left and spent() < seconds:
            for rule in inductive(model, left, depth):
                settle(rule, PROVED, f"by induction over {depth} clocks")


def inductive(model: Model, rules: list[str], depth: int) -> list[str]:
    """The largest set of rules that hold in the next clock if all hold for `depth` clocks."""
    kept = [*rules]
    while kept:
        states = Unrolled(model, initial=False)
        for clock in range(depth):
            states.hold(kept, clock)
            states.add()
        held = [rule for rule in kept if states.breaks([rule]) is None]
        if held == kept:
            break
        kept = held
    return kept


def invariants(made: harness.Harness, seconds: float, say: Say) -> None:
    """Ask ABC for invariants of each rule."""
    cases.invariants(made, seconds, lambda found: say(asdict(found)))


ENGINES = {"search": search, "invariants": invariants}

if __name__ == "__main__":
    main()
