"""Adapters of links with virtual channels, in which a word that is not taken is offered again."""

from fattree_bench.bench.interface import adapters
from fattree_bench.bench.interface.adapters import ADAPTERS, joined
from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.marks import at


def wired(design: Design) -> tuple[str, str]:
    """Text of a leaf's sender, and of its receiver."""
    link = design.said.link
    if link.vcs > 1 and link.kind == "stream":
        return joined(sender(design, "ready")), joined(receiver(design))
    send, receive = ADAPTERS[link.kind](design)
    if link.vcs > 1 and link.mode == "resend":
        send = joined(sender(design, "stop", "~"))
    return send, receive


def sender(design: Design, role: str, inverted: str = "") -> list[str]:
    """A word waits for its channel's ready, or for the end of stop."""
    ready, every = f"{inverted}{at('send', design.send, role, '')}", design.send.bits(role)
    return [
        *adapters.forward(design),
        *adapters.sent(design, "offered"),
        *adapters.hears(ready if every == design.vcs else f"{{VCS{{{ready}}}}}", "VCS"),
        f"leaf_stream_send #(.VCS(VCS), .EACH({int(every == design.vcs)})) u_send (",
        "  .clk(clk), .rst(rst), .offered_i(offered), .vc_i(vc), .some_i(some & known),",
        "  .able_o(able), .take_o(take), .ready_i(heard)",
        ");",
        adapters.SENDS.format("unknown"),
        *adapters.unasked(design) * (role == "ready"),
        adapters.HOME,
    ]


def receiver(design: Design) -> list[str]:
    """Valid and ready: a ready of each channel, or one for the word."""
    ready, each = at("receive", design.receive, "ready", ""), design.receive.bits("ready") > 1
    return [
        *adapters.receiver(design),
        "wire [VCS-1:0] there, open;",
        "wire crowded = 1'b0;",
        f"assign there = {adapters.channel(design)};",
        f"leaf_stream_receive #(.VCS(VCS), .COUNT_W(COUNT_W), .EACH({int(each)}), .SEED(SEED))",
        "u_receive (",
        "  .clk(clk), .rst(quiet), .run_i(run), .hold_i(hold), .shy_i(shy), .space_i(space),",
        "  .valid_i(there), .ready_o(open), .came_o(came)",
        ");",
        f"assign {ready} = {'open' if each else 'open[0]'};",
        *adapters.stream_rules(design, "there", "open"),
    ]
