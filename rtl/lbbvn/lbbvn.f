// Bufferless slot-synchronous fat-tree for load-balanced Birkhoff-von Neumann switches.
// Read where rtl/ is, behind the lists of what it needs: see rtl/README.md.
+incdir+rtl/lbbvn
rtl/lbbvn/lbbvn_datapath.v
rtl/lbbvn/lbbvn_leaf.v
rtl/lbbvn/lbbvn_node.v
rtl/lbbvn/lbbvn_port.v
rtl/lbbvn/lbbvn_settings.v
rtl/lbbvn/lbbvn_slots.v
rtl/lbbvn/lbbvn_tree.v
rtl/lbbvn/lbbvn_up_port.v
