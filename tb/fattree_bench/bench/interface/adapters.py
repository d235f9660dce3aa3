"""How the adapters of each link are wired, a leaf's: text for the bench top."""

from __future__ import annotations

from collections.abc import Callable

from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.marks import at, counted, mark, sent_length, sent_type, tail
from fattree_bench.bench.interface.ports import Side

Adapter = Callable[[Design], tuple[str, str]]  # of the leaf's sender, and of its receiver
FORWARD = {  # what a sender drives on a field
    "data": "word",
    "last": "tail",
    "head": "head",
    "id": "SELF[{top}:0]",
    "keep": "{{{bits}{{1'b1}}}}",
    "user": "{{{bits}{{1'b0}}}}",
    "length": "said[{top}:0]",
    "dest": "ADDRESSES[address*DEST_W +: DEST_W]",
    "route": "ROUTES[(g*OUTPUTS + address)*{bits} +: {bits}]",
}


def forward(design: Design) -> list[str]:
    """What a sender drives along with valid."""
    lines, driven = sent_length(design), {**FORWARD, "type": sent_type(design)}
    for role, one in design.send.fields.items():
        if role in driven:
            value = driven[role].format(bits=one.bits, top=one.bits - 1)
            lines.append(f"assign {at('send', design.send, role, '')} = {value};")
    return lines


def receiver(design: Design) -> list[str]:
    """What is the same for all receivers."""
    marks, valid = (at("receive", design.receive, x, "1'b0") for x in ("id", "valid"))
    lines = [f"assign tail  = {tail(design)};", f"assign marks = {marks};"]
    lines += hears(valid, str(design.receive.bits("valid")))
    lines += counted(design) if tail(design) == "counted" else []
    return lines


def hears(value: str, bits: str) -> list[str]:
    """What a leaf hears of a handshake signal: `heard`, and `unknown`."""
    return [
        f"wire [{bits}-1:0] heard;",
        "wire unknown;",
        f"leaf_heard #(.W({bits})) u_heard (",
        f"  .clk(clk), .quiet_i(quiet), .run_i(run), .value_i({value}), .value_o(heard),",
        "  .unknown_o(unknown)",
        ");",
    ]


def mine(design: Design) -> str:
    """Whether a word names the leaf that it came to."""
    if "dest" not in design.receive or design.receive.bits("dest") != (
        design.send.bits("dest") or 1
    ):
        return "1'b1"
    dest = at("receive", design.receive, "dest", "")
    return f"({dest} === ADDRESSES[g*DEST_W +: DEST_W])"


def joined(lines: list[str]) -> str:
    return "\n".join(f"        {line}" for line in lines)


def channel(design: Design) -> str:
    """The VC of a word at a receiver, one-hot, as long as it is valid."""
    side, valid = design.receive, "heard"
    if "vc" not in side:
        return valid
    vc = at("receive", side, "vc", "")
    if design.said.link.vc == "one-hot":
        return f"{{VCS{{{valid}}}}} & {vc}"
    one = "{{(VCS-1){1'b0}}, 1'b1}" if design.vcs > 1 else "1'b1"
    return f"{valid} ? {one} << {vc} : {{VCS{{1'b0}}}}"


def sent(design: Design, valid: str) -> list[str]:
    """valid, and the VC, of a sender."""
    side = design.send
    lines = []
    if "vc" in side:
        lines.append(f"assign {at('send', side, 'valid', '')} = {valid};")
        every = [f"vc[{v}]" for v in range(design.vcs)]
        number = "vc" if design.said.link.vc == "one-hot" else _binary(every, side.bits("vc"))
        lines.append(f"assign {at('send', side, 'vc', '')} = {number};")
    elif side.bits("valid") > 1:
        lines.append(f"assign {at('send', side, 'valid', '')} = {{VCS{{{valid}}}}} & vc;")
    else:
        lines.append(f"assign {at('send', side, 'valid', '')} = {valid};")
    return lines


def back(direction: str, side: Side, design: Design) -> str:
    """Credits that come back on a link, a count of each VC."""
    credit = at(direction, side, "credit", "")
    if "credit_vc" not in side or design.vcs == 1:
        return credit
    vc, bits = at(direction, side, "credit_vc", ""), side.bits("credit")
    chosen = [
        f"{direction}_credit_vc[g*{side.bits('credit_vc')} + {v}]"
        if design.said.link.vc == "one-hot"
        else f"({vc} == {side.bits('credit_vc')}'d{v})"
        for v in reversed(range(design.vcs))
    ]
    return f"{{{', '.join(f'{{{bits}{{{one}}}}} & {credit}' for one in chosen)}}}"


