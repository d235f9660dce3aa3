"""How packet-switched fat-trees are made faulty: edits of each file, small networks."""

from tests.tb.faults.faulty import Edit

# Small networks on which Icarus needs a few seconds.
TWO = "NETWORK=kary K=2 LEVELS=2"  # 4 leaves
TWO_TURNBACK = "NETWORK=turnback M=2,2 W=1,2"
THREE = "NETWORK=kary K=2 LEVELS=3"  # 8 leaves
TABLES = "NETWORK=ftree_mn PORTS=4 LEVELS=2 ROUTING=MLID"  # 8 leaves, 2 addresses each


def route(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_route.v", old, new, times)


def digit(old: str, new: str, times: int = 1) -> Edit:
    return Edit("turnback/turnback_digit.v", old, new, times)


def turning(old: str, new: str, times: int = 1) -> Edit:
    return Edit("turnback/turnback_route.v", old, new, times)


def half(old: str, new: str, times: int = 1) -> Edit:
    return Edit("turnback/turnback_switch.v", old, new, times)


def node(old: str, new: str, times: int = 1) -> Edit:
    return Edit("turnback/turnback_node.v", old, new, times)


def inputs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_input_unit.v", old, new, times)


def outputs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_output_unit.v", old, new, times)


def core(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_core.v", old, new, times)


def network(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_network.v", old, new, times)


def level(old: str, new: str, times: int = 1) -> Edit:
    return Edit("xgft/xgft_level.v", old, new, times)


def drawing(old: str, new: str, times: int = 1) -> Edit:
    return Edit("benes/benes_network.v", old, new, times)


def ruft(old: str, new: str, times: int = 1) -> Edit:
    return Edit("ruft/ruft_network.v", old, new, times)


def long_link(old: str, new: str, times: int = 1) -> Edit:
    return Edit("ruft/xgft_long_link.v", old, new, times)


def vcs(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_vc_allocator.v", old, new, times)


def crossing(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_switch_allocator.v", old, new, times)


def table(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_table.v", old, new, times)


def random(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_random.v", old, new, times)


def rules(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_rules.v", old, new, times)


def arbiter(old: str, new: str, times: int = 1) -> Edit:
    return Edit("common/arbiter.v", old, new, times)


def queues(old: str, new: str, times: int = 1) -> Edit:
    return Edit("wormhole/xgft_queue.v", old, new, times)


# The checks of who holds a virtual channel: blind, so that the bench must see it.
BLIND = (
    rules("(claim_i & ~free_i) == NONE", "1'b1"),
    rules("(send_i & free_i & ~claim_i) == NONE", "1'b1"),
)

# After a clock in which the first three links of a level were busy, all its flits are lost.
LOSES_PACKETS = (
    level(
        "wire [PORTS*VCS-1:0]    in_valid,",
        "wire [PORTS*VCS-1:0] sent; reg gone;\n"
        "always @(posedge clk) gone <= rst | (|link_valid_o[0 +: VCS]\n"
        "  & |link_valid_o[VCS +: VCS] & |link_valid_o[2*VCS +: VCS]);\n"
        "assign out_valid = gone ? {(PORTS*VCS){1'b0}} : sent;\n"
        "wire [PORTS*VCS-1:0]    in_valid,",
    ),
    level(".valid_o(out_valid),", ".valid_o(sent),", 2),
)


def to_leaves(port: str, what: str, before: str = "") -> tuple[Edit, Edit]:
    """What comes to the leaves in place of `valid` or `flit`; `before` declares what that needs."""
    declared = "wire              own_rst, own_clear;  // of clk"
    given = f"down_{port}_i(gen_level[LOWEST].down_{port})"
    return (
        network(
            declared,
            f"{declared}\n"
            "wire [LEAVES*VCS-1:0] valid = gen_level[LOWEST].down_valid;\n"
            f"wire [LEAVES*FLIT_W-1:0] flits = gen_level[LOWEST].down_flit;\n{before}",
        ),
        network(given, f"down_{port}_i({what})"),
    )


def flipped(bit: int) -> tuple[Edit, Edit]:
    """A bit of the sixth flit to leaf 0 comes wrong."""
    return to_leaves(
        "flit",
        f"flits ^ ((comes & count_q == 5) << {bit})",
        "reg [3:0] count_q;\n"
        "wire comes = |valid[VCS-1:0];\n"
        "always @(posedge clk) count_q <= rst ? 0 : count_q + (comes & count_q < 6);\n",
    )


def to_leaf_0(what: str) -> tuple[Edit, Edit]:
    """Flits to leaf 0 for which `what` holds are lost on its link; `flit` is the flit."""
    return to_leaves(
        "valid",
        f"valid & ~{{{{(LEAVES*VCS-VCS){{1'b0}}}}, {{VCS{{{what}}}}}}}",
        "wire [FLIT_W-1:0] flit = flits[0 +: FLIT_W];\n",
    )
