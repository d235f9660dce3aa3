"""Removes the checks of the scoreboards one by one and prints which test notices each.

    python -m tests.checks OF=spin,flit   of these folders of families/, bench/ or bench/links/
    python -m tests.checks                of all; RESUME=1 continues, and keeps what has not changed
    python -m tests.checks DRYRUN=1       lists them

A check is a place that reports a fault, one of several conditions that share such a place, or one
of the functions that a scoreboard is made with.  First the tests run in a copy of the project in
which each place notes that it was reached: no test can notice what none reaches.  Then the tests
that reach a check run without it, the quickest first, until one fails.  Exit status: 0 every check
has a test, 1 some has none, 2 a user's mistake.
"""

import ast
import fcntl
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from fattree_bench import campaign
from fattree_bench.bench.result import Test
from fattree_bench.errors import UserError
from fattree_bench.jobs.pool import Pool, Task
from fattree_bench.paths import PACKAGE, ROOT
from fattree_bench.settings import text

PLACES = ("families/{}", "bench/{}", "bench/links/{}")
REPORTS = ("blame", "_blame", "found", "misplayed")  # and faults.add, faults.note
FINDINGS = ("Finding", "Wrong", "tuple[str, str")  # in the type of what a check yields or returns
SEEN = "CHECKS_SEEN"
FEW, MOST = 12, 60.0  # tests that are tried for one check; more, while they take so many seconds


@dataclass(frozen=True)
class Check:
    """A check that can be removed.

    Attributes
    ----------
    path : file, from the project's root.
    place : lines and columns of the node's begin and end.
    part : "" for a statement; "element" of a literal; "made" for a scoreboard's own function.
    says : the node's text, cut.
    through : lines of the statements that report for an element.
    """

    path: str
    place: tuple[int, ...]
    part: str
    says: str
    through: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """A name of its own."""
        line, column, *_ = self.place
        return f"{self.path.removeprefix('tb/fattree_bench/')}:{line}:{column} {self.says}"


# ---- where checks are ----------------------------------------------------------------------------


def reports(node: ast.stmt, yields: bool) -> bool:
    """Whether a statement reports a fault; `yields`: its function yields or returns faults."""
    if isinstance(node, ast.Return):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        return yields and isinstance(called, ast.Name) and called.id in FINDINGS
    if not isinstance(node, ast.Expr):
        return False
    if isinstance(node.value, ast.Yield | ast.YieldFrom):
        return yields
    if not (isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute)):
        return False
    called = node.value.func
    return called.attr in REPORTS or (
        called.attr in ("add", "note") and ast.unparse(called.value).split(".")[-1] == "faults"
    )


def own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Nodes of a function without those of functions inside it."""
    left: list[ast.AST] = [*function.body]
    while left:
        node = left.pop()
        if not isinstance(node, ast.FunctionDef):
            yield node
            left += ast.iter_child_nodes(node)


def elements(node: ast.expr) -> list[ast.expr]:
    """Entries of a literal; of a dictionary its keys."""
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None]
    return node.elts if isinstance(node, ast.Tuple | ast.List) else []


def iterated(function: ast.FunctionDef, loop: ast.For) -> list[ast.expr]:
    """Entries of the literal that a loop goes over, directly or by the name it was given."""
    over = loop.iter
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute):
        over = over.func.value  # due.items()
    if isinstance(over, ast.Name):
        for node in own(function):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == over.id:
                return elements(node.value)
    return elements(over)


def made_with(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Functions that a scoreboard is made with: in tuples called checks, or given to its base."""
    for node in own(function):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith("checks"):
            literals = [x for x in ast.walk(node.value) if isinstance(x, ast.Tuple)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
            literals = [x for x in node.args if isinstance(x, ast.Tuple)]
        else:
            continue
        for one in literals:
            yield from (x for x in one.elts if isinstance(x, ast.Name | ast.Call))


def checks_in(path: str, source: str) -> list[Check]:
    """The checks of a file, in its order."""
    tree = ast.parse(source)

    def check(node: Any, part: str = "", through: Iterable[int] = ()) -> Check:
        says = " ".join(ast.unparse(node).split())[:60]
        return Check(path, place_of(node), part, says, tuple(through))

    found = []
    for function in (x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef)):
        kind = ast.unparse(function.returns) if function.returns else ""
        yields = any(word in kind for word in FINDINGS)
        nodes = [*own(function)]
        found += [check(n) for n in nodes if isinstance(n, ast.stmt) and reports(n, yields)]
        for loop in (n for n in nodes if isinstance(n, ast.For)):
            inner = [n for n in ast.walk(loop) if isinstance(n, ast.stmt) and reports(n, yields)]
            entries = iterated(function, loop)
            if inner and len(entries) > 1:
                found += [check(x, "element", sorted(n.lineno for n in inner)) for x in entries]
        if function.name == "__init__":
            found += [check(node, "made") for node in made_with(function)]
    return sorted(set(found), key=lambda one: one.place)


