"""What networks of wormhole switches share: variables, routes, latency, checks, tests, coverage.

A network (`network.Wormhole`) is made of a few objects: `shape`, which tree it is; `routing`, how
packets find their way; `switch`, what a switch is like.  From these follow `ways`, where packets
go; `latency`, how long they take; `words`, what flits say; `layout`, what is recorded of them.
"""

from pathlib import Path

HDL = Path(__file__).resolve().parent / "hdl"
