"""k-ary n-trees of wormhole switches after synthesis."""

from fattree_bench.families.design import Design, Kind, Routed
from fattree_bench.families.wormhole_area import sized, whole_switches, wide
from fattree_bench.families.xgft.network import Kary

designed = whole_switches


def kary(n: int, kind: str = "KARY", k: int = 2, /, **options: str) -> Design:
    """A k-ary n-tree with queues, two virtual channels a link."""
    return whole_switches(Kary.from_variables(wide(K=str(k), LEVELS=str(n), **options)), kind)


def _kind(name: str, says: str, k: int = 2, /, **options: str) -> dict[str, Kind]:
    return {name: sized("kary", says, lambda n: kary(n, name, k, **options), k)}


KINDS = {
    **_kind("KARY", "2-ary n-tree of wormhole switches"),
    **_kind("KARY_AHEAD", "its heads ask for routes ahead", AHEAD="1"),
    **_kind("KARY_WAYS", "two flits of a port cross at once", WAYS="2"),
    **_kind("KARY_ADAPTIVE", "adaptive routing", ROUTING="ADAPTIVE"),
    **_kind("QUATERNARY_ADAPTIVE", "4-ary trees of KARY_ADAPTIVE", 4, ROUTING="ADAPTIVE"),
}
ROUTED = (
    Routed(
        "kary",
        {"K": "2", "LEVELS": "1", "VCS": "1", "DEPTH": "4", "STAGES": "3"},
        ("state_o", "home_o", "link_valid_o", "link_flit_o"),
    ),
)
