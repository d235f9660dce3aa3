"""Which of many cases of a kind `make test` runs; the others have their turn at night."""

from collections.abc import Sequence
from typing import Any

import pytest


def some(cases: Sequence[Any], every_time: int) -> list[Any]:
    """The first cases as they are, the others marked nightly."""
    later = (pytest.param(case, marks=pytest.mark.nightly) for case in cases[every_time:])
    return [*cases[:every_time], *later]
