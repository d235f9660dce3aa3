"""A pool that runs nothing, in place of the LocalPool of commands that run jobs."""

from collections.abc import Sequence
from typing import Any, Self, TypeVar

import pytest

from fattree_bench import campaign
from fattree_bench.jobs.pool import Sink, Task
from fattree_bench.sim.variables import FROM_ENVIRONMENT

ASIDE = ("build", "block")  # jobs that do not count


class QuickPool:
    """Jobs end as `result` says; `last`: after how many the user interrupts; `ran`: which did."""

    last: int = 1000
    ran: list[Task]
    ends: dict[Any, dict[str, Any]]

    def __init__(self, jobs: int, timeout: float, command: Sequence[str]) -> None:
        assert jobs >= 1
        assert command[-1] == "fattree_bench.jobs.job"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, tasks: Sequence[Task], sink: Sink) -> None:
        left = self.last
        for task in tasks:
            sink.started(task.key)
            if task.payload.get("kind") not in ASIDE:
                if not left:
                    self.interrupt(task)
                left -= 1
                self.ran.append(task)
            sink.ended(task.key, self.result(task))

    def interrupt(self, task: Task) -> None:
        """The user ends it within this job."""
        raise KeyboardInterrupt

    def result(self, task: Task) -> dict[str, Any]:
        """What a job leaves."""
        raise NotImplementedError


Kind = TypeVar("Kind", bound=QuickPool)


def installed(kind: type[Kind], monkeypatch: pytest.MonkeyPatch) -> type[Kind]:
    """A pool of this kind that knows nothing of others, where commands look for theirs."""
    fresh = type("Fresh", (kind,), {"ran": [], "ends": {}})
    monkeypatch.setattr(campaign, "LocalPool", fresh)
    for name in FROM_ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    return fresh
