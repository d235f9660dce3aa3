// Load-balanced Birkhoff-von Neumann switch, line cards round a fat-tree.
// Paths are relative to the folder that holds rtl/: iverilog -g2005 -f FILE, verilator -f FILE.
+incdir+rtl/common
+incdir+rtl/lbbvn_switch
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
rtl/lbbvn_switch/lbbvn_fabric.v
rtl/lbbvn_switch/lbbvn_frame_ingress.v
rtl/lbbvn_switch/lbbvn_mailbox.v
rtl/lbbvn_switch/lbbvn_mailbox_ingress.v
rtl/lbbvn_switch/lbbvn_middle.v
rtl/lbbvn_switch/lbbvn_resequencer.v
rtl/lbbvn_switch/lbbvn_switch.v
