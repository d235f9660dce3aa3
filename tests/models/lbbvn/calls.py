"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import lbbvn
from tests.models.common.calls import RNG

CALLS = [
    (lbbvn.assess, {"frame": [[0, 2, 1, 3], [2, 3, 0, -1]]}),
    (lbbvn.bit_reverse, {"n": 7}),
    (lbbvn.bit_reverse_shifts, {"n": 7}),
    (lbbvn.bit_reverse_xors, {"n": 7}),
    (lbbvn.bit_rotation, {"n": 7, "r": 3}),
    (lbbvn.bit_rotation_frame, {"n": 7, "r": -3}),
    (lbbvn.channel_loads, {"dst": [[1, 2, 3, 0]], "n": 2}),
    (lbbvn.check_capacity, {"n": 2, "c": [0, 2, 1]}),
    (lbbvn.compile_settings, {"dst": [[0, 2, 1, 3]], "c": [0, 2, 1]}),
    (lbbvn.crosspoints, {"c": [0, 64, 32, 16, 8, 4, 2, 1]}),
    (lbbvn.fits, {"frame": [[0, 2, 1, 3]], "c": [0, 1, 1]}),
    (lbbvn.fits_each, {"frame": [[0, 2, 1, 3]], "c": [0, 1, 1]}),
    (lbbvn.inverse, {"frame": lbbvn.bit_reverse(7).tolist()}),
    (lbbvn.level_max, {"loads": [[0, 0, 1, 1, 0, 1, 1, 0]], "n": 2}),
    (lbbvn.links, {"c": [0, 64, 32, 16, 8, 4, 2, 1]}),
    (lbbvn.lower_bound, {"n": 7}),
    (lbbvn.nonblocking, {"n": 7}),
    (lbbvn.partial, {"rng": RNG, "frame": [list(range(128))], "load": 0.5}),
    (lbbvn.predict, {"dst": [[0, 2, 1, 3]], "c": [0, 1, 1]}),
    (lbbvn.random_messages, {"rng": RNG, "slots": 3, "leaves": 64, "load": 0.5}),
    (lbbvn.random_permutations, {"rng": RNG, "slots": 3, "leaves": 64}),
    (lbbvn.rotators, {"n": 7}),
    (lbbvn.shifts, {"sigma": [0, 2, 1, 3]}),
    (lbbvn.static_upper_half, {"n": 7}),
    (lbbvn.symmetric_tdm, {"n": 7}),
    (lbbvn.xor_frame, {"n": 7}),
]
