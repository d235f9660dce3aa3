"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import lbbvn_switch as switch
from tests.models.common.calls import RNG
from tests.models.traffic.calls import PACKETS

CALLS = [
    (switch.OutputQueued, {"n": 7}),
    (switch.OutputQueued(2).run, {"dst": [[0, 0, 3, -1]]}),
    (switch.Switch(switch.defaults(2, "FOFF")).run, {"dst": [[0, 0, 3, -1]]}),
    (
        switch.SwitchShape,
        {"n": 2, "scheme": "FOFF", "ingress": 8, "middle": 8, "resequencer": 9, "tries": 2}
        | {"threshold": 2, "gate": 2, "feedback": 2},
    ),
    (switch.arrivals, {"packets": PACKETS, "nodes": 4, "slots": 5}),
    (switch.connections, {"schedule": "BITREV", "n": 5}),
    (switch.defaults, {"n": 7, "scheme": "FOFF"}),
    (switch.mean_delay, {"n": 7, "load": 0.5}),
    (switch.ideal_mean_delay, {"n": 7, "load": 0.5}),
    (switch.meeting_slots, {"schedule": "XOR", "n": 5}),
    (switch.output_queued, {"dst": [[0, 0, 3, -1]]}),
    (switch.overload, {"rng": RNG, "n": 2, "slots": 9, "load": 0.9, "offered": 1.5, "output": 1}),
    (switch.phase_locked, {"schedule": "TDM", "n": 7, "slots": 9}),
]
