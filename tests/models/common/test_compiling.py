"""How models are compiled."""

from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.errors import NumbaError

from fattree_models.common.compiling import compiled, lowest


@pytest.fixture(autouse=True)
def nothing_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba's cache does not see changes of the module under test."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))


@pytest.mark.parametrize("kind", [np.uint64, np.int64])
def test_the_lowest_bit(kind: type) -> None:
    """Each place, whatever stands above it, also in sign and highest bit."""

    @compiled
    def lowest_of(bits: np.uint64) -> int:
        return lowest(bits)

    above = np.random.default_rng(1).integers(0, 2**64, (64, 50), np.uint64)
    for place, words in enumerate(above):
        bits = (words << np.uint64(1) | np.uint64(1)) << np.uint64(place)
        assert {lowest_of(word) for word in bits.view(kind)} == {place}


def test_what_allocates_is_refused() -> None:
    """Where no references are counted, nothing is freed."""

    @compiled
    def with_scratch(size: int) -> int:
        scratch = np.zeros(size, np.int64)
        return int(scratch[size - 1])

    with pytest.raises(NumbaError, match=r"scratch = np\.zeros"):
        with_scratch(3)
