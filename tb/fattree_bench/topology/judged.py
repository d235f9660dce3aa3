"""A network judged by the rules of fat-trees."""

from collections.abc import Sequence
from dataclasses import dataclass

from fattree_models import topology
from fattree_models.common.checks import Int64Array


@dataclass(frozen=True, eq=False)
class Judged:
    """Results on a network; `found` is None unless it is a fat-tree, `mended` None if it is one,
    `damage` None if it is either."""

    fabric: topology.Fabric
    rules: topology.Demands
    ranked: topology.Ranked | None
    broken: list[topology.Breach]
    found: topology.Match | None
    mended: topology.Repair | None
    damage: topology.Damage | None = None

    @property
    def order(self) -> Int64Array:
        """Hosts in the order of the tree, else of their names."""
        return self.fabric.hosts if self.found is None else self.found.nodes(0)


def judge(
    fabric: topology.Fabric, rules: topology.Demands, ports: int, speeds: Sequence[float] = ()
) -> Judged:
    """Which rules it breaks, which fat-tree it is, or would be without a mistake."""
    ranked = topology.rank(fabric)
    broken = topology.breaches(fabric, ranked, rules, ports)
    all_broken = [*broken, *topology.slow(fabric, ranked, speeds)]
    if ranked is None:
        return Judged(fabric, rules, None, all_broken, None, None)
    found = topology.match(fabric, ranked)
    mended = topology.repair(fabric, ranked, broken) if found is None else None
    wrong = topology.damage(fabric, ranked) if found is None and mended is None else None
    return Judged(fabric, rules, ranked, all_broken, found, mended, wrong)