def given(design: Design, bits: int) -> list[str]:
    """Credits that a receiver gives, `back`, a count of so many bits of each VC, in one field.

    They are of one VC, which is given with it.
    """
    side = design.receive
    each = [f"back[{v * bits} +: {bits}]" for v in range(design.vcs)]
    some = [f"(|{one})" for one in each]
    if design.said.link.vc == "one-hot":
        number = f"{{{', '.join(reversed(some))}}}"
    else:
        number = _binary(some, side.bits("credit_vc"))
    return [
        f"assign {at('receive', side, 'credit', '')} = {' | '.join(each)};",
        f"assign {at('receive', side, 'credit_vc', '')} = {number};",
    ]


def _binary(one_hot: list[str], bits: int) -> str:
    """The number of the one that is 1."""
    told = [
        " | ".join(one for v, one in enumerate(one_hot) if v >> k & 1) or "1'b0"
        for k in reversed(range(bits))
    ]
    return f"{{{', '.join(told)}}}"


def _word_rules(design: Design, crowded: str, own: str) -> list[str]:
    """The rules of all words, and the receiver's own above them."""
    side = design.receive
    beside = [at("receive", side, x, "") for x in BESIDE if x in side]
    still = [at("receive", side, x, "") for x in STILL if x in side]
    sizes = {
        "VCS": design.vcs,
        "VALID_W": side.bits("valid"),
        "SIDE_W": sum(side.bits(x) for x in BESIDE if x in side),
        "STILL_W": sum(side.bits(x) for x in STILL if x in side) or 1,
    }
    told = ", ".join(f".{name}({value})" for name, value in sizes.items())
    full = f"(&{at('receive', side, 'keep', '')})" if "keep" in side else "1'b1"
    together = f"{{{own}, word_broken}}" if own else "word_broken"
    return [
        "wire [10:0] word_broken;",
        f"leaf_word_rules #({told}) u_rules (",
        "  .clk(clk), .quiet_i(quiet), .silent_i(silent), .unknown_i(unknown),",
        f"  .valid_i({at('receive', side, 'valid', '')}),",
        f"  .side_i({{{', '.join(beside)}}}),",
        f"  .still_i({{{', '.join(still) or ZERO}}}),",
        f"  .came_i(came), .head_i(head), .mark_i({mark(design)}), .mine_i({mine(design)}),",
        f"  .full_i({full}), .long_i(long), .copies_i(copies), .crowded_i({crowded}),",
        "  .broken_o(word_broken)",
        ");",
        "assign broken[INPUTS*SEND_RULES + g*RECEIVE_RULES +: RECEIVE_RULES] =",
        f"  {together};",
    ]


ZERO = "1'b0"
SENDS = "assign broken[g*SEND_RULES +: SEND_RULES] = {};"
HOME = "assign home[g*VCS +: VCS] = {VCS{1'b1}};"
BESIDE = ("data", "dest", "id", "last", "keep", "user", "head", "type", "length", "vc")
STILL = ("dest", "id", "user")


def stream_rules(
    design: Design, valid: str = "heard", ready: str = "receive_ready[g]"
) -> list[str]:
    """The rules of all words, and those of valid and ready."""
    side = design.receive
    beside = [at("receive", side, x, "") for x in BESIDE if x in side]
    bits = sum(side.bits(x) for x in BESIDE if x in side)
    each = int(side.bits("ready") > 1)
    return [
        "wire [1:0] own;",
        f"leaf_handshake #(.SIDE_W({bits}), .STABLE({int(design.said.link.stable)}), .VCS(VCS),",
        f"  .EACH({each})) u_stream_rules (",
        f"  .clk(clk), .quiet_i(quiet), .valid_i({valid}), .ready_i({ready}),",
        f"  .side_i({{{', '.join(beside)}}}), .broken_o(own)",
        ");",
        *_word_rules(design, "crowded", "own"),
    ]


def onoff(design: Design) -> tuple[str, str]:
    """The receiver says stop."""
    link = design.said.link
    resend = int(link.mode == "resend")
    stops = design.send.bits("stop")
    stop = at("send", design.send, "stop", "")
    send = [
        *forward(design),
        "wire go;",
        *sent(design, "go"),
        *hears(stop if stops == design.vcs else f"{{VCS{{{stop}}}}}", "VCS"),
        f"leaf_onoff_send #(.VCS(VCS), .LAG({link.lag}), .RESEND({resend})) u_send (",
        "  .clk(clk), .offered_i(offered), .vc_i(vc), .able_o(able), .take_o(take),",
        "  .valid_o(go), .stop_i(heard)",
        ");",
        SENDS.format("unknown"),
        HOME,
    ]
    heard = "stop" in design.receive
    told = at("receive", design.receive, "stop", "")
    every = design.receive.bits("stop") == design.vcs
    receive = [
        *receiver(design),
        "wire [VCS-1:0] stop;",
        "wire           crowded, own;",
        "leaf_onoff_receive #(",
        f"  .VCS(VCS), .COUNT_W(COUNT_W), .SLACK({link.slack}), .RESEND({resend}), .SEED(SEED)",
        ") u_receive (",
        "  .clk(clk), .rst(quiet), .run_i(run), .hold_i(hold), .space_i(space),",
        f"  .valid_i({channel(design)}), .stop_o(stop), .came_o(came), .crowded_o(crowded),",
        "  .broken_o(own)",
        ");",
        *([f"assign {told} = {'stop' if every else '(|stop)'};"] if heard else []),
        *_word_rules(design, "crowded", "own" if heard else "1'b0"),
        *([] if heard else ["wire unheard = &{1'b0, stop, own};"]),
    ]
    return joined(send), joined(receive)


