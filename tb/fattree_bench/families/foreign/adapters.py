"""How the adapters of each link are wired, a leaf's: text for the bench top."""

from __future__ import annotations

from collections.abc import Callable

from fattree_bench.families.foreign.design import Design
from fattree_bench.families.foreign.ports import Side

Adapter = Callable[[Design], tuple[str, str]]  # of the leaf's sender, and of its receiver
FORWARD = {  # what a field is told by a sender
    "data": "word",
    "last": "tail",
    "head": "head",
    "id": "SELF[{top}:0]",
    "keep": "{{{bits}{{1'b1}}}}",
    "user": "{{{bits}{{1'b0}}}}",
    "dest": "ADDRESSES[address*DEST_W +: DEST_W]",
}


def _at(direction: str, side: Side, role: str, missing: str) -> str:
    """A field of this leaf, or what stands for it where there is none."""
    if role not in side:
        return missing
    bits = side.bits(role)
    return f"{direction}_{role}[g*{bits} +: {bits}]"


def _forward(design: Design) -> list[str]:
    """What a sender says beside valid."""
    lines = []
    for role, one in design.send.fields.items():
        if role in FORWARD:
            value = FORWARD[role].format(bits=one.bits, top=one.bits - 1)
            lines.append(f"assign {_at('send', design.send, role, '')} = {value};")
    return lines


def _beside(design: Design, *, without: tuple[str, ...] = ()) -> list[str]:
    """The fields of a receiver that stand beside valid."""
    side = design.receive
    forward = ("data", "dest", "id", "last", "keep", "user", "head", "vc")
    return [_at("receive", side, x, "") for x in forward if x in side and x not in without]


def _tail(design: Design) -> str:
    """How a receiver knows the last word of a packet."""
    if "last" in design.receive:
        return _at("receive", design.receive, "last", "")
    return "1'b1" if design.packet_words.longest == 1 else "counted"


def _receiver(design: Design) -> list[str]:
    """What is the same for all receivers."""
    marks = _at("receive", design.receive, "id", "1'b0")
    lines = [
        f"assign tail  = {_tail(design)};",
        f"assign marks = {marks};",
    ]
    if _tail(design) == "counted":
        lines += [
            "reg  [31:0] word_q;  // of the packet",
            f"wire counted = (word_q == 32'd{design.packet_words.longest - 1});",
            "always @(posedge clk)",
            "  if (rst) word_q <= 32'd0;",
            "  else if (came != {VCS{1'b0}}) word_q <= counted ? 32'd0 : word_q + 32'd1;",
        ]
    return lines


def _mine(design: Design) -> str:
    """Whether a word names the leaf that it came to."""
    if "dest" not in design.receive or design.receive.bits("dest") != (
        design.send.bits("dest") or 1
    ):
        return "1'b1"
    dest = _at("receive", design.receive, "dest", "")
    return f"({dest} === ADDRESSES[g*DEST_W +: DEST_W])"


def _joined(lines: list[str]) -> str:
    return "\n".join(f"        {line}" for line in lines)


def stream(design: Design) -> tuple[str, str]:
    """AXI4-Stream, and all that has valid and ready."""
    send = [
        *_forward(design),
        "assign able = {VCS{1'b1}};",
        "foreign_stream_send u_send (",
        "  .known_i(known), .reset_i(reset), .offered_i(offered), .take_o(take),",
        "  .valid_o(send_valid[g]), .ready_i(send_ready[g]),",
        "  .broken_o(broken[g*SEND_RULES +: SEND_RULES])",
        ");",
        "assign home[g*VCS +: VCS] = {VCS{1'b1}};",
    ]
    side = design.receive
    beside = _beside(design)
    still = [_at("receive", side, x, "") for x in ("dest", "id", "user") if x in side] or ["1'b0"]
    bits = sum(side.bits(x) for x in ("data", "dest", "id", "last", "keep", "user") if x in side)
    still_bits = sum(side.bits(x) for x in ("dest", "id", "user")) or 1
    full = f"(&{_at('receive', side, 'keep', '')})" if "keep" in side else "1'b1"
    receive = [
        *_receiver(design),
        "foreign_stream_receive #(",
        f"  .SIDE_W({bits}), .STILL_W({still_bits}), .SEED(SEED)",
        ") u_receive (",
        "  .clk(clk), .rst(rst), .reset_i(reset), .known_i(known), .run_i(run), .hold_i(hold),",
        "  .shy_i(shy), .space_i(space != {(VCS*COUNT_W){1'b0}}), .valid_i(receive_valid[g]),",
        f"  .ready_o(receive_ready[g]), .side_i({{{', '.join(beside)}}}),",
        f"  .still_i({{{', '.join(still)}}}), .tail_i(tail), .full_i({full}),",
        f"  .mine_i({_mine(design)}), .copies_i(copies), .long_i(long), .came_o(came[0]),",
        "  .broken_o(broken[INPUTS*SEND_RULES + g*RECEIVE_RULES +: RECEIVE_RULES])",
        ");",
    ]
    return _joined(send), _joined(receive)


ADAPTERS: dict[str, Adapter] = {"stream": stream}
