"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import spin
from tests.models.xgft.calls import TREE

CALLS = [
    (spin.Memory, {"words": 64}),
    (
        spin.Message,
        {"dst": 100, "src": 1, "tag": 3, "write": True, "words": 2, "address": 9, "data": [7, 8]},
    ),
    (spin.Watcher, {"memory": {}, "outstanding": 3}),
    (spin.check_of, {"data": [1, 100]}),
    (spin.choices, {"network": TREE, "level": 1, "node": 3, "dst": 9}),
    (spin.crossbar, {"children": 4, "parents": 4, "shared": 1}),
    (spin.encode, {"header": 100, "payload": [1, 100]}),
    (spin.flip, {"words": [1, 100], "bits": [3, 40]}),
    (spin.parity_word, {"marks": 0, "data": 100}),
    (spin.receive, {"words": [1, 100]}),
    (spin.tree, {"terminals": 64}),
]