def credit(design: Design) -> tuple[str, str]:
    """The receiver gives credits."""
    link, side = design.said.link, design.receive
    sizes = []
    for one in (design.send, side):
        alone = "credit_vc" in one or design.vcs == 1
        sizes.append(one.bits("credit") if alone else one.bits("credit") // design.vcs)
    send = [
        *forward(design),
        *sent(design, "offered"),
        "wire over;",
        *hears(back("send", design.send, design), f"VCS*{sizes[0]}"),
        f"leaf_credit_send #(.VCS(VCS), .CREDITS({link.credits}), .BACK_W({sizes[0]})) u_send (",
        "  .clk(clk), .rst(quiet), .offered_i(offered), .vc_i(vc), .able_o(able),",
        "  .take_o(take), .home_o(home[g*VCS +: VCS]), .credit_i(heard), .broken_o(over)",
        ");",
        SENDS.format("{over, unknown}"),
    ]
    alone = "credit_vc" in side
    told = [f"assign {at('receive', side, 'credit', '')} = back;"]
    if alone:
        told = given(design, sizes[1])
    receive = [
        *receiver(design),
        f"wire [VCS*{sizes[1]}-1:0] back;",
        "wire crowded, own;",
        "leaf_credit_receive #(",
        f"  .VCS(VCS), .COUNT_W(COUNT_W), .CREDITS({link.credits}), .BACK_W({sizes[1]}),",
        f"  .ALONE({int(alone)}), .SEED(SEED)",
        ") u_receive (",
        "  .clk(clk), .rst(quiet), .run_i(run), .hold_i(hold), .space_i(space),",
        f"  .valid_i({channel(design)}), .came_o(came), .crowded_o(crowded),",
        "  .flit_i(out_valid[g*VCS +: VCS]), .credit_i(out_credit[g*VCS +: VCS]),",
        "  .credit_o(back), .broken_o(own)",
        ");",
        *told,
        *_word_rules(design, "crowded", "own"),
    ]
    return joined(send), joined(receive)


def granted(design: Design, role: str) -> list[str]:
    """What a sender hears of grant or ready, and its rule."""
    lines = [*hears(at("send", design.send, role, ""), "1"), SENDS.format("unknown")]
    return lines + unasked(design) * (role == "ready")


def unasked(design: Design) -> list[str]:
    """Whether ready was high without valid."""
    valid = at("send", design.send, "valid", "")
    return [
        "reg  unasked_q; initial unasked_q = 1'b0;",
        "always @(posedge clk)",
        f"  unasked_q <= (unasked_q & ~clear) | (run & (|heard) & ~(|{valid}));",
        "assign unasked[g] = unasked_q;",
    ]


def slot(design: Design) -> tuple[str, str]:
    """A word a slot, taken at once or, if the design grants, when it is granted.

    AXI4-Stream, and all that has valid and ready, has slots of a clock.
    """
    streams = design.said.link.kind == "stream"
    role = "ready" if streams else "grant"
    grants = role in design.send
    send = [
        *forward(design),
        "assign able = {VCS{1'b1}};",
        *(granted(design, role) if grants else ["wire heard = 1'b1;"]),
        "leaf_slot_send u_send (",
        "  .clk(clk), .rst(rst), .first_i(slot_first), .last_i(slot_last),",
        "  .offered_i(offered), .take_o(take), .valid_o(send_valid[g]), .grant_i(heard)",
        ");",
        HOME,
    ]
    heard = "ready" in design.receive
    receive = [
        *receiver(design),
        "wire ready, crowded;",
        "leaf_slot_receive #(",
        f"  .COUNT_W(COUNT_W), .BLIND({int(not heard)}), .SEED(SEED)",
        ") u_receive (",
        "  .clk(clk), .rst(quiet), .hold_i(hold), .shy_i(shy), .first_i(slot_first),",
        "  .last_i(slot_last), .space_i(space), .valid_i(heard), .ready_o(ready),",
        "  .came_o(came[0]), .crowded_o(crowded)",
        ");",
        f"assign {at('receive', design.receive, 'ready', '')} = ready;"
        if heard
        else "wire unused_ready = ready;",
        *(stream_rules(design) if streams else _word_rules(design, "crowded", "")),
    ]
    return joined(send), joined(receive)


ADAPTERS: dict[str, Adapter] = {
    "stream": slot,
    "onoff": onoff,
    "credit": credit,
    "slot": slot,
    "cell": slot,
}
