"""A bench top made from an interface: widths, counters, fields of leaves, unused wires."""

from fattree_bench.bench.interface import top
from fattree_bench.bench.interface.interface import (
    CLOCKED,
    Block,
    Counted,
    Events,
    Interface,
    Packed,
    Shown,
    gives,
    takes,
)

RING = Interface(
    name="ring",
    origin="a test",
    design=Block(
        "ring_network",
        "u_network",
        {"WIDTH": 8, "COUNT_W": 5, "FROM_END": 1},
        (
            *CLOCKED,
            takes("valid_i", "valid", leaves="N"),
            takes("flit_i", "flit", "WIDTH + 2", "N"),
            gives("lost_o", "lost", "COUNT_W", 2),
            gives("most_o", "most", "COUNT_W"),
            gives("busy_o", "busy", 3),
            gives("spare_o", "spare"),
        ),
    ),
    constants={"N": 4},
    packed=(Packed("played", "N", (("", 3), ("flit", "WIDTH + 2")), split=True),),
    state=(
        Shown("busy", 3),
        Counted("lost", 2),
        Counted("most", from_end=False),
        Events("busy", 3),
    ),
    blocks=(
        Block(
            "ring_player",
            "u_player",
            {},
            (
                takes("clk", "clk"),
                gives("busy_o", "busy_o"),
                gives("rst_o", "rst"),
                gives("valid_o", "valid", leaves=4),
                gives("flit_o", "played", 13, 4),
                takes("state_i", "{events, counters, busy}"),
            ),
            memories=("stim", "seen"),
            registers=("go", "cycles"),
        ),
    ),
)


def test_the_state_follows_from_its_fields() -> None:
    assert RING.state_bits == 3 + 3 * 32 + 32
    assert RING.state_wires == "{events, counters, busy}"


def test_what_a_top_says() -> None:
    text = top.text(RING)
    assert text.startswith("// Made from the interface in a test by each build.\n")
    for line in (
        "localparam N        = 4;",
        "wire [N-1:0]           valid;",
        "wire [N*(WIDTH + 2)-1:0] flit;",
        "ring_network #( .WIDTH(WIDTH), .COUNT_W(COUNT_W), .FROM_END(FROM_END) ) u_network (",
        ".FROM_END({1'd0, {2{FROM_END == 1}}})",
        "assign flit[g*(WIDTH + 2) +: WIDTH + 2] = played[g*(3 + WIDTH + 2) +: WIDTH + 2];",
        ".count_o(events[0 +: 32])",
        "wire unused = &{1'b0, spare, played};",
    ):
        assert " ".join(line.split()) in " ".join(text.split()), line
    assert "wire [52:0] busy_o" not in text  # a port of the top


def test_a_view_writes_behind_the_back_of_verilator() -> None:
    vpi, view = RING.public("vpi"), RING.public("view")
    assert 'public_flat_rw -module "ring_player" -var "stim_*"' in vpi
    assert 'public_flat_rd -module "ring_player" -var "stim_*"' in view
    assert vpi[1:] == view[1:]
    assert 'public_flat_rd -module "ring_player" -var "done"' in vpi
    assert vpi[-1] == 'public_flat_rw -module "ring_bench" -var "clk"'
