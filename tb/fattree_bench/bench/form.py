"""Which form of the blocks of rtl/ that have two: FORM of the command line."""

from fattree_bench.settings import word

FORM = word(
    "FORM",
    "FAST",
    {"FAST": "loops, for simulators", "HARDWARE": "what is synthesized"},
    "form of the blocks that have two: {allowed}",
    rtl=True,
).but(stated=True)
# What Yosys is given, whatever a simulation takes.
SYNTHESIZED = {"FORM": "HARDWARE"}
