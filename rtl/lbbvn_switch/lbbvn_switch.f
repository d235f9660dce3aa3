// Load-balanced Birkhoff-von Neumann switch, line cards round a fat-tree.
+incdir+rtl/lbbvn_switch
rtl/lbbvn_switch/lbbvn_card.v
rtl/lbbvn_switch/lbbvn_fabric.v
rtl/lbbvn_switch/lbbvn_fabrics.v
rtl/lbbvn_switch/lbbvn_first_from.v
rtl/lbbvn_switch/lbbvn_frame_ingress.v
rtl/lbbvn_switch/lbbvn_mailbox.v
rtl/lbbvn_switch/lbbvn_mailbox_ingress.v
rtl/lbbvn_switch/lbbvn_meeting.v
rtl/lbbvn_switch/lbbvn_middle.v
rtl/lbbvn_switch/lbbvn_padding.v
rtl/lbbvn_switch/lbbvn_plain_egress.v
rtl/lbbvn_switch/lbbvn_plain_ingress.v
rtl/lbbvn_switch/lbbvn_resequencer.v
rtl/lbbvn_switch/lbbvn_switch.v
