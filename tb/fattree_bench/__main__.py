"""`python -m fattree_bench …`: the command line behind every make target."""

from fattree_bench.cli import run

run()
