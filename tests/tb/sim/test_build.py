"""A build is what its name says: of these sources, and no others."""

from pathlib import Path

import pytest

from fattree_bench.sim import build as module
from fattree_bench.sim.build import BuildError, build
from fattree_bench.sim.variables import Variables, check


@pytest.fixture
def small(rtl_copy: Path, tmp_path: Path) -> Variables:
    return check({"N": "2", "SIM": "icarus", "RTL": str(rtl_copy), "BUILD": str(tmp_path)})


@pytest.mark.usefixtures("icarus")
def test_a_build_is_made_once(small: Variables) -> None:
    assert build(small, "FRAME").seconds > 0
    assert build(small, "FRAME").seconds == 0


@pytest.mark.usefixtures("icarus")
def test_sources_that_change_meanwhile_make_no_build(
    small: Variables, rtl_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old text may be in it, the new one may: nobody must find it under either name."""
    plain = module._compile

    def compile_slowly(*arguments: object) -> None:
        plain(*arguments)  # type: ignore[arg-type]
        file = rtl_copy / "lbbvn" / "lbbvn_tree.v"
        file.write_text(file.read_text() + "\n// meanwhile\n")

    with monkeypatch.context() as patch:
        patch.setattr(module, "_compile", compile_slowly)
        with pytest.raises(BuildError, match="changed while they were being built"):
            build(small, "FRAME")
    assert not list(small.build.glob("sim/*/built"))
    assert build(small, "FRAME").seconds > 0
