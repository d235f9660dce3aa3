"""Sound networks that show another state of their switches than they have."""

from fattree_bench.bench import faults as kind
from tests.tb.bench.wormhole.edits import TWO, TWO_TURNBACK, core, drawing, half, inputs, ruft
from tests.tb.faults.faulty import Edit, Faulty

FEW = f"{TWO} TEST=uniform"
UNFOLDED = "NETWORK=benes PORTS=4 LEVELS=2 UNFOLDED=1 TEST=single_packets"
STAGES = "NETWORK=ruft K=2 LEVELS=2 TEST=single_packets"
TURNING = f"{TWO_TURNBACK} TEST=single_packets"
OF = ".state_o(state_o[NUMBER*EACH_W +: EACH_W]),"
FIRST = "        assign link_valid_o [NUMBER*N*VCS +: N*VCS] "
SHOWN = "{vc_q, port_q, active_q[v], present[v]};"


def shows(name: str, variables: str, *edits: Edit) -> Faulty:
    """A network whose links are right."""
    return Faulty(name, variables, (kind.STATE,), edits)


DESIGNS = (
    shows(
        "UNFOLDED: no switch shows a state",
        UNFOLDED,
        drawing(OF, ".state_o(),"),
        drawing(FIRST, "assign state_o[NUMBER*EACH_W +: EACH_W] = {EACH_W{1'b0}};\n" + FIRST),
    ),
    shows(
        "RUFT: the stages show their states in the order of the switches of the other one",
        STAGES,
        ruft(OF, OF.replace("NUMBER", "(NUMBER ^ 32'd2)")),
    ),
    shows(
        "an input virtual channel shows the lowest bit of its port turned",
        FEW,
        inputs(SHOWN, "{vc_q, port_q ^ 1'b1, active_q[v], present[v]};"),
    ),
    shows(
        "an input virtual channel shows that flits wait only until it has an output's",
        FEW,
        inputs(SHOWN, "{vc_q, port_q, active_q[v], present[v] & ~active_q[v]};"),
    ),
    shows(
        "what an input virtual channel has is shown of the one before",
        FEW,
        inputs(SHOWN, "{vc_q, port_q, active_q[(v+1)%VCS], present[v]};"),
    ),
    shows(
        "TB: a climbing packet's port is shown as if children came last",
        TURNING,
        half("local_port + SHIFT[SHOWN_W-1:0]", "local_port"),
    ),
    shows(
        "an output virtual channel with all credits is home although a packet has it",
        FEW,
        core("assign home_o = home & free_o;", "assign home_o = home;"),
    ),
)
