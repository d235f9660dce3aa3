"""Reference models of fat-tree interconnects: what the hardware must do, said in numpy."""
