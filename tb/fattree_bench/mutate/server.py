"""Loaded by cocotb before the bench's entry; forks a process per mutant."""

import json
import os
from pathlib import Path

from fattree_bench.mutate.forking import serve

serve(json.loads(Path(os.environ["TB_PLAN"]).read_text()))
