"""What Section IV says of the hardware of universal fat-trees: figures for its claims."""

import math

import numpy as np
import pytest

from fattree_models.leiserson.capacity import least_root, universal
from fattree_models.leiserson.components import count_components, incident_wires
from fattree_models.leiserson.partial import DEGREE, stages
from fattree_models.leiserson.serial_tree import SerialTree


def lg(x):
    """The paper's lg."""
    return max(1.0, math.log2(x))


def roots(n):
    """The least root capacity, the greatest, and three between."""
    least = least_root(n)
    return sorted({least, n, *(round(least ** (1 - s) * n**s) for s in (0.25, 0.5, 0.75))})


def ports(cap, k):
    """(inputs, outputs) of the three ports of a node of level k."""
    return [(2 * cap[k + 1], cap[k]), *[(cap[k] + cap[k + 1], cap[k + 1])] * 2]


def components(cap, k):
    """Selectors and crosspoints of partial concentrators in a node of level k: six an input."""
    found = 2 * (cap[k] + 2 * cap[k + 1])
    for r, s in ports(cap, k):
        found += sum(inputs * min(outputs, DEGREE) for inputs, outputs in stages(r, s))
    return found


def grows(wide, narrow):
    """By the cube root of 4, to within the wire that a ceiling adds."""
    return abs(wide - 4 ** (1 / 3) * narrow) <= 4 ** (1 / 3)


def capacities(n, w):
    return [int(c) for c in universal(n, w)]


@pytest.mark.parametrize(("n", "w"), [(8, 4), (16, 11), (64, 16), (64, 64)])
def test_components_are_those_of_the_model(n, w):
    cap = capacities(n, w)
    counted = count_components(SerialTree(tuple(cap), "PARTIAL"))
    whole = sum(components(cap, k) << k for k in range(len(cap) - 1))
    assert whole == counted.selectors + counted.crosspoints


@pytest.mark.parametrize("height", range(3, 21))
def test_section_4(height, record_property):
    """Theorem 4 for the least root, the greatest and three between: the worst of them each."""
    n = 2**height
    found = {"lg_n": height, "stages": 0, "ratio": 0.0, "ratio_of_wires": 0.0, "by_n": 0.0}
    found |= {"upper_by_n": 0.0, "lower_share_least": 1.0, "lower_share": 1.0, "thin_share": 1.0}
    found |= {"components_a_wire": 0.0, "levels": 0, "levels_off": 0, "levels_far_off": 0}
    found |= {"volume_of_nodes": 0.0, "root_2_far_off": 0}
    # 20 roots at random; the figures were first looked at by the others.
    more = np.random.default_rng(100 + height).integers(least_root(n), n + 1, 20)
    for w in (*roots(n), *map(int, more)):
        cap = capacities(n, w)
        crossing = round(3 * math.log2(n / w), 9)
        own = [components(cap, k) << k for k in range(height)]
        expected = n * lg(w**3 / n**2)
        plans = [stages(r, s) for k in range(height) for r, s in ports(cap, k)]
        wires = [2 * (cap[k] + 2 * cap[k + 1]) for k in range(height)]
        nodes = list(enumerate(zip(own, wires, strict=True)))
        upper = sum(x for k, x in enumerate(own) if k < crossing)
        share = 1 - upper / sum(own)
        boxes = sum(m**1.5 * 2**k for k, m in enumerate(wires))
        most = {
            "stages": max(map(len, plans)),
            "ratio": sum(own) / expected,
            "by_n": sum(own) / n,
            "ratio_of_wires": incident_wires(tuple(cap)) / expected,
            "upper_by_n": upper / n,
            "components_a_wire": max(x / (m << k) for k, (x, m) in nodes),
            "volume_of_nodes": boxes / (w * lg(n / w)) ** 1.5,
        }
        if w in roots(n):
            found |= {name: max(found[name], value) for name, value in most.items()}
        found["lower_share_least"] = min(found["lower_share_least"], share)
        side = "lower_share" if w**3 >= 2**8 * n**2 else "thin_share"
        found[side] = min(found[side], share)
        found["levels"] += height + 1
        steady = [w / 2 ** (k / 2) for k in range(height + 1)]
        found["root_2_far_off"] += sum(not grows(*steady[k : k + 2]) for k in range(height))
        # Doubling from the crossing level on, and nowhere above it; ceilings may be in the way.
        for name, slack in (("levels_off", 0), ("levels_far_off", 2)):
            found[name] += sum(cap[k] == n >> k for k in range(height + 1) if k < crossing - slack)
            found[name] += sum(cap[k] != n >> k for k in range(height + 1) if k >= crossing)
            found[name] += sum(
                not grows(*cap[k : k + 2]) for k in range(height) if k < crossing - 1
            )
    for name, value in found.items():
        record_property(name, float(value))
