"""Scenarios that a user's Python files bring along for one design."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Self

from fattree_bench.bench.scenario import Frames, Registry
from fattree_bench.errors import UserError


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

    def add(self, *words: Any, **names: Any) -> Callable[[Frames], Frames]:
        """Register the decorated generator, and remember its file."""
        register = super().add(*words, **names)

        def registered(frames: Frames) -> Frames:
            file = Path(frames.__code__.co_filename).resolve()
            if file not in self.files:
                self.files.append(file)
            return register(frames)

        return registered


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
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del _loaded[file], sys.modules[name]
            told = " ".join(str(error).split()) or "it raised"
            line = _line(error, file)
            raise UserError(f"{where}: {line}{type(error).__name__}: {told}") from error
    return _loaded[file]


def _line(error: Exception, file: Path) -> str:
    """Where in a file an exception began, as a prefix of its message."""
    place, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            place = f"line {trace.tb_lineno}: "
        trace = trace.tb_next
    return place
