"""Functional coverage that all networks of the flit link share."""

import numpy as np

from fattree_bench.bench.groups import Group
from fattree_bench.bench.links import corners
from fattree_bench.bench.links.flit.sent import FlitPlan, Mask
from fattree_models.common.checks import Int64Array

SIDE_BY_SIDE = 4  # flits of a packet in which two that are alike follow each other


def payload_group(longest: int) -> Group:
    """The words behind heads; `longest`: flits of the longest packet."""
    group = corners.group(corners.BESIDE)
    if longest < SIDE_BY_SIDE:
        most = "no two flits behind the head need be alike" if longest > 1 else "heads only"
        bins = [longest == 1] * corners.BEFORE + [True]
        group.exclude(most, bins, possible=True)
    return group


def payload_kinds(plan: FlitPlan, whole: Mask) -> Int64Array:
    """Numbers of kinds of words of packets that arrived whole, and are not of tags alone."""
    sent = plan.sent
    words = sent.words(np.arange(len(plan.seen.arrival)))
    behind = np.repeat(whole, sent.flits)
    behind[sent.first_flit[:-1]] = False
    return corners.kinds_of(words[:, None], behind[:, None], sent.link.words.width)
