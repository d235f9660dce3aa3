"""From points of code coverage to source files with their lines, branches, toggles, expressions."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from fattree_bench.report.regression import CodeFile, CodePoint
from fattree_bench.sim.elaboration import declared, plain_source
from fattree_bench.sim.places import LINKS
from fattree_bench.sim.verilator_dat import Key, Points

GENERATED = re.compile(r"/sim/[^/]+-[0-9a-f]{16}/[^/]+$")  # a bench, made for its build
SHARED = "common"  # folder of blocks that a network need not use
LINKED = PurePath(LINKS, "rtl")
KIND = {"branch": "branch", "toggle": "toggle", "expr": "expression"}
ARMS = ("if", "else", "elsif", "case")  # Verilator calls these lines unless they come in pairs


def files(points: Mapping[Key, int], rtl: Path, root: Path) -> list[CodeFile]:
    """Sources below `rtl` with their points; paths are relative to `root` where they lie below it.

    A source that the builds should have had, but did not elaborate, has a point that was not hit
    for its module and for each of its generate blocks.  ValueError if no point lies below `rtl`.
    """
    found: dict[PurePath, Points] = defaultdict(dict)
    for key, hits in points.items():
        if (place := _below(key.file, rtl)) is not None:
            found[place][key] = hits
    if not found:
        raise ValueError(f"no point of code coverage lies below {rtl}")
    sources = {p.relative_to(rtl): p.read_text() for p in sorted(rtl.rglob("*.v*"))}
    result = []
    for place in sorted(set(found) | _expected(found, sources)):
        shown = rtl / place
        shown = shown.relative_to(root) if shown.is_relative_to(root) else shown
        text = sources[Path(place)]
        result.append(CodeFile(str(shown), text.splitlines(), _points(found[place], text)))
    return result


def files_of(points: Mapping[Key, int], sources: Iterable[Path], root: Path) -> list[CodeFile]:
    """Sources of a design from elsewhere, and what they include, with their points.

    Of a source that was not elaborated no module was hit.  ValueError if none was.
    """
    found: dict[Path, Points] = defaultdict(dict)
    for key, hits in points.items():
        if not GENERATED.search(key.file):
            found[Path(key.file)][key] = hits
    every = dict.fromkeys([*sources, *sorted(found)])
    if not found:
        raise ValueError("no point of code coverage lies in the design")
    result = []
    for path in every:
        text = path.read_text(errors="replace")
        shown = path.relative_to(root) if path.is_relative_to(root) else path
        result.append(CodeFile(str(shown), text.splitlines(), _points(found[path], text)))
    return result


def _below(file: str, rtl: Path) -> PurePath | None:
    """A source's place in the folder of the RTL; None for what lies elsewhere."""
    path = PurePath(file)
    if not path.is_absolute():  # a build in a place that tools do not take has links
        return path.relative_to(LINKED) if path.is_relative_to(LINKED) else path
    return path.relative_to(rtl) if path.is_relative_to(rtl) else None


def _expected(found: Iterable[PurePath], sources: Mapping[Path, str]) -> set[PurePath]:
    """Modules of the networks that were built, and all that they could instantiate."""
    built = {place.parts[0] for place in found} - {SHARED}
    modules = {p: plain_source(text) for p, text in sources.items() if p.suffix == ".v"}
    new = {p for p in modules if p.parts[0] in built}
    wanted: set[PurePath] = set()
    while new:
        wanted |= new
        words = {word for p in new for word in re.findall(r"\w+", modules[Path(p)])}
        new = {p for p in modules if p.stem in words} - wanted
    return wanted


def _points(found: Mapping[Key, int], text: str) -> list[CodePoint]:
    """The points of one source, in the order of their places."""
    result, lines = [], defaultdict[int, int](int)
    for key, hits in found.items():
        kind = "branch" if key.page == "line" and key.name in ARMS else KIND.get(key.page)
        # An `if` stands in the span of its first arm only, but was also executed for the other.
        for line in {*_span(key.span), *([key.line] if kind == "branch" else [])}:
            lines[line] = max(lines[line], hits)
        if kind:
            result.append(CodePoint(kind, key.line, key.column, key.name, hits))
    result += [CodePoint("line", line, 0, "", hits) for line, hits in lines.items()]
    result += _elaborated(found, text)
    return sorted(result, key=lambda p: (p.line, p.kind, p.column, p.name))


def _elaborated(found: Mapping[Key, int], text: str) -> Iterable[CodePoint]:
    built = {(k.page, k.line, k.name): hits for k, hits in found.items()}
    for key in declared(plain_source(text)):
        hits = built.get((key.page, key.line, key.name), 0)
        if key.page == "generate":
            yield CodePoint("branch", key.line, 0, f"generate block {key.name}", hits)
        elif not hits:
            yield CodePoint("line", key.line, 0, f"module {key.name}", 0)


def _span(span: str) -> Iterable[int]:
    """Lines of a span as Verilator writes it: "71-72,80"."""
    for part in span.split(",") if span else ():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
