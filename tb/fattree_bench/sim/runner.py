"""cocotb's runner for Verilator, as we build and start simulations with it."""

import contextlib
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from cocotb_tools import config as cocotb_config
from cocotb_tools.runner import Verilator

from fattree_bench.paths import PACKAGE
from fattree_bench.sim import elaboration
from fattree_bench.sim.flags import make_command
from fattree_bench.sim.places import Places, plain
from fattree_bench.sim.toolchain import VERILATOR_ROOT

MAIN = Path(__file__).with_name("verilator_main.cpp")
STOP_FILTER = Path(__file__).with_name("stop_filter.py")


class BurstVerilator(Verilator):
    """cocotb's runner with our own main, and nothing public but what the network names."""

    visible = False
    public_file = Path()
    flags: tuple[str, ...] = ()
    tree = False  # also ask for the tree of modules, see elaboration.py
    own: Sequence[str] = ()  # of the flags, those that the design needs to be read
    native = False
    rtl = Path()

    def _build_command(self) -> list[list[str]]:
        self._simulator_in_path_build_only()
        libs = Path(cocotb_config.libs_dir)
        roots = {"verilator": VERILATOR_ROOT, "cocotb": libs, "package": PACKAGE, "rtl": self.rtl}
        places = Places(self.build_dir, roots)
        self.env["VERILATOR_ROOT"] = places.name(VERILATOR_ROOT)
        library = places.name(libs)
        # From where the program is; it runs elsewhere.
        found = library if library == str(libs) else f"'$$ORIGIN/{library}'"
        design = [
            "--top-module",
            str(self.hdl_toplevel),
            "--replication-limit",
            "1000000",  # wide vectors of zeros are no mistake here
            *self._get_define_options(self.defines),
            "--pipe-filter",
            shlex.join([places.name(Path(sys.executable)), "-S", places.name(STOP_FILTER)]),
            *self._get_include_options([places.name(Path(folder)) for folder in self.includes]),
            *self._get_parameter_options(self.parameters),
            *[places.name(Path(str(source.value))) for source in self._sources],
        ]
        own, flags = (
            [places.name(Path(x)) if x.startswith("/") else x for x in some]
            for some in (self.own, self.flags)
        )
        return [
            *([[self.executable, *elaboration.TREE_FLAGS, *own, *design]] if self.tree else []),
            [
                self.executable,
                "--cc",
                "--exe",
                "--vpi",
                "--prefix",
                "Vtop",
                "-o",
                "simulation",
                "-Mdir",
                places.name(self.build_dir),
                "-LDFLAGS",
                f"-Wl,-rpath,{found} -L{library} -lcocotbvpi_verilator -rdynamic",
                "-CFLAGS",
                "-DVL_USER_STOP",
                *(["--trace"] if self.waves else []),
                *(["--public-flat-rw"] if self.visible else []),
                *flags,
                places.name(self.public_file),
                places.name(MAIN),
                *design,
            ],
        ]

    def _execute_cmds(
        self, cmds: Sequence[list[str]], cwd: os.PathLike[str] | str, stdout: TextIO | None = None
    ) -> None:
        """Only when Verilator is done is known how much there is to compile."""
        super()._execute_cmds(cmds, cwd, stdout)
        if not plain(VERILATOR_ROOT):  # Verilator found itself by its own name
            read = self.build_dir / "Vtop__ver.d"
            named = str(VERILATOR_ROOT.resolve())
            read.write_text(read.read_text().replace(named, self.env["VERILATOR_ROOT"]))
        super()._execute_cmds([make_command(self.build_dir, self.flags, self.native)], cwd, stdout)

    def _test_command(self) -> list[list[str]]:
        waves = ["--trace-file", "waves.vcd"] if self.waves else []
        return [[str(self.build_dir / "simulation"), *waves, *self.test_args]]


@contextlib.contextmanager
def quiet_runner() -> Iterator[None]:
    """cocotb's runner reads variables of ours from the environment, and talks."""
    import logging

    hidden = {
        k: os.environ.pop(k) for k in ("WAVES", "GUI", "PYTEST_CURRENT_TEST") if k in os.environ
    }
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        os.environ.update(hidden)
