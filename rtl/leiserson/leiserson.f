// Leiserson's bit-serial fat-tree.
// Paths are relative to the folder that holds rtl/: iverilog -g2005 -f FILE, verilator -f FILE.
+incdir+rtl/common
rtl/common/arbiter.v
rtl/common/concentrator.v
rtl/common/concentrator_switch.v
rtl/common/crossbar.v
rtl/common/delay_line.v
rtl/common/partial_concentrator_switch.v
rtl/common/partial_stage.v
rtl/leiserson/leiserson_interface.v
rtl/leiserson/leiserson_node.v
rtl/leiserson/leiserson_port.v
rtl/leiserson/leiserson_tree.v
rtl/leiserson/load_guess.v
