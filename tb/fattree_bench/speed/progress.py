"""What `make bench` says at once: a run that is stopped has shown what it measured."""

from rich.console import Console

from fattree_bench.sim.changed import containing
from fattree_bench.speed.tables import Figures
from fattree_bench.speed.tree import Tree


def costs_of(console: Console, tree: Tree) -> Tree:
    """A case that was built, after what that cost; UserError for RTL= that is not in it."""
    containing(tree.settings, tree.built["FRAME"])
    for model, cost in tree.builds.items():
        console.print(f"  {model}: built in {cost['cpu']:.1f} CPU s, {cost['wall']:.1f} s")
    return tree


def shown(console: Console, model: str, kind: str, figures: Figures | None) -> Figures | None:
    """Figures of a turn, after they were printed; the tables have the best of each."""
    if figures:
        rate = figures["packets"] / figures["seconds"] / 1e6
        console.print(f"  {model} {kind}: {rate:.3g} million a CPU s")
    return figures
