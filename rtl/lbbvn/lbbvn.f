// Bufferless slot-synchronous fat-tree for load-balanced Birkhoff-von Neumann switches.
+incdir+rtl/lbbvn
rtl/lbbvn/lbbvn_datapath.v
rtl/lbbvn/lbbvn_leaf.v
rtl/lbbvn/lbbvn_node.v
rtl/lbbvn/lbbvn_port.v
rtl/lbbvn/lbbvn_settings.v
rtl/lbbvn/lbbvn_slots.v
rtl/lbbvn/lbbvn_tree.v
rtl/lbbvn/lbbvn_up_port.v
