"""A build is what its name says: of these sources, by these tools, and whole."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fattree_bench.paths import ROOT
from fattree_bench.sim import build as module
from fattree_bench.sim import flags
from fattree_bench.sim.build import BuildError, build, build_folder, check_start, recipe
from fattree_bench.sim.runtime_objects import RUNTIME, runtime_key
from fattree_bench.sim.variables import Variables, check
from tests.cli import Cli, succeeds


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
    """The old text may be in it, the new one may: it must not be found under either name."""
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


def include(rtl: Path, name: str) -> Path:
    """Let the tree include a file of this name; the file."""
    tree, part = rtl / "lbbvn" / "lbbvn_tree.v", rtl / "common" / name
    tree.write_text(tree.read_text().replace("endmodule", f'`include "{name}"\nendmodule'))
    part.write_text("wire sound;\n")
    return part


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("name", ["part.svh", "part.inc"])
def test_whatever_is_included_is_part_of_a_build(
    name: str, small: Variables, rtl_copy: Path
) -> None:
    part = include(rtl_copy, name)
    first = build(small, "FRAME")
    assert first.seconds > 0
    assert build(small, "FRAME").seconds == 0
    part.write_text("wire broken\n")
    with pytest.raises(BuildError, match="syntax error"):
        build(small, "FRAME")
    part.write_text("wire sound;\n")
    assert build(small, "FRAME").seconds > 0
    assert build(small, "FRAME").seconds == 0


@pytest.mark.usefixtures("icarus")
def test_copies_of_the_sources_share_a_build(small: Variables, tmp_path: Path) -> None:
    assert build(small, "FRAME").seconds > 0
    other = Path(shutil.copytree(small.rtl, tmp_path / "other"))
    shutil.rmtree(small.rtl)
    assert build(small.but(rtl=other), "FRAME").seconds == 0


def test_verilators_own_list_is_read(tmp_path: Path) -> None:
    names = [tmp_path / "a b.v", tmp_path / "c.svh"]
    output = " ".join(str(n).replace(" ", "\\ ") for n in names)
    folder = tmp_path / "build"
    folder.mkdir()
    (folder / "Vtop__ver.d").write_text(f"{folder}/Vtop.cpp  : {output} {folder}/public.vlt \n")
    assert module.files_read(folder, "verilator") == names


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("state", ["cut", "empty", "no-mark"])
def test_a_build_that_was_cut_short_is_made_again(state: str, small: Variables) -> None:
    """As a full disk, kill -9 or Ctrl-C leave it."""
    folder = build(small, "FRAME").folder
    mark = folder / "built"
    if state == "no-mark":
        mark.unlink()
    else:
        mark.write_text(mark.read_text()[:40] if state == "cut" else "")
    (folder / "sim.vvp").write_text("half a prog")
    assert build(small, "FRAME").seconds > 0
    check_start(folder, "icarus")


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("break_it", [Path.unlink, lambda p: p.write_text("no program")])
def test_what_does_not_start_is_not_built(
    break_it: Callable[[Path], None], small: Variables, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = module._compile

    def spoil(variables: Variables, folder: Path, *arguments: object) -> None:
        plain(variables, folder, *arguments)  # type: ignore[arg-type]
        break_it(folder / "sim.vvp")

    with monkeypatch.context() as patch:
        patch.setattr(module, "_compile", spoil)
        with pytest.raises(BuildError, match="does not start"):
            build(small, "FRAME")
    assert not list(small.build.glob("sim/*/built"))
    assert build(small, "FRAME").seconds > 0


def test_other_tools_make_another_build(
    small: Variables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables = small.but(sim="verilator")
    before = build_folder(variables, recipe(variables, "FRAME"))
    assert build_folder(variables, recipe(variables, "FRAME")) == before
    compiler = tmp_path / "bin" / "c++"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(compiler.parent), prepend=":")
        assert build_folder(variables, recipe(variables, "FRAME")) != before
    monkeypatch.setenv("CXXFLAGS", "-g")
    assert build_folder(variables, recipe(variables, "FRAME")) != before


def test_other_flags_take_other_objects_of_the_runtime(
    small: Variables, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = ("-O3",)
    key = runtime_key(small, flags)
    design = ("--unroll-count", "12", "-fno-dfg", "-Wno-UNOPTFLAT", str(ROOT / "apart.vlt"))
    assert runtime_key(small, ("-O3", *design)) == key
    others = {runtime_key(small, ("-O3", "--threads", "2"))}
    others |= {runtime_key(small.but(waves=True), flags)}
    others |= {runtime_key(small.but(code=True), flags)}
    monkeypatch.setenv("CXXFLAGS", "-g")
    others |= {runtime_key(small, flags)}
    assert len(others | {key}) == 5
    monkeypatch.delenv("CXXFLAGS")
    assert runtime_key(small, flags) == key


def test_options_of_an_outer_make_are_not_for_ours(tb_cli: Cli, tmp_path: Path) -> None:
    """`-n` in MAKEFLAGS would leave nothing built; precompiled headers are gone."""
    words = ("sim", "N=2", "WIDTH=8", "TEST=frame", f"BUILD={tmp_path}")
    succeeds(tb_cli(*words, env={"MAKEFLAGS": "-n", "MFLAGS": "-n", "MAKELEVEL": "1"}))
    (mark,) = tmp_path.glob("sim/*/built")
    assert not list(mark.parent.glob("*.gch"))
    assert "Vtop" not in mark.read_text()
    assert '"common/checks.vh"' in mark.read_text()
    assert sum(f.stat().st_size for f in mark.parent.iterdir()) < 30 << 20
    assert not list(tmp_path.glob("runtime"))
    assert list(RUNTIME.glob("*/verilated.o"))


def test_a_build_asks_for_no_python_on_path(
    small: Variables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian has no `python`, and another version fails on the standard library of this one."""
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    built = build(small.but(sim="verilator"), "FRAME")
    assert "verilator_includer" in (built.folder / "build.log").read_text()


