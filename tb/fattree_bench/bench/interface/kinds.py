"""What each kind of link knows: keys of [link], fields that it needs, and fields that it may have.

One table: a key or a field that a kind does not use is refused.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

ANY = ("dest", "id", "user", "keep", "head", "type", "length")
BACK = ("ready", "stop", "credit", "credit_vc", "grant")  # against the way of the packets
PAD = "pad"  # bits between fields: 0 on the way in, ignored on the way out
TYPES = ("head", "body", "tail", "single")  # of flits


@dataclass(frozen=True)
class Kind:
    """A kind of link.

    Attributes
    ----------
    keys : of [link], besides those of all kinds.
    send, receive : fields that must be there.
    may : what else either side may have.
    """

    keys: tuple[str, ...]
    send: tuple[str, ...]
    receive: tuple[str, ...]
    may: tuple[str, ...]

    def needs(self, direction: str) -> tuple[str, ...]:
        return self.send if direction == "send" else self.receive

    def allowed(self, direction: str) -> tuple[str, ...]:
        return *self.needs(direction), *self.may, *(("route",) if direction == "send" else ())


WORD = ("valid", "data")
KINDS: Mapping[str, Kind] = {
    "stream": Kind(
        ("vcs", "vc", "stable"), *((*WORD, "ready"), (*WORD, "ready")), (*ANY, "last", "vc")
    ),
    "onoff": Kind(
        ("mode", "slack", "lag", "vcs", "vc"), (*WORD, "stop"), WORD, (*ANY, "last", "vc", "stop")
    ),
    "credit": Kind(
        ("credits", "count", "vcs", "vc"),
        *((*WORD, "credit"), (*WORD, "credit")),
        (*ANY, "last", "vc", "credit_vc"),
    ),
    "slot": Kind(("slot",), WORD, WORD, ANY),
    "cell": Kind(("slot",), (*WORD, "grant"), WORD, (*ANY, "ready")),
}
# Keys that say how one of these fields is read.
OF_FIELD = {"vc": ("vc", "credit_vc"), **{x: (x,) for x in ("length", "route")}, "types": ("type",)}


def unused(kind: str, link: Mapping[str, object], fields: Container[str]) -> Iterator[str]:
    """Keys of [link], of a known kind, that nothing would read; `fields`: those that it has."""
    for key in link:
        users = [name for name, one in KINDS.items() if key in one.keys]  # none: of all kinds
        if users and kind not in users:
            yield f"link.{key}: is of link.kind = {' or '.join(map(repr, users))}, not of '{kind}'"
        elif key in OF_FIELD and not any(role in fields for role in OF_FIELD[key]):
            yield f"link.{key}: needs a field {' or '.join(OF_FIELD[key])}"
        elif key in ("lag", "slack") and link.get("mode") == "resend":
            yield f"link.{key}: is of mode = 'stop'; a word that met stop is sent again"


def wrong_types(types: Mapping[str, int], fields: Container[str]) -> Iterator[str]:
    """What is wrong with the codes of flit types."""
    known = {*TYPES[:3]} <= types.keys() <= {*TYPES} if types else True
    if ("type" in fields) != bool(types) or not known:
        yield "link.types: goes with a field type: codes of head, body, tail and, if it has, single"
    if len({*types.values()}) < len(types):
        yield "link.types: must be different codes"
