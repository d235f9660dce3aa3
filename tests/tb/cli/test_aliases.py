"""Names from other test benches mean ours, and SEED=random draws a seed and reports it."""

import pytest

from fattree_bench.errors import UserError
from fattree_bench.settings import refuse_unknown
from fattree_bench.sim import variables as v


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in v.FROM_ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("word", "name", "default"),
    [
        ("COV=1", "code", False),
        ("GUI=1", "waves", False),
        ("VERBOSE=1", "verbose", False),
        ("TESTCASE=rotators", "test", "frame"),
        ("COCOTB_TESTCASE=rotators", "test", "frame"),
        ("COCOTB_RANDOM_SEED=7", "seed", 1),
    ],
)
def test_an_alias_sets_its_variable(word: str, name: str, default: object) -> None:
    assert getattr(v.check(v.collect([]), write=False), name) == default
    given = word.partition("=")[2]
    value = getattr(v.check(v.collect([word]), write=False), name)
    assert str(int(value) if isinstance(default, bool) else value) == given


def test_a_variable_goes_before_its_aliases() -> None:
    """In whatever order they stand; a name that is none is refused."""
    assert v.collect(["GUI=1", "WAVES=0"])["WAVES"] == "0"
    assert v.collect(["WAVES=0", "GUI=1"])["WAVES"] == "0"
    with pytest.raises(UserError, match="GUIS"):
        refuse_unknown(["GUIS"], v.COMMON)


def test_a_random_seed_is_drawn_anew_and_replays() -> None:
    """The replay line says which one it was, never "random"."""
    seeds = set()
    for _ in range(8):
        settings = v.check(v.collect(["SEED=random"]), write=False)
        assert 0 <= settings.seed < v.SEEDS
        assert settings.replay("frame").endswith(f"SEED={settings.seed}")
        seeds.add(settings.seed)
    assert len(seeds) > 1
    for wrong in ("Random", "random ", "randomly"):
        with pytest.raises(UserError, match="SEED="):
            v.check(v.collect([f"SEED={wrong}"]), write=False)
