"""The ports of a design: which field of the link each of them is, and how wide for a leaf."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fattree_bench.bench.interface import names
from fattree_bench.bench.interface.description import PortTable, Wrong, roles

NAME = re.compile(r"[A-Za-z_]\w*(?:\{i\}\w*)?|\w*\{i\}\w*")
BACK = ("ready", "stop", "credit", "credit_vc", "grant")  # against the way of the packets
NEEDED: dict[tuple[str, str], tuple[str, ...]] = {
    ("stream", "send"): ("valid", "ready", "data"),
    ("stream", "receive"): ("valid", "ready", "data"),
    ("onoff", "send"): ("valid", "data", "stop"),
    ("onoff", "receive"): ("valid", "data"),
    ("credit", "send"): ("valid", "data", "credit"),
    ("credit", "receive"): ("valid", "data", "credit"),
    ("slot", "send"): ("valid", "data"),
    ("slot", "receive"): ("valid", "data"),
    ("cell", "send"): ("valid", "data", "grant"),
    ("cell", "receive"): ("valid", "data"),
}
BESIDE = ("dest", "id", "user", "keep")
MAY: dict[str, tuple[str, ...]] = {  # what else a kind of link may have
    "stream": (*BESIDE, "last"),
    "onoff": (*BESIDE, "last", "head", "vc", "stop"),
    "credit": (*BESIDE, "last", "head", "vc", "credit_vc"),
    "slot": BESIDE,
    "cell": (*BESIDE, "ready"),
}


@dataclass(frozen=True)
class Field:
    """A field of the link.

    Attributes
    ----------
    port : its own port, which may hold {i}; empty: it is in the port of the packet.
    bits : of a leaf.
    """

    role: str
    port: str
    bits: int


@dataclass(frozen=True)
class Side:
    """One direction: `fields` by role; `packet`: the port of those without one, which come in the
    order in which they stand, the most significant first."""

    fields: Mapping[str, Field]
    packet: str = ""

    def __contains__(self, role: str) -> bool:
        return role in self.fields

    def bits(self, role: str) -> int:
        return self.fields[role].bits if role in self.fields else 0

    @property
    def together(self) -> list[Field]:
        """The fields of the packet's port."""
        return [one for one in self.fields.values() if not one.port]


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
    allowed = (*NEEDED[kind, direction], *MAY[kind])
    fields: dict[str, Field] = {}

    def add(role: str, port: str, bits: str, told: str) -> None:
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
        fields[role] = Field(role, port, width)

    for word in table.fields.split():
        role, _, bits = word.partition(":")
        if role not in roles():
            raise wrong.unknown(f"{where}.fields", role, [*dict.fromkeys(allowed)])
        if role in BACK:
            raise wrong(f"{where}.fields: {role} goes the other way; it needs a port of its own")
        add(role, "", bits, word)
    if bool(table.fields) != bool(table.packet):
        raise wrong(f"{where}: packet and fields go together, as packet = 'in', fields = 'valid:1'")
    for role in roles():
        if told := getattr(table, role):
            port, colon, bits = told.partition(":")
            if not NAME.fullmatch(port) or (colon and not bits):
                raise wrong(f"{where}.{role} = {told!r}: must be a port, as tdata or tdata:32")
            add(role, port, bits, told)
    if table.packet and not NAME.fullmatch(table.packet):
        raise wrong(f"{where}.packet = {table.packet!r}: must be the name of a port")
    for role in NEEDED[kind, direction]:
        if role not in fields:
            raise wrong(f"{where}.{role}: is missing; link.kind = '{kind}' needs it")
    return Side(fields, table.packet)


def _number(wrong: Wrong, told: str, text: str, given: Mapping[str, int]) -> int:
    """Bits, which may be worked out of {width}, {leaves} …"""
    try:
        value = names.bits(text, given)
    except ValueError:
        raise wrong(f"{told}: must be bits, as 8 or {{width}}/8") from None
    if not 1 <= value <= names.MOST_BITS:
        raise wrong(f"{told}: must be 1 … {names.MOST_BITS} bits")
    return value
