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

from fattree_bench.coverage import elaboration
from fattree_bench.sim.flags import make_command

MAIN = Path(__file__).with_name("verilator_main.cpp")
STOP_FILTER = Path(__file__).with_name("stop_filter.py")


class BurstVerilator(Verilator):
    """cocotb's runner with our own main, and nothing public but what the network names."""

    visible = False
    public_file = Path()
    flags: tuple[str, ...] = ()
    code = False
    native = False

    def _build_command(self) -> list[list[str]]:
        self._simulator_in_path_build_only()
        libs = cocotb_config.libs_dir
        design = [
            "--top-module",
            str(self.hdl_toplevel),
            "--replication-limit",
            "1000000",  # wide vectors of zeros are no mistake here
            *self._get_define_options(self.defines),
            "--pipe-filter",
            shlex.join([sys.executable, "-S", str(STOP_FILTER)]),
            *self._get_include_options(self.includes),
            *self._get_parameter_options(self.parameters),
            *[str(source.value) for source in self._sources],
        ]
        return [
            *([[self.executable, *elaboration.TREE_FLAGS, *design]] if self.code else []),
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
                str(self.build_dir),
                "-LDFLAGS",
                f"-Wl,-rpath,{libs} -L{libs} -lcocotbvpi_verilator -rdynamic",
                "-CFLAGS",
                "-DVL_USER_STOP",
                *(["--trace"] if self.waves else []),
                *(["--public-flat-rw"] if self.visible else []),
                *self.flags,
                str(self.public_file),
                str(MAIN),
                *design,
            ],
        ]

    def _execute_cmds(
        self,
        cmds: Sequence[list[str]],
        cwd: os.PathLike[str] | str,
        stdout: TextIO | None = None,
    ) -> None:
        """Only when Verilator is done is known how much there is to compile."""
        super()._execute_cmds(cmds, cwd, stdout)
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
