"""The flit link: packets of flits in virtual channels, with credits."""

from pathlib import Path

HDL = Path(__file__).resolve().parent / "hdl"
