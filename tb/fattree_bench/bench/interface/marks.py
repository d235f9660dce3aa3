"""How words are marked: heads, tails, and flit types, whose codes a description states."""

from fattree_bench.bench.interface.design import Design
from fattree_bench.bench.interface.ports import Side


def at(direction: str, side: Side, role: str, missing: str) -> str:
    """A field of this leaf, or what stands for it where there is none."""
    if role not in side:
        return missing
    bits = side.bits(role)
    return f"{direction}_{role}[g*{bits} +: {bits}]"


def sent_type(design: Design) -> str:
    """The code that a sender drives."""
    head, body, tail, single = (
        f"{design.send.bits('type')}'d{design.said.link.types.get(name, 0)}"
        for name in ("head", "body", "tail", "single")
    )
    return f"head ? (tail ? {single} : {head}) : (tail ? {tail} : {body})"


def _is(design: Design, *names: str) -> str:
    """Whether a word that came has one of these types."""
    types, bits = design.said.link.types, design.receive.bits("type")
    came = at("receive", design.receive, "type", "")
    each = [f"({came} == {bits}'d{types[name]})" for name in names if name in types]
    return f"({' | '.join(each)})"


def tail(design: Design) -> str:
    """How a receiver knows the last word of a packet."""
    if "last" in design.receive:
        return at("receive", design.receive, "last", "")
    if "type" in design.receive:
        return _is(design, "tail", "single")
    alone = design.packet_words.longest == 1 and "length" not in design.receive
    return "1'b1" if alone else "counted"


def counted(design: Design) -> list[str]:
    """Counts the words of a packet: as many as its first says, or as all have."""
    said = f"16'd{design.packet_words.longest}"
    if "length" in design.receive:
        bits, more = design.receive.bits("length"), int(design.said.link.length == "rest")
        said = f"{{{16 - bits}'d0, {at('receive', design.receive, 'length', '')}}} + 16'd{more}"
    return [
        "wire counted;",
        "leaf_tail #(.VCS(VCS)) u_tail (",
        f"  .clk(clk), .rst(quiet), .came_i(came), .length_i({said}), .tail_o(counted)",
        ");",
    ]


def sent_length(design: Design) -> list[str]:
    """What a sender knows of the length of its packet, which is whole before it is sent."""
    if "length" not in design.send:
        return ["assign known = {VCS{1'b1}};"]
    return [
        "wire [15:0] length;",
        f"wire [15:0] said = length - 16'd{int(design.said.link.length == 'rest')};",
        "leaf_length #(.VCS(VCS), .DEPTH(DEPTH), .WORDS(WORDS)) u_length (",
        "  .clk(clk), .rst(rst), .valid_i(in_valid[g*VCS +: VCS]),",
        "  .last_i(in_flit[g*FLIT_W + WIDTH]), .known_o(known), .vc_i(vc), .take_i(take),",
        "  .tail_i(tail), .length_o(length)",
        ");",
    ]


def mark(design: Design) -> str:
    """The head mark of a word that came; one of no type is marked wrongly."""
    if "type" not in design.receive:
        return at("receive", design.receive, "head", "head")
    known = _is(design, *design.said.link.types)
    return f"({known} ? {_is(design, 'head', 'single')} : ~head)"
