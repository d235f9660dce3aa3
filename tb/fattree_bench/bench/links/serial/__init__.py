"""The serial link: messages bit by bit, with acknowledgements."""

from pathlib import Path

HDL = Path(__file__).resolve().parent / "hdl"
