"""What each kind of link knows: keys of [link], fields that it needs, and fields that it may have.

One table: a key or a field that a kind does not use is refused.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

ANY = ("dest", "id", "user", "keep", "head")
BACK = ("ready", "stop", "credit", "credit_vc", "grant")  # against the way of the packets
PAD = "pad"  # bits between fields: 0 on the way in, ignored on the way out
OF_ALL = ("kind", "send", "receive", "addresses", "leaf0")


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
        return *self.needs(direction), *self.may


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
OF_FIELD = {"vc": ("vc", "credit_vc")}  # keys that say how one of these fields is read


def unused(kind: str, link: Mapping[str, object], fields: Container[str]) -> Iterator[str]:
    """Keys of [link], of a known kind, that nothing would read; `fields`: those that it has."""
    for key in link:
        if key in OF_ALL or key not in {k for one in KINDS.values() for k in one.keys}:
            continue
        if key not in KINDS[kind].keys:
            users = " or ".join(f"'{name}'" for name, one in KINDS.items() if key in one.keys)
            yield f"link.{key}: is of link.kind = {users}, not of '{kind}'"
        elif key in OF_FIELD and not any(role in fields for role in OF_FIELD[key]):
            yield f"link.{key}: needs a field {' or '.join(OF_FIELD[key])}"
        elif key in ("lag", "slack") and link.get("mode") == "resend":
            yield f"link.{key}: is of mode = 'stop'; a word that met stop is sent again"