def test_the_runtime_is_compiled_once(tmp_path: Path) -> None:
    """Verilator's makefile, on which its objects depend, is new in every build."""
    compiled = []
    for width in ("8", "9"):
        built = build(check({"N": "2", "WIDTH": width, "BUILD": str(tmp_path)}), "FRAME")
        log = (built.folder / "build.log").read_text()
        assert " -o verilator_main.o " in log
        compiled.append(" -o verilated.o " in log)
    assert not compiled[1]


def test_little_code_is_compiled_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "ONE_FILE", 100)
    (tmp_path / "Vtop__1.cpp").write_text("x" * 60)
    (tmp_path / "Vtop.h").write_text("x" * 60)
    assert "VM_PARALLEL_BUILDS=0" in flags.make_command(tmp_path, (), False)
    (tmp_path / "Vtop__2.cpp").write_text("x" * 60)
    assert "VM_PARALLEL_BUILDS=0" not in flags.make_command(tmp_path, (), False)


def test_ccache_is_used_where_it_is(
    small: Variables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in, which notes what it is asked to compile."""
    program, noted = tmp_path / "bin" / "ccache", tmp_path / "noted"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@ $CCACHE_SLOPPINESS" >> {noted}\nexec "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    build(small.but(sim="verilator"), "FRAME")
    assert " -o verilator_main.o " in noted.read_text()
    assert "pch_defines" in noted.read_text()


def test_a_build_for_long_runs_is_another(small: Variables) -> None:
    """It runs only on processors of the kind that it was compiled for."""
    plain = small.but(sim="verilator")
    native = plain.but(native=True)
    assert recipe(plain, "FRAME") | {"native": recipe(native, "FRAME")["native"]} == recipe(
        native, "FRAME"
    )
    assert recipe(native, "FRAME")["native"]
    assert recipe(small.but(native=True), "FRAME")["native"] == ""  # Icarus compiles nothing
    assert "OPT_FAST=-O3 -march=native" in flags.compiler_flags(("-O3",), native=True)


HALF = """
import signal, sys, time
from fattree_bench.sim import build as module
from fattree_bench.sim.variables import check

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell
plain = module._compile

def half(*arguments):
    plain(*arguments)
    print("half", flush=True)
    time.sleep(60)

module._compile = half
module.build(check(dict(word.split("=", 1) for word in sys.argv[1:])), "FRAME")
"""


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_build_is_made_again(
    end: signal.Signals, small: Variables, rtl_copy: Path, tmp_path: Path
) -> None:
    words = ["N=2", "SIM=icarus", f"RTL={rtl_copy}", f"BUILD={tmp_path}"]
    command = [sys.executable, "-c", HALF, *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half\n"
        process.send_signal(end)
    assert process.returncode != 0
    assert not list(tmp_path.glob("sim/*/built"))
    assert build(small, "FRAME").seconds > 0
    assert build(small, "FRAME").seconds == 0
