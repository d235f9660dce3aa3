// Bufferless slot-synchronous fat-tree for load-balanced Birkhoff-von Neumann switches.
// Paths are relative to the folder that holds rtl/: iverilog -g2005 -f FILE, verilator -f FILE.
+incdir+rtl/common
rtl/common/arbiter.v
rtl/common/concentrator.v
rtl/common/concentrator_switch.v
rtl/common/crossbar.v
rtl/common/delay_line.v
rtl/common/partial_concentrator_switch.v
rtl/common/partial_stage.v
rtl/lbbvn/lbbvn_leaves.v
rtl/lbbvn/lbbvn_level.v
rtl/lbbvn/lbbvn_node.v
rtl/lbbvn/lbbvn_port.v
rtl/lbbvn/lbbvn_tree.v
