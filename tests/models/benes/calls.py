"""A call of every public function that takes a size, a seed or an array of integers."""

from fattree_models import xgft
from fattree_models.benes import unfolded

CALLS = [
    (unfolded.benes_tables, {"ports": 8, "levels": 3}),
    (unfolded.fold, {"ports": 8, "levels": 3, "stage": 1, "switch": [3]}),
    (unfolded.fold_port, {"ports": 8, "levels": 3, "stage": 1, "port": [3]}),
    (xgft.benes, {"ports": 8, "levels": 3}),
]
