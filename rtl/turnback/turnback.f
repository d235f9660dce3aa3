// Turn-back nodes, an up switch and a down switch, joined by channels.
rtl/turnback/turnback_digit.v
rtl/turnback/turnback_node.v
rtl/turnback/turnback_route.v
rtl/turnback/turnback_switch.v