def place_of(node: Any) -> tuple[int, ...]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def checks_of(names: list[str]) -> list[Check]:
    """All checks in the folders with these names; in families/ and bench/ without a name."""
    folders = [PACKAGE / "families", PACKAGE / "bench"]
    if names:
        folders = [PACKAGE / place.format(name) for name in names for place in PLACES]
    for name in names:
        if not any(folder.name == name and folder.is_dir() for folder in folders):
            raise UserError(f"OF={name}: no folder of families/, bench/ or bench/links/")
    files = sorted({path for folder in folders for path in folder.rglob("*.py")})
    return [
        check
        for path in files
        for check in checks_in(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    ]


# ---- changed sources -----------------------------------------------------------------------------


MARK = "__import__('fattree_bench.seen').seen"
NOTES = f'''"""Notes which checks were reached, in the file that {SEEN} names."""
import os

DONE = set()


def mark(key):
    here = key, os.environ.get("PYTEST_CURRENT_TEST", "")
    if here not in DONE and "{SEEN}" in os.environ:
        DONE.add(here)
        with open(os.environ["{SEEN}"], "a") as file:
            file.write(key + "\\n")


def watch(key, check):
    def watched(*given):
        for found in check(*given):
            mark(key)
            yield found
    return watched
'''


class _Change(ast.NodeTransformer):
    """Removes the node of a check, or notes that it was reached."""

    def __init__(self, check: Check, note: bool) -> None:
        self.check, self.note, self.done = check, note, False

    def _is(self, node: ast.AST | None) -> bool:
        return isinstance(node, ast.stmt | ast.expr) and place_of(node) == self.check.place

    def visit(self, node: ast.AST) -> Any:
        if not self.check.part and isinstance(node, ast.stmt) and self._is(node):
            self.done = True
            if self.note:
                return [*ast.parse(f"{MARK}.mark({self.check.key!r})").body, node]
            never = ast.If(ast.Constant(False), [node], [])  # still a generator, if it was one
            return ast.copy_location(never, node)
        entries = elements(node) if isinstance(node, ast.expr) and self.check.part else []
        for entry in filter(self._is, entries):
            self.done = True
            own = node.keys if isinstance(node, ast.Dict) else node.elts  # type: ignore[attr-defined]
            at = own.index(entry)
            if self.note:
                noted = f"{MARK}.watch({self.check.key!r}, {ast.unparse(entry)})"
                own[at] = ast.parse(noted, mode="eval").body
                continue
            del own[at]
            if isinstance(node, ast.Dict):
                del node.values[at]
        return self.generic_visit(node)


def changed(source: str, checks: Iterable[Check], note: bool) -> str:
    """A file's text with checks noted, or removed."""
    tree = ast.parse(source)
    for check in checks:
        change = _Change(check, note)
        tree = change.visit(tree)
        assert change.done, check.key
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def copy_project(folder: Path) -> Path:
    """Bring a copy of the project's files up to date; all copies share what is built of the RTL."""
    (folder.parent / "build").mkdir(parents=True, exist_ok=True)
    folder.mkdir(exist_ok=True)
    if not (folder / "build").exists():
        (folder / "build").symlink_to(folder.parent / "build")
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for file in filter(None, listed.split("\n")):
        if (ROOT / file).is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, folder / file)
    return folder


