// Turn-back nodes, an up switch and a down switch, joined by channels.
// Read where rtl/ is, behind the lists of what it needs: see rtl/README.md.
rtl/turnback/turnback_digit.v
rtl/turnback/turnback_node.v
rtl/turnback/turnback_route.v
rtl/turnback/turnback_switch.v
