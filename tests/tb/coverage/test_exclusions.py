"""Exclusions say what need not be hit, and why; those that are no longer true are errors."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from fattree_bench.coverage.exclusions import CodeExclusion, Pattern, exclude_code, load
from fattree_bench.paths import ROOT
from fattree_bench.report.regression import KINDS, CodeFile, CodePoint

SOURCE = ["module m;", "function f;", "  x = 1;", "endfunction", "wire a;", "wire b;", "endmodule"]


def code() -> list[CodeFile]:
    points = [
        CodePoint("line", 3, 0, "", 0),
        CodePoint("branch", 3, 1, "if", 0),
        *[CodePoint("toggle", 5, 0, f"a[{b}]:0->1", int(b < 4)) for b in range(32)],
        CodePoint("toggle", 6, 0, "b:0->1", 9),
    ]
    return [CodeFile("rtl/x/m.v", SOURCE, points), CodeFile("rtl/y/n.v", SOURCE, [])]


def entry(**given: str) -> CodeExclusion:
    base = {"file": "rtl/x/m.v", "kind": "*", "source": "wire a", "reason": "it is so"}
    return CodeExclusion(**{**base, **given})


def excluded(files: list[CodeFile]) -> list[str]:
    return [p.name for f in files for p in f.points if p.excluded == "it is so"]


def test_only_what_was_not_hit_is_marked() -> None:
    files = code()
    assert files[0].count("toggle") == (5, 33)
    assert exclude_code(files, [entry()]) == []
    assert excluded(files) == [f"a[{b}]:0->1" for b in range(4, 32)]
    assert files[0].count("toggle") == (5, 5)


def test_columns_do_not_count() -> None:
    spaced = entry(source="wire [3:0] a")
    assert spaced.lines(["  wire  [3:0]   a;", "  wire [3:0] b;"]) == {1}


def test_name_and_kind() -> None:
    files = code()
    assert exclude_code(files, [entry(name="a[{8-9}]:*", kind="toggle")]) == []
    assert excluded(files) == ["a[8]:0->1", "a[9]:0->1"]


def test_through() -> None:
    files = code()
    whole = entry(source="function f", through="endfunction", file="rtl/*/m.v")
    assert exclude_code(files, [whole]) == []
    assert excluded(files) == ["", "if"]


@pytest.mark.parametrize(
    "given",
    [
        {"file": "rtl/x/gone.v"},
        {"source": "wire gone"},
        {"kind": "branch"},
        {"name": "a[{40-50}]:*"},
        {"name": "a"},
    ],
)
def test_unmatched(given: dict[str, str]) -> None:
    files = code()
    stale = entry(**given)
    assert exclude_code(files, [stale]) == [f"{stale}: matches nothing"]
    assert next(iter(given.values())) in str(stale)
    assert not excluded(files)


@pytest.mark.parametrize("given", [{"source": "wire b"}, {"name": "a[{0-3}]:*"}])
def test_needless(given: dict[str, str]) -> None:
    files = code()
    needless = entry(**given)
    assert exclude_code(files, [needless]) == [f"{needless}: needs no exclusion, all of it was hit"]
    assert not excluded(files)


def test_all_that_is_wrong_is_told() -> None:
    wrong = [entry(source="wire gone"), entry(), entry(source="wire b")]
    assert len(exclude_code(code(), wrong)) == 2


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*", "anything\nat all", True),
        ("a[3]:*", "a[3]:0->1", True),
        ("a[3]:*", "a3:0->1", False),
        ("a.b", "axb", False),
        ("q[{8-31}]*", "q[8]:1->0", True),
        ("q[{8-31}]*", "q[31]:1->0", True),
        ("q[{8-31}]*", "q[32]:1->0", False),
        ("q[{8-31}]*", "q[7]:1->0", False),
        ("o[{8-31/32}]", "o[40]", True),
        ("o[{8-31/32}]", "o[31]", True),
        ("o[{8-31/32}]", "o[39]", False),
        ("o[{8-31/32}]", "o[64]", False),
        ("*.q[{0-1}][{2-3}]", "g.q[1][2]", True),
        ("*.q[{0-1}][{2-3}]", "g.q[2][2]", False),
    ],
)
def test_pattern(pattern: str, text: str, fits: bool) -> None:
    assert Pattern(pattern).matches(text) is fits


GOOD = 'file = "a.v"\nkind = "line"\nsource = "x"\nreason = "y"\n'


def test_load(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Other:
        group: str
        reason: str

    path = tmp_path / "x.toml"
    path.write_text(f'[[code]]\n{GOOD}\n[[functional]]\ngroup = "g"\nreason = "r"\n')
    assert load(path, "code", CodeExclusion) == [CodeExclusion("a.v", "line", "x", "y")]
    assert load(path, "functional", Other) == [Other("g", "r")]
    assert load(path, "none", Other) == []


def test_points_have_what_their_entry_has(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(
        '[[code]]\nfile = "a.v"\nreason = "y"\npoints = [\n'
        '  { kind = "line", source = "x" },\n'
        '  { kind = "toggle", source = "z", name = "n" },\n]\n'
    )
    assert load(path, "code", CodeExclusion) == [
        CodeExclusion("a.v", "line", "x", "y"),
        CodeExclusion("a.v", "toggle", "z", "y", "n"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace('reason = "y"', ""), "number 2: reason is missing"),
        (GOOD.replace('"y"', '" "'), "number 2: reason must be a text of one line"),
        (GOOD.replace('"y"', '"y\\nz"'), "number 2: reason must be a text of one line"),
        (GOOD.replace('"line"', "1"), "number 2: kind must be a text of one line"),
        (GOOD + "line = 3\n", "number 2: line is not one of file, kind, source, reason, name"),
        (GOOD + "points = []\n", "number 2: points must be a list of tables"),
        (GOOD + 'points = ["x"]\n', "number 2: points must be a list of tables"),
        (GOOD + 'points = { file = "x" }\n', "number 2: points must be a list of tables"),
        (GOOD + 'points = [{ kind = "x" }]\n', "number 2, point 1: kind is the entry's already"),
        (
            'reason = "y"\npoints = [{ file = "a.v", kind = "line" }]\n',
            "number 2, point 1: source is missing",
        ),
        ("file =\n", "line 7"),
    ],
)
def test_bad_file(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f"[[code]]\n{GOOD}[[code]]\n{text}")
    with pytest.raises(ValueError, match=message) as error:
        load(path, "code", CodeExclusion)
    assert str(path) in str(error.value)


ENTRIES = [
    entry
    for path in (ROOT / "tb" / "fattree_bench").rglob("exclusions.toml")
    for entry in load(path, "code", CodeExclusion)
]


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_our_own_name_what_there_is(entry: CodeExclusion) -> None:
    """Whatever was run, every entry names a source that exists and a line in it."""
    named = [
        path.read_text().splitlines()
        for path in (ROOT / "rtl").rglob("*.v*")
        if Pattern(entry.file).matches(str(path.relative_to(ROOT)))
    ]
    assert any(entry.lines(source) for source in named)
    assert any(entry.through in line for source in named for line in source)
    assert any(Pattern(entry.kind).matches(kind) for kind in KINDS)
