"""Modified fat-trees, MFT and IMFT: bufferless routers, lanes, and FIFOs only at the clients.

After Bouhraoua and Elrabaa, by way of the survey of Biswas and Hussain, Section 2.5 ("the survey");
what goes beyond it is marked "ours".

Conventions: N = 2^n clients, n rows of routers, row 0 at the clients; src, dst are int arrays of
clients that differ pair by pair; packets are `traffic.Packets`; times are clocks.
"""

from fattree_models.mft.figures import counter_example, router_ports
from fattree_models.mft.network import Mft, lane_counts, turn_row
from fattree_models.mft.running import Outcome, least_fifo, run, start_clocks

__all__ = [
    "Mft",
    "Outcome",
    "counter_example",
    "lane_counts",
    "least_fifo",
    "router_ports",
    "run",
    "start_clocks",
    "turn_row",
]
