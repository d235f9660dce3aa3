"""Loads as a user writes them."""

import pytest

from fattree_bench.bench.loads import load_list


@pytest.mark.parametrize(
    ("text", "loads"),
    [
        ("0.3", (0.3,)),
        ("0.05,0.1:0.3:0.1", (0.05, 0.1, 0.2, 0.3)),
        ("0.1:0.3:0.1,0.35", (0.1, 0.2, 0.3, 0.35)),  # 0.1 + 0.1 + 0.1 is not 0.3 in binary
        ("0.1:0.35:0.1", (0.1, 0.2, 0.3)),  # the last step would go beyond
        ("1e-3,1", (0.001, 1.0)),
        ("0.5:0.5:0.1", (0.5,)),
    ],
)
def test_loads(text: str, loads: tuple[float, ...]) -> None:
    assert load_list(text) == loads


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "0", "-0.1", "1.1", "0.1,", "0.2,0.1", "0.1,0.1", "0.1:0.3", "0.1:0.3:0"),
        *("0.1:0.3:-0.1", "0.3:0.1:0.1", "0.1:0.3:0.1:1", "nan", "inf", "0.1:inf:0.1", "nan:1:1"),
        *("0.1:1:1e-9", "0.1:0.3:0.1,0.3", "1:2:1", "0.1 0.2", "0:1:0.1"),
    ],
)
def test_no_loads(text: str) -> None:
    with pytest.raises(ValueError, match="must be loads > 0 … 1, ascending"):
        load_list(text)
