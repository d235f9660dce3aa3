"""What networks of wormhole switches share: variables, routes, latency, checks, tests, coverage.

A network (`network.Wormhole`) is made of a few objects: `switch`, what a switch is like; `ways`,
where packets go; `latency`, how long they take; `words`, what flits say.
"""

from pathlib import Path

HDL = Path(__file__).resolve().parent / "hdl"