def write(path: Path, source: str, number: int) -> None:
    """Write a source; its time is like no other's, so that no bytecode fits by chance."""
    path.write_text(source, encoding="utf-8")
    os.utime(path, (1_500_000_000 + number,) * 2)


# ---- tests that may notice -----------------------------------------------------------------------


def tests_for(names: list[str]) -> list[str]:
    """Test files in folders of these names, with planted faults, or that import from them."""
    tests = ROOT / "tests" / "tb"
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(tests.rglob("*.py"))}
    own = [place.format(name) for name in names for place in PLACES]
    modules = ["fattree_bench." + place.replace("/", ".") for place in own]
    helpers = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path, source in texts.items()
        if any(f"from {module}" in source for module in modules)
    ]

    def may(path: Path, source: str) -> bool:
        near = [tests / "faults", *(tests / place for place in own)]
        inside = any(path.is_relative_to(folder) for folder in near)
        inside |= "tb.faults.faulty import" in source and " named(" in source
        return inside or any(f"from {name}" in source for name in (*modules, *helpers))

    return [
        str(path.relative_to(ROOT))
        for path, source in texts.items()
        if path.name.startswith("test_") and (not names or may(path, source))
    ]


def run_tests(folder: Path, tests: list[str], *options: str) -> str:
    """Run pytest in a copy; its output."""
    sources = map(str, (folder / "tb", folder / "models", folder / "prover", folder))
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, *options, *tests],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sources)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def pytest_runtest_logreport(report: Any) -> None:
    """As a plugin, in the copy that notes: which checks each test has reached."""
    if SEEN in os.environ and report.when == "call" and not report.skipped:
        notes = Path(os.environ[SEEN])
        keys = sorted({*notes.read_text().split("\n")} - {""}) if notes.exists() else []
        notes.write_text("")
        line = {"test": report.nodeid, "seconds": report.duration, "keys": keys}
        with notes.with_suffix(".tests").open("a") as file:
            file.write(json.dumps({**line, "passed": report.passed}) + "\n")


def record(payload: dict[str, Any], work: Path) -> dict[str, Any]:
    """Job: run a test file where checks are noted; which tests have reached which."""
    notes = work / f"{stamp(payload['file'])}.seen"
    output = notes.with_suffix(".tests")
    for old in (notes, output):
        old.unlink(missing_ok=True)
    os.environ[SEEN] = str(notes)
    run_tests(work / "noted", [payload["file"]], "-p", "tests.checks")
    return {"tests": [*map(json.loads, output.read_text().splitlines())] if output.exists() else []}


