"""Builds a case of `make bench` in the tree that is on the path, and measures it on request.

A script of this tree that runs in the tree of another commit, which has a `speed.tree` of its own.
Requests and answers are lines of JSON.  First {"values": variables, "kinds": of stimulus}, answered
with {"builds": what they cost, "unknown": variables that the tree does not have}, or {"error": …};
then [model, kind, seconds] repeatedly, answered with figures, or null for a model it does not have.
"""

import json
import os
import re
import sys

from fattree_bench.speed.tree import Tree

UNKNOWN = re.compile(r"(\w+): (?:no such|unknown) variable")


def known(values: dict[str, str], kinds: list[str]) -> tuple[Tree, list[str]]:
    """A case, and the variables that the tree does not have: they are left out."""
    unknown: list[str] = []
    while True:
        try:
            return Tree({k: x for k, x in values.items() if k not in unknown}, kinds), unknown
        except Exception as error:
            found = UNKNOWN.match(str(error))
            if not found or found[1] in unknown or found[1] not in values:
                raise
            unknown.append(found[1])


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # other output must not be taken for an answer

    def answer(what: object) -> None:
        print(json.dumps(what), file=answers, flush=True)

    case = json.loads(sys.stdin.readline())
    try:
        tree, unknown = known(case["values"], case["kinds"])
    except Exception as error:
        answer({"error": (str(error) or repr(error)).splitlines()[0]})
        return
    answer({"builds": tree.builds, "unknown": unknown})
    for line in sys.stdin:
        answer(tree.measure(*json.loads(line)))


if __name__ == "__main__":
    main()
