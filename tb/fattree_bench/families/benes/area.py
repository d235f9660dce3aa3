"""Fat-tree Benes networks after synthesis."""

from fattree_bench.families.wormhole_area import whole_switches

designed = whole_switches
