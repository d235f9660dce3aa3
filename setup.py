"""The one step of a wheel that pyproject.toml cannot say: rtl/ travels inside the package."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

RTL = Path(__file__).resolve().parent / "rtl"


class WithRtl(build_py):
    """Copies rtl/ into a wheel; an editable installation reads it where it is."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, "fattree_bench", "rtl")
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(RTL, target)


setup(cmdclass={"build_py": WithRtl})
