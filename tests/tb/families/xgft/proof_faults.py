"""Faults that break the rules of the choice of a parent by what packets before had."""

SPREAD = "wormhole/xgft_spread.v"
RR, FLOWLET, DRILL = (
    f"xgft-spread-{kind}-2-2-{vcs}-1" for kind, vcs in (("rr", 1), ("flowlet", 2), ("drill", 2))
)
UP = "port = FIRST + {{(32-UP_W){1'b0}}, parent"

EACH = "parent[(p*VCS+v)*UP_W +: UP_W] ="

BY_DAY = [("xgft_spread_proof", "S3")]  # the others at night

# Proof, rule, file, text, faulty text.
FAULTS: tuple[tuple[str, ...], ...] = (
    (RR, "S1", SPREAD, "if (port >= FIRST) port", "if (port >= FIRST - 1) port"),
    (RR, "S2", SPREAD, UP, UP.replace("FIRST", "FIRST - 1")),
    (RR, "S3", SPREAD, "if (place == {UP_W{1'b0}}) start", "start"),
    (FLOWLET, "S4", SPREAD, "OLD     = GAP + 1;", "OLD     = GAP;"),
    (FLOWLET, "S5", SPREAD, "if (room_i[one] && !room_i[found])", "if (1'b0)"),
    (DRILL, "S6", SPREAD, "< {!room_i[found], away", "> {!room_i[found], away"),
    (DRILL, "S7", SPREAD, f"{EACH} found;", f"{EACH} found ^ v[0];"),
)
