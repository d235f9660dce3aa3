"""`pytest --ftb my_switch.toml`: each scenario of a design is an item of pytest.

pytest loads this file wherever the package is installed, so it imports nothing of ours until it is
asked to.  The scenarios of a file that are chosen run in one simulator; pytest-xdist deals them out
instead, each in a simulator of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fattree_bench.bench.result import Test


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ftb", "designs verified by fattree_bench")
    group.addoption(
        "--ftb",
        action="append",
        default=[],
        metavar="FILE.toml",
        help="a design whose scenarios become tests; may be given several times",
    )
    group.addoption(
        "--ftb-set",
        action="append",
        default=[],
        metavar="NAME=value",
        help="a variable of `ftb sim`, as in SIM=icarus, SEED=7, TEST=uniform,hot*",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Where no other tests are named, those of the designs are all."""
    files = [str(Path(name).absolute()) for name in config.getoption("--ftb")]
    if not files:
        return
    for file in files:
        if not Path(file).is_file():
            raise pytest.UsageError(f"--ftb {file}: no such file")
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    config.args = [*(a for a in config.args if named and a not in files), *files]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> DesignFile | None:
    """A collector for each file of --ftb."""
    files = [Path(name).absolute() for name in parent.config.getoption("--ftb")]
    return DesignFile.from_parent(parent, path=file_path) if file_path in files else None


class DesignFile(pytest.File):
    """A design; its scenarios are its items."""

    def collect(self) -> Iterable[pytest.Item]:
        from fattree_bench.api import Design
        from fattree_bench.errors import UserError

        words = self.config.getoption("--ftb-set")
        try:
            if wrong := [word for word in words if "=" not in word]:
                raise UserError(f"{wrong[0]}: variables are given as NAME=value")
            values = dict(word.split("=", 1) for word in words)
            chosen = values.pop("TEST", "*")
            self.design = Design.read(self.path, **values)
            names = self.design.scenarios(chosen)
        except UserError as error:
            raise self.CollectError(f"error: {error}") from None
        self.done: dict[str, Test] = {}
        for name in names:
            yield ScenarioItem.from_parent(self, name=name)

    def test(self, name: str) -> Test:
        """What came of a scenario; the first that is asked for runs all that pytest chose."""
        from fattree_bench.api import run

        if name not in self.done:
            alone = hasattr(self.config, "workerinput") or self.config.getoption("maxfail")
            chosen = [i.name for i in self.session.items if i.parent is self and not alone]
            for test in run(self.design, chosen or [name]):
                self.done[test.scenario] = test
        return self.done[name]


class ScenarioItem(pytest.Item):
    """A scenario."""

    parent: DesignFile

    def runtest(self) -> None:
        from fattree_bench.api import ScenarioFailed

        test = self.parent.test(self.name)
        told = {"replay": test.replay, "log": test.log, "seed": test.seed, "sim": test.sim}
        self.user_properties += [(name, value) for name, value in told.items() if value != ""]
        if not test.passed:
            raise ScenarioFailed(test)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Faults and the replay line; no traceback of ours."""
        from fattree_bench.api import ScenarioFailed
        from fattree_bench.errors import UserError

        if isinstance(excinfo.value, ScenarioFailed | UserError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.name}"
