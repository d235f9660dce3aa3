"""What a planted fault is, and the usual kinds of them."""

from dataclasses import dataclass

from fattree_bench.bench import faults as kind

SHORT = "PERIOD=40"


@dataclass(frozen=True)
class Planted:
    """A fault.

    Attributes
    ----------
    design : its file, without the ending; edits : (ending, old, new).
    test : what finds it.
    says : names of faults, all of which are told; `rule`: of the link that it breaks.
    line : of the log, that is told as a fault.
    agent : at the leaves.
    """

    name: str
    design: str
    test: str
    says: tuple[str, ...]
    edits: tuple[tuple[str, str, str], ...]
    rule: str = ""
    line: str = ""
    agent: str = "FRAME"


def planted(
    design: str, name: str, test: str, says: str | tuple[str, ...], old: str, new: str
) -> Planted:
    """A fault in the Verilog."""
    words = (says,) if isinstance(says, str) else says
    return Planted(f"{design}: {name}", design, test, words, ((".v", old, new),))


def breaks(design: str, name: str, test: str, rule: str, *edits: tuple[str, str, str]) -> Planted:
    """A fault that breaks a rule of the link."""
    return Planted(f"{design}: {name}", design, test, (kind.PROTOCOL,), edits, rule)


def told(design: str, name: str, test: str, says: str, old: str, new: str) -> Planted:
    """A sound design of which too much is promised."""
    return Planted(f"{design}: {name}", design, test, (says,), ((".toml", old, new),))
