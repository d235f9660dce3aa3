"""Scenarios that a user's Python files bring along."""

import importlib.util
import inspect
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import ClassVar, Self

from fattree_bench.bench.leaving import refuse_exit
from fattree_bench.bench.scenario import WATCH, Registry, Scenario
from fattree_bench.errors import UserError
from fattree_bench.paths import ROOT


class Brought(Registry):
    """The scenarios of a design, by its path; `files`: the Python that they stand in."""

    _known: ClassVar[dict[Path, "Brought"]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.files: list[Path] = []

    @classmethod
    def of(cls, design: Path) -> Self:
        """Those of a design, none at first."""
        return cls._known.setdefault(design.resolve(), cls())  # type: ignore[return-value]

    def enter(self, name: str, scenario: Scenario) -> None:
        """Register a scenario, and remember the file of its body."""
        super().enter(name, scenario)
        file = Path(inspect.getfile(scenario.body)).resolve()
        if file not in self.files:
            self.files.append(file)


class Known(Registry):
    """Tests of a network, and of any user's file, as in my_tests.py::mine; or what watches it."""

    def __missing__(self, name: str) -> Scenario:
        return WATCH if name == WATCH.name else tests_of(name.partition("::")[0])[name]


def tests_of(file: str) -> dict[str, Scenario]:
    """The tests of a user's file, which has them in SCENARIOS, as my_tests.py::mine."""
    known = getattr(load(ROOT / file, f"TEST={file}"), "SCENARIOS", None)
    if not isinstance(known, Registry):
        raise UserError(f"TEST={file}: has no SCENARIOS = Registry() with tests")
    return {f"{file}::{k}": replace(test, name=f"{file}::{k}") for k, test in known.items()}


_loaded: dict[Path, ModuleType] = {}


def load(file: Path, where: str) -> ModuleType:
    """A Python file of a user, run once in this process; UserError if it cannot be run."""
    file = file.resolve()
    for module in list(sys.modules.values()):
        if file not in _loaded and getattr(module, "__file__", None) == str(file):
            _loaded[file] = module  # pytest, or the user's own import, was first
    if file not in _loaded:
        name = f"ftb_user_{len(_loaded)}_{file.stem}"
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None or not file.is_file():
            raise UserError(f"{where}: no such Python file")
        module = importlib.util.module_from_spec(spec)
        _loaded[file] = module  # before it runs: it may ask for its own design
        sys.modules[name] = module
        refuse_exit()
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            del _loaded[file], sys.modules[name]
            raise UserError(f"{where}: {raised(error, file)}") from error
    return _loaded[file]


def raised(error: BaseException, file: Path | None) -> str:
    """Where in a user's file an exception began, and what it says, on one line."""
    place, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            place = f"line {trace.tb_lineno}: "
        trace = trace.tb_next
    told = " ".join(str(error).split()) or "it raised"
    return f"{place}{type(error).__name__}: {told}"
