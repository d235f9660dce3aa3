"""Faulty crossings between clocks: pointers, synchronisers, flags, credits, resets."""

from fattree_bench.bench import faults as kind
from tests.tb.faults.faulty import Edit, Faulty, stopped

TWO = "NETWORK=kary K=2 LEVELS=2"  # 4 leaves
LEAVES = f"{TWO} ASYNC=LEAVES"
LINKS = f"{TWO} ASYNC=LINKS"
CODE = "next ^ (next >> 1);"
FULL = "assign full_o = (write_code == (read_seen ^ AHEAD));"
SEEN = "assign behind_o = (seen != code_o);"


def block(name: str, old: str, new: str, times: int = 1) -> Edit:
    return Edit(f"common/{name}.v", old, new, times)


DESIGNS = (
    stopped(
        "crossing: a synchroniser of one flip-flop",
        f"{LEAVES} TEST=single_packets",
        "parameter SYNC",
        block("gray_follower", "synchroniser #(.SYNC(SYNC)", "synchroniser #(.SYNC(1)"),
    ),
    stopped(
        "crossing: pointers are binary",
        f"{LEAVES} TEST=uniform",
        "a flit came to a full FIFO",
        block("gray_pointer", CODE, "next;"),
        block("async_fifo", FULL, FULL.replace("^ AHEAD", "+ DEPTH")),
    ),
    stopped(
        "crossing: the Gray code is shifted by one bit too many",
        f"{LEAVES} TEST=uniform",
        "a flit came to a full FIFO",
        block("gray_pointer", CODE, "next ^ (next >> 2);"),
    ),
    stopped(
        "crossing: FIFOs have half the places",
        f"{LINKS} CLOCKS=10,40 TEST=hot_spot",
        "a flit came to a full FIFO",
        block(
            "async_link",
            "localparam WORDS    = 1 << ((ROOM_W > 1) ? ROOM_W : 1);",
            "localparam WORDS = 1 << (ROOM_W - 2);",
        ),
    ),
    stopped(
        "crossing: a FIFO shows words that have not come",
        f"{LEAVES} TEST=single_packets",
        "a flit came without a head",
        block("gray_follower", SEEN, "assign behind_o = (seen != code_o) | (code_o == 1);"),
    ),
    Faulty(
        "crossing: a FIFO with one word inside seems empty",
        f"{LEAVES} TEST=single_packets",
        (kind.LATE, kind.LOST, kind.STUCK),
        (
            block(
                "gray_follower",
                SEEN,
                "wire [WIDTH-1:0] on = count_o + 1'b1;\n"
                "  assign behind_o = (seen != code_o) & (seen != (on ^ (on >> 1)));",
            ),
        ),
    ),
    Faulty(
        "crossing: credits given while others are seen are lost",
        f"{LEAVES} TEST=uniform",
        (kind.LOST, kind.STUCK),
        (block("async_link", ".step_i(credit_i[v])", ".step_i(credit_i[v] & ~given[0])"),),
    ),
    stopped(
        "crossing: credits come twice",
        f"{LINKS} TEST=uniform",
        "a credit came back twice",
        block("async_link", ".step_i(credit_o[v])", ".step_i(credit_o[v] & passed_code[0])"),
    ),
    stopped(
        "crossing: credits are counted that were never given",
        f"{LEAVES} TEST=single_packets",
        "a pointer overtook the one that it follows",
        block("async_link", ".step_i(credit_o[v])", ".step_i(1'b1)"),
    ),
    stopped(
        "crossing: flits change places in the memory",
        f"{LEAVES} TEST=uniform",
        "no head at the front of a packet",
        block("async_fifo", "words[read_count[PLACE_W-1:0]];", "words[~read_count[PLACE_W-1:0]];"),
    ),
    stopped(
        "crossing: a reset clears links while clocks still run",
        f"{LINKS} CLOCKS=10,30,15 TEST=uniform,reset",
        "a credit came back twice",
        block(
            "async_reset",
            "clear_q <= (clear | clear_q) & ~clean;",
            "clear_q <= start | (clear_q & ~clean);",
        ),
    ),
    Faulty(
        "crossing: a clock more in each synchroniser",
        f"{LEAVES} CLOCKS=10 DEPTH=14 TEST=equal_clocks",
        (kind.LATE,),
        (block("gray_follower", "synchroniser #(.SYNC(SYNC)", "synchroniser #(.SYNC(SYNC + 4)"),),
    ),
)
