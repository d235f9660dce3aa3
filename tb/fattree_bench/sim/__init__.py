"""Build, simulate, judge: the command line behind make."""
