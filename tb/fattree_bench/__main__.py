"""`python -m fattree_bench …`: the command line behind every make target."""

import sys

from fattree_bench.cli import main

sys.exit(main(sys.argv[1:]))
