"""`python -m fattree_bench …`: the command line behind every make target."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `run` can say so: it takes a second

from fattree_bench.cli import run

run()
