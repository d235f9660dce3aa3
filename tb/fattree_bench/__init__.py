"""Verification environment for fat-tree interconnects: pyuvm on cocotb, frame by frame."""
