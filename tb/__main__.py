"""`python -m tb …`: the command line behind every make target."""

import sys

from tb.run.cli import main

sys.exit(main(sys.argv[1:]))
