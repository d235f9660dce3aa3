"""Names and texts of a user that become Verilog: what cannot is refused before anything is built.

`problems` says of a description which of its keys its link does not use, and which of its texts
cannot stand where they would.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from glob import has_magic
from pathlib import Path
from string import Formatter

from fattree_bench.bench.interface.kinds import unused, wrong_types
from fattree_bench.bench.result import Record

PATH = re.compile(r"[.\[]")  # into what a description declares
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
LETTER = re.compile(r"\w{1,40}", re.ASCII)  # of a leaf, in the name of a port
WARNING = re.compile(r"[A-Za-z][A-Za-z0-9]*")  # of Verilator
LONGEST = 200  # letters of a name, or of a number of bits that is worked out
MOST_BITS = 4096  # of a leaf's field
ADDRESS_BITS = 32


def keyword(name: str) -> bool:
    """Whether SystemVerilog has the word for itself.

    >>> keyword("module"), keyword("my_module")
    (True, False)
    """
    from pygments.lexers.hdl import SystemVerilogLexer  # here: few commands need it
    from pygments.token import Keyword

    kinds = [kind for kind, word in SystemVerilogLexer().get_tokens(name) if word == name]
    return bool(kinds) and kinds[0] in Keyword


def identifier(name: str, reserved: bool = True) -> str:
    """Why a text is not a name of Verilog; empty if it is one.  `reserved`: keywords are none.

    >>> identifier("top"), identifier("1st"), identifier("wire")
    ('', 'must be a Verilog name', 'is a keyword of SystemVerilog')
    """
    if not IDENTIFIER.fullmatch(name):
        return "must be a Verilog name"
    if len(name) > LONGEST:
        return f"must have at most {LONGEST} letters"
    return "is a keyword of SystemVerilog" if reserved and keyword(name) else ""


def filled(text: str, names: Mapping[str, int]) -> str:
    """A text with its {names}; ValueError for any other use of braces, which are {{ and }}.

    >>> filled("{leaves}*2", {"leaves": 4})
    '4*2'
    """
    made = []
    for plain, name, layout, how in Formatter().parse(text):
        if layout or how or (name is not None and name not in names):
            raise ValueError(text)
        made += [plain, str(names[name]) if name is not None else ""]
    return "".join(made)


def bits(text: str, names: Mapping[str, int]) -> int:
    """A number of bits, as 8 or {width}/8; ValueError if it is none.

    >>> bits("{width}/8", {"width": 32})
    4
    """
    whole = filled(text, names)
    if len(whole) > LONGEST:
        raise ValueError(text)
    try:
        return _worked(ast.parse(whole, mode="eval").body)
    except (SyntaxError, ZeroDivisionError, RecursionError, MemoryError):
        raise ValueError(text) from None


def _worked(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp):
        one, other = _worked(node.left), _worked(node.right)
        match node.op:
            case ast.Add():
                return one + other
            case ast.Sub():
                return one - other
            case ast.Mult():
                return one * other
            case ast.Div() | ast.FloorDiv():
                return one // other
    raise ValueError


def matching(folder: Path, pattern: str) -> list[Path]:
    """Files of a name or glob from a folder on, sorted; ValueError if it would search the disk."""
    parts = (folder / pattern).parts
    at = next((k for k, part in enumerate(parts) if has_magic(part)), len(parts))
    start, rest = Path(*parts[:at]).resolve(), parts[at:]
    if rest and start == Path(start.anchor):
        raise ValueError("must begin with a folder: it would search the whole disk")
    found = sorted(start.glob(str(Path(*rest)))) if rest else [start]
    return [path.resolve() for path in found if path.is_file()]


def problems(said: Record) -> Iterator[str]:
    """What is wrong with the tables of a description, whose values are of the right kinds."""
    design, link = said["design"], said["link"]
    yield from _unprintable("", said)
    fields = {role for way in ("send", "receive") for role in roles(link[way])}
    yield from unused(link["kind"], link, fields)
    yield from wrong_types(link.get("types", {}), fields)
    if not design["sources"]:
        yield "design.sources = []: must be a list of files or globs: .v, .sv, .f"
    for name in design.get("waive", ()):
        if not WARNING.fullmatch(name):
            yield f"design.waive: {name!r}: must be a name of a Verilator warning, as WIDTHTRUNC"
    reserved = not design.get("language", "").startswith("1364")
    for key, name in named(said):
        if why := identifier(name.replace("{i}", "0", 1), reserved):
            yield f"{key} = {name!r}: {why}"
    declared = re.findall(r"\w+", " ".join(design.get("declare", ())))
    for way, role, told in ((x, *one) for x in ("send", "receive") for one in link[x].items()):
        port = told.partition(":")[0].removeprefix("~")
        if role != "fields" and PATH.search(port) and PATH.split(port)[0] not in declared:
            wants = "a port, as tdata or tdata:32, or a path into design.declare"
            yield f"link.{way}.{role} = {told!r}: must be {wants}"
    addresses = link.get("addresses", ())
    for at, address in enumerate(addresses):
        if address in addresses[:at] or address >> ADDRESS_BITS:
            told = f"must be numbers below 2^{ADDRESS_BITS}, each once"
            yield f"link.addresses: {address} in the list: {told}"


def roles(side: Mapping[str, str]) -> list[str]:
    """Fields that one direction names, in ports of their own or in the packet's."""
    together = (word.removeprefix("~").partition(":")[0] for word in side.get("fields", "").split())
    return [*(role for role, port in side.items() if port), *together]


def named(said: Record) -> Iterator[tuple[str, str]]:
    """Texts that are names, by key."""
    design = said["design"]
    yield "design.top", design["top"]
    for key in ("parameters", "ties", "defines"):
        yield from ((f"design.{key}", name) for name in design.get(key, ()))
    if "name" in said.get("clock", {}):
        yield "clock.name", said["clock"]["name"]
    if said.get("reset", {}).get("name"):
        yield "reset.name", said["reset"]["name"]
    counter = (said.get("promises", {}).get("drops") or {}).get("counter", "")
    if counter:
        yield "promises.drops.counter", counter.partition(":")[0]
    for side in ("send", "receive"):
        ports = said["link"][side]
        for role, told in ports.items():
            if role != "fields" and told:
                yield f"link.{side}.{role}", re.split("[:.[]", told.removeprefix("~"))[0]


def _unprintable(key: str, value: object) -> Iterator[str]:
    """Texts that are more than a line, or that a terminal would not show."""
    if isinstance(value, str):
        if not value.isprintable():
            yield f"{key} = {value!r}: must be one line of characters that can be printed"
    elif isinstance(value, Mapping):
        for name, inside in value.items():
            yield from _unprintable("a key", name)
            yield from _unprintable(f"{key}.{name}".removeprefix("."), inside)
    elif isinstance(value, Sequence):
        for inside in value:
            yield from _unprintable(key, inside)
