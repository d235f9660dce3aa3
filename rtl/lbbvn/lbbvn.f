// Bufferless slot-synchronous fat-tree for load-balanced Birkhoff-von Neumann switches.
// Paths are relative to the folder that holds rtl/: iverilog -g2005 -f FILE, verilator -f FILE.
+incdir+rtl/common
rtl/common/arbiter.v
rtl/common/concentrator.v
rtl/common/concentrator_switch.v
rtl/common/crossbar.v
rtl/common/delay_line.v
rtl/common/fast/concentrator_switch_fast.v
rtl/common/fast/packet_concentrator_fast.v
rtl/common/packet_concentrator.v
rtl/common/partial_concentrator_switch.v
rtl/common/partial_stage.v
rtl/common/ram_1w1r.v
rtl/common/register_file.v
rtl/common/rotating_first.v
rtl/common/sum_of.v
rtl/lbbvn/lbbvn_counter.v
rtl/lbbvn/lbbvn_leaf.v
rtl/lbbvn/lbbvn_node.v
rtl/lbbvn/lbbvn_port.v
rtl/lbbvn/lbbvn_settings.v
rtl/lbbvn/lbbvn_slots.v
rtl/lbbvn/lbbvn_tree.v
rtl/lbbvn/lbbvn_up_port.v
