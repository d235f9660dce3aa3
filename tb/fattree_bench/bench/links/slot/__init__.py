"""The slot link: one packet per leaf and slot."""

from pathlib import Path

HDL = Path(__file__).resolve().parent / "hdl"
