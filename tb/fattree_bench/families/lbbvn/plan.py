"""What a frame must lead to, worked out once an item by the reference model."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fattree_bench.bench.links.payload import Words
from fattree_bench.bench.links.transport import packed
from fattree_bench.families.lbbvn.counting import lay_out
from fattree_bench.families.lbbvn.network import Lbbvn
from fattree_models import lbbvn
from fattree_models.common.checks import BoolArray, Int8Array, Int32Array, Int64Array, UInt8Array
from fattree_models.lbbvn import Settings


@dataclass(frozen=True)
class Plan:
    """The expectation for one frame, before resets.

    Attributes
    ----------
    arrived : int32 [slots, N], source of the packet that arrives at each leaf, -1 none.
    valid : packed bits [slots, N / 8], leaves that receive.
    base : words [slots, N] to arrive if the frame's sequence number were 0; 0 where idle.
    receives : words [slots, N], all ones where a packet arrives.
    conflicts : int64 [slots, 2 (n + 2)], losses by level, up then down.
    sent, delivered : packets of the whole frame.
    used : int64 [2, n + 1], most lanes of a channel occupied in a slot, up and down, by level.
    used_up, used_down : int32 [slots, 2N], lanes occupied, by heap index.
    lost_level, lost_down : [slots, N], by source: level of the channel that had no lane left (0 =
        not lost), and whether downwards; None if none is lost.
    """

    arrived: Int32Array
    valid: UInt8Array
    base: Words
    receives: Words
    conflicts: Int64Array
    sent: int
    delivered: int
    used: Int64Array
    used_up: Int32Array
    used_down: Int32Array
    lost_level: Int8Array | None = None
    lost_down: BoolArray | None = None

    @property
    def clear(self) -> bool:
        """No conflict in any slot."""
        return not self.conflicts.any()


def make_plan(network: Lbbvn, dst: Int32Array, arrived: Int32Array | None = None) -> Plan:
    """Predict a frame: by headers, or, with `arrived`, as a schedule leads it."""
    slots, leaves = dst.shape
    lost_level = lost_down = None
    if arrived is None:
        outcome = network.predict(dst)
        arrived = outcome.arrived
        conflicts = np.concatenate([outcome.conflicts_up, outcome.conflicts_down], axis=1)
        used_up, used_down = outcome.used_up, outcome.used_down
        if conflicts.any():
            lost_level, lost_down = outcome.lost_level, outcome.lost_down
    else:
        conflicts = np.zeros((slots, 2 * (network.n + 2)), np.int64)
        led = np.full((slots, leaves), -1, np.int32)
        slot, leaf = np.nonzero(arrived >= 0)
        led[slot, arrived[slot, leaf]] = leaf
        used_up, used_down = lbbvn.channel_loads(led, network.n)
    sent, delivered = int(np.count_nonzero(dst >= 0)), int(np.count_nonzero(arrived >= 0))
    payload = network.layout.payload
    base, receives = np.zeros((2, slots, leaves), payload.dtype)
    lay_out(arrived, payload.base(slots), base, receives, payload.mask)
    return Plan(
        arrived=arrived,
        valid=packed(arrived >= 0),
        base=base,
        receives=receives,
        conflicts=conflicts,
        sent=sent,
        delivered=delivered,
        used=most_used(used_up, used_down, network.n),
        used_up=used_up,
        used_down=used_down,
        lost_level=lost_level,
        lost_down=lost_down,
    )


def most_used(up: Int32Array, down: Int32Array, n: int) -> Int64Array:
    """Most lanes occupied [slots, 2N] in any slot, up and down, by level: int64 [2, n + 1]."""
    return np.stack([lbbvn.level_max(up, n), lbbvn.level_max(down, n)])


def led_by_schedule(settings: Settings, dst: Int32Array, slot: npt.NDArray[np.intp]) -> Int32Array:
    """Who arrives where when row `slot[s]` of the settings meets the packets of slot s."""
    return lbbvn.replay(rows_of(settings, slot), dst >= 0)


def rows_of(settings: Settings, slot: npt.NDArray[np.intp]) -> Settings:
    """Row `slot[s]` of the settings for each slot s."""
    return Settings(
        n=settings.n,
        c=settings.c,
        static_upper=settings.static_upper,
        up=tuple(None if u is None else u[slot] for u in settings.up),
        down=tuple(None if d is None else d[slot] for d in settings.down),
        loop=settings.loop[slot],
    )