def remove(payload: dict[str, Any], work: Path) -> dict[str, Any]:
    """Job: run tests without a check, in the first copy that is free; the one that fails."""
    check = Check(
        **{k: tuple(x) if isinstance(x, list) else x for k, x in payload["check"].items()}
    )
    for number in itertools.count():
        lock = (work / f"without-{number}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        break
    folder = copy_project(work / f"without-{number}")
    source = (ROOT / check.path).read_text(encoding="utf-8")
    write(folder / check.path, changed(source, [check], note=False), os.getpid())
    output = run_tests(folder, payload["tests"], "-x", "--tb=no", "-rfE")
    shutil.copy2(ROOT / check.path, folder / check.path)
    failed = [line.split()[1] for line in output.splitlines() if line[:6] in ("FAILED", "ERROR ")]
    return {"noticed": failed[0] if failed else ""}


# ---- a run ---------------------------------------------------------------------------------------


def stamp(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


class Wanted(campaign.Common):
    """Whose checks."""

    of = text("OF", "", "folders of families/, bench/ or bench/links/, comma-separated; empty: all")
    tests = text("TESTS", "", "test files, comma-separated; empty: those that may notice")


class Checks(campaign.Campaign):
    """Removes checks, each in a process of its own."""

    target = "checks"
    things = "jobs"
    variables = Wanted
    asked: Wanted
    job = (sys.executable, "-m", "tests.checks", "job")

    def __init__(self, console: Console, given: dict[str, str]) -> None:
        super().__init__(console, given)
        names = [name for name in self.asked.of.split(",") if name]
        self.checks = checks_of(names)
        self.files = self.asked.tests.split(",") if self.asked.tests else tests_for(names)

    def show(self) -> None:
        for check in self.checks:
            self.console.print(check.key, markup=False, soft_wrap=True)
        self.console.print(f"{len(self.checks)} checks; nothing was run")

    def tasks(self) -> list[Task]:
        """A job a test file; then, when it is known what they reach, a job a check."""
        noted, work = stamp(*map(repr, checks_of([]))), {"work": str(self.folder.resolve())}
        tests = {file: (ROOT / file).read_text(encoding="utf-8") for file in self.files}
        found = [
            Task(file, {"file": file, **work, "fingerprint": stamp(noted, source)}, seconds=30.0)
            for file, source in tests.items()
        ]
        for check in self.checks:
            made_of = stamp((ROOT / check.path).read_text(encoding="utf-8"), *tests.values())
            payload = {"check": asdict(check), **work, "fingerprint": made_of}
            found.append(Task(check.key, payload, seconds=5.0))
        return found

    def work(self, pool: Pool) -> None:
        folder = copy_project(self.folder.resolve() / "noted")
        by_path = defaultdict(list)
        for check in checks_of([]):
            if check.part != "element":
                by_path[check.path].append(check)
        for number, (path, checks) in enumerate(by_path.items()):
            source = (ROOT / path).read_text(encoding="utf-8")
            write(folder / path, changed(source, reversed(checks), note=True), number)
        (folder / PACKAGE.relative_to(ROOT) / "seen.py").write_text(NOTES)
        self.all(pool, [task for task in self.by_key.values() if "file" in task.payload])
        reached = self.reached()
        for check in self.checks:
            found = reached[check.key]
            spent = itertools.accumulate(sorted(found.values()))
            tried = max(FEW, sum(seconds <= MOST for seconds in spent))
            tests = sorted(found, key=found.__getitem__)[:tried]
            self.by_key[check.key].payload["tests"] = tests
            if not tests:
                self.results.pop(check.key, None)
                self.ended(check.key, {"noticed": ""})
        self.all(pool, [task for task in self.by_key.values() if task.payload.get("tests")])

    def all(self, pool: Pool, tasks: list[Task]) -> None:
        left = [task for task in tasks if task.key not in self.results]
        with self.progress.watch(left, self.asked.jobs):
            pool.run(left, self)

    def reached(self) -> dict[str, dict[str, float]]:
        """Tests that have passed and reach each check, with their seconds, by key."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for file in self.files:
            for test in self.results.get(file, {}).get("tests", ()):
                for key in test["keys"] if test["passed"] else ():
                    found[key][test["test"]] = test["seconds"]
        for check in self.checks:
            for other in self.checks:
                if other.path == check.path and not other.part and other.place[0] in check.through:
                    found[check.key] |= found[other.key]
        return found

    def settled(self, task: Task, result: dict[str, Any]) -> bool:
        return "vanished" not in result

    def heard(self, task: Task, result: dict[str, Any]) -> list[Test]:
        if "check" in task.payload and not result.get("noticed"):
            why = f"by {len(task.payload['tests'])} tests that reach it"
            self.progress.say(escape(f"not noticed {why}: {task.key}"))
        return super().heard(task, result)

    def report(self) -> bool:
        noticed = 0
        for check in self.checks:
            test = self.results.get(check.key, {"noticed": "not run"})["noticed"]
            noticed += test not in ("", "not run")
            self.console.print(f"{check.key}\n    {test or 'no test'}", markup=False)
        self.console.print(f"{noticed} of {len(self.checks)} checks: a test fails without them")
        return noticed == len(self.checks)


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["job"]:
        payload, result = json.loads(Path(arguments[1]).read_text()), Path(arguments[2])
        act = record if "file" in payload else remove
        result.write_text(json.dumps(act(payload, Path(payload["work"]))))
        return 0
    try:
        return campaign.run(Console(soft_wrap=True, emoji=False), Checks, arguments)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
