"""Rows of settings as the memories of a SCHEDULED fat-tree hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fattree_models.lbbvn import Settings

if TYPE_CHECKING:  # it loads cocotb
    from fattree_bench.bench.links.slot.frame import Bits


def settings_rows(settings: Settings) -> list[tuple[int, Bits]]:
    """(level, bits [slots, row width]) as lbbvn_tree.v lays a row out; level n: loop-backs.

    In every other slot idle lanes are fed by the first input behind those that there are, if the
    setting can name it: they must stay idle.
    """
    rows: list[tuple[int, Bits]] = []
    slots = len(settings.loop)
    for j, (up, down) in enumerate(zip(settings.up, settings.down, strict=True)):
        if up is None or down is None:
            continue
        c_up, c_down = up.shape[-1], down.shape[-1]
        # The root's up port is there in the row: one lane that is never used.
        used_up = up if c_up else np.full((slots, 1, 1), -1, np.int32)
        parts: list[Bits] = []
        for lanes, inputs in ((used_up, 2 * c_down), (down, c_up + c_down)):
            flat = lanes.reshape(slots, -1)
            if inputs < 1 << select_bits(inputs):
                flat = flat.copy()
                flat[::2][flat[::2] < 0] = inputs
            select = np.where(flat < 0, 0, flat)[:, :, None] >> np.arange(select_bits(inputs)) & 1
            parts += [flat >= 0, select.astype(np.bool_).reshape(slots, -1)]
        rows.append((j, np.concatenate(parts, axis=1)))
    rows.append((settings.n, settings.loop))
    return rows


def select_bits(inputs: int) -> int:
    """Bits that number so many inputs of a crossbar, at least one."""
    return max(1, (inputs - 1).bit_length())
