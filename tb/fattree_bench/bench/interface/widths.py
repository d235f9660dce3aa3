"""How many bits of a leaf each field has: as is said, or as the rest of the description has it."""

from collections.abc import Mapping

from fattree_bench.bench.interface import names, ports
from fattree_bench.bench.interface.description import Tables, Wrong


def side(
    wrong: Wrong, said: Tables, direction: str, numbers: Mapping[str, int], sizes: Mapping[str, int]
) -> ports.Side:
    """The ports of one direction; `numbers`: the largest of fields that hold some."""
    link, width, where = said.link, said.design.width, f"link.{direction}"
    table = getattr(link, direction)
    fields = {*names.roles(vars(table))}
    channels = 1 if "vc" in fields else link.vcs  # whose valid and ready are side by side
    number = link.vcs if link.vc == "one-hot" or "vc" not in fields else _bits(link.vcs - 1)
    usual = {
        **dict.fromkeys(("last", "head", "user", "stop", "grant"), 1),
        **{"valid": channels, "ready": channels, "data": width, "keep": max(1, width // 8)},
        **{role: _bits(int(most)) for role, most in numbers.items()},
        **{"vc": number, "credit_vc": number},
        "type": max(1, max(link.types.values(), default=0).bit_length()),
        "length": 0,
        "credit": 0 if link.count == "count" else 1 if "credit_vc" in fields else link.vcs,
    }
    found = ports.side(wrong, where, table, link.kind, usual, sizes)
    for role, right in (("valid", {channels}), ("ready", {1, link.vcs})):
        if role in found and found.bits(role) not in right:
            must = " or ".join(map(str, sorted(right)))
            told = f"{found.bits(role)} bits; link.vcs = {link.vcs}: must be {must}"
            raise wrong(f"{where}.{role}: {told}")
    most = {"type": max(link.types.values(), default=0), "route": int(numbers["route"])}
    for role, key in (("type", "types"), ("route", "route")):
        if role in found and most[role] >> found.bits(role):
            bits = found.bits(role)
            raise wrong(f"{where}.{role}: {bits} bits cannot hold each of link.{key}")
    return found


def length(wrong: Wrong, where: str, side: ports.Side, counts: str, longest: int) -> None:
    """UserError for a field that cannot hold a length, or that nothing would read."""
    bits, most = side.bits("length"), longest - (counts == "rest")
    if bits and (most >> bits or bits > 15):
        raise wrong(f"{where}.length: must have 1 … 15 bits, and hold {most}")
    if bits and where == "link.receive" and ("last" in side or "type" in side):
        raise wrong(f"{where}.length: goes without last and type, which say where a packet ends")


def _bits(most: int) -> int:
    return max(1, most.bit_length())
