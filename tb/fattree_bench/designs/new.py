"""`ftb new NAME --link stream`: begins the description of a design."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from fattree_bench.bench.interface.names import identifier
from fattree_bench.errors import UserError
from fattree_bench.families import DESCRIBED, part
from fattree_bench.paths import call
from fattree_bench.settings import Settings, collect, flag, text, word
from fattree_bench.sim import variables as v

SCAFFOLD = part(DESCRIBED, "scaffold")
SWITCHES = {"--link": "LINK", "--shim": "SHIM"}


class Wanted(Settings):
    """What is begun."""

    name = text(
        "NAME", "", "a name for files and top module; a folder that is there may stand before it"
    )
    link = word("LINK", "stream", SCAFFOLD.LINKS, "what its leaves speak: {allowed}")
    shim = flag("SHIM", 0, on="also a Verilog shim, for ports that the description cannot name")


def variables(words: Sequence[str]) -> Iterator[str]:
    """`my_switch --link stream --shim` as NAME=my_switch LINK=stream SHIM=1."""
    left = list(words)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if name == "--shim":
            yield "SHIM=1"
        elif name in SWITCHES:
            if not equals and not left:
                raise UserError(f"{name}: what? there is {', '.join(SCAFFOLD.LINKS)}")
            yield f"{SWITCHES[name]}={value if equals else left.pop(0)}"
        elif name.startswith("-"):
            raise UserError(f"{name}: no such option; there is {', '.join(SWITCHES)}")
        elif not equals:
            yield f"NAME={name}"
        elif name == "DESIGN":  # a file is named
            yield f"NAME={value}"
        elif name not in ("NETWORK", "BUILD"):
            yield f"{name}={value}"


def run(console: Console, words: Sequence[str]) -> int:
    """Write the files, unless one of them is there."""
    given = list(variables(words))
    names = [word for word in given if word.startswith("NAME=")]
    if len(names) != 1:
        told = "needs a name" if not names else "takes one name"
        raise UserError(f"new: {told}, as in {call()} new NAME=my_switch LINK=stream")
    wanted = Wanted.from_variables(collect(given, Wanted.parameters))
    path = Path(wanted.name)
    name = path.name.removesuffix(".toml")
    if why := identifier(name):
        raise UserError(f"NAME={wanted.name}: {why}")
    if not path.parent.is_dir():
        raise UserError(f"NAME={wanted.name}: {path.parent}: no such folder; nothing was written")
    files = SCAFFOLD.scaffold(name, wanted.link, wanted.shim)
    for file in files:
        if (path.parent / file).exists():
            raise UserError(f"{path.parent / file}: is there already; nothing was written")
    try:
        for file, content in files.items():
            (path.parent / file).write_text(content)
            console.print(f"wrote {path.parent / file}")
    except OSError as error:
        raise UserError(f"{path.parent}: cannot be written: {error.strerror}") from None
    toml = path.parent / f"{name}.toml"
    told = v.command("doctor", {"DESIGN": str(toml)})
    console.print(f"next: name its sources and ports there, then: {told}", soft_wrap=True)
    return 0
