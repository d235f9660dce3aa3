"""The ports of a design: which field of the link each of them is, and how wide for a leaf."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fattree_bench.bench.interface import names
from fattree_bench.bench.interface.description import PortTable, Wrong, roles
from fattree_bench.bench.interface.kinds import BACK, KINDS, PAD

NAME = re.compile(r"~?(?:[A-Za-z_]\w*(?:{i}\w*)?(?:\.\w+|\[(?:\d+|{i})\])*|\w*{i}\w*)")


@dataclass(frozen=True)
class Field:
    """A field of the link.

    Attributes
    ----------
    port : its own port, which may hold {i}; empty: it is in the port of the packet.
    bits : of a leaf.
    low : the port has its bits inverted.
    """

    role: str
    port: str
    bits: int
    low: bool = False


@dataclass(frozen=True)
class Side:
    """One direction: `fields` by role; `packet`: the port of those `together`, and of bits between
    them, in the order in which they stand, the most significant first."""

    fields: Mapping[str, Field]
    packet: str = ""
    together: tuple[Field, ...] = ()

    def __contains__(self, role: str) -> bool:
        return role in self.fields

    def bits(self, role: str) -> int:
        return self.fields[role].bits if role in self.fields else 0


def side(
    wrong: Wrong,
    where: str,
    table: PortTable,
    kind: str,
    usual: Mapping[str, int],
    given: Mapping[str, int],
) -> Side:
    """The ports of one direction; `usual`: bits of a field where nothing is said."""
    direction = where.rpartition(".")[2]
    needed, allowed = KINDS[kind].needs(direction), KINDS[kind].allowed(direction)
    fields: dict[str, Field] = {}
    together: list[Field] = []

    def add(role: str, port: str, bits: str, told: str) -> Field:
        key = f"{where}.{role}"
        if role not in allowed:
            known = ", ".join(dict.fromkeys(allowed))
            raise wrong(f"{key}: link.kind = '{kind}' has no {role}; it has {known}")
        if role in fields:
            raise wrong(f"{key}: is there twice")
        width = usual[role]
        if bits:
            width = _number(wrong, f"{key} = '{told}'", bits, given)
        elif not width:
            raise wrong(f"{key} = '{told}': must say how many bits, as {told}:8")
        low = told.startswith("~")
        fields[role] = Field(role, port.removeprefix("~"), width, low)
        return fields[role]

    for word in table.fields.split():
        role, _, bits = word.removeprefix("~").partition(":")
        if role == PAD and word.startswith("~"):
            raise wrong(f"{where}.fields: {word}: must be pad:BITS")
        if role == PAD:
            width = _number(wrong, f"{where}.fields: {word}", bits, given)
            together.append(Field(PAD, "", width))
            continue
        if role not in roles():
            raise wrong.unknown(f"{where}.fields", role, [*dict.fromkeys((*allowed, PAD))])
        if role in BACK:
            raise wrong(f"{where}.fields: {role} goes the other way; it needs a port of its own")
        together.append(add(role, "", bits, word))
    if bool(table.fields) != bool(table.packet):
        raise wrong(f"{where}: packet and fields go together, as packet = 'in', fields = 'valid:1'")
    for role in roles():
        if told := getattr(table, role):
            port, colon, bits = told.partition(":")
            if not NAME.fullmatch(port) or (colon and not bits):
                raise wrong(f"{where}.{role} = {told!r}: must be a port, as tdata or tdata:32")
            add(role, port, bits, told)
    if table.packet and (table.packet[0] == "~" or not NAME.fullmatch(table.packet)):
        raise wrong(f"{where}.packet = {table.packet!r}: must be the name of a port")
    for role in needed:
        if role not in fields:
            raise wrong(f"{where}.{role}: is missing; link.kind = '{kind}' needs it")
    return Side(fields, table.packet, tuple(together))


def _number(wrong: Wrong, told: str, text: str, given: Mapping[str, int]) -> int:
    """Bits, which may be worked out of {width}, {leaves} …"""
    try:
        value = names.bits(text, given)
    except ValueError:
        raise wrong(f"{told}: must be bits, as 8 or {{width}}/8") from None
    if not 1 <= value <= names.MOST_BITS:
        raise wrong(f"{told}: must be 1 … {names.MOST_BITS} bits")
    return value
