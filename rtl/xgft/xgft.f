// Wormhole-switched extended generalized fat-trees.
// Read where rtl/ is, behind the lists of what it needs: see rtl/README.md.
+incdir+rtl/xgft
rtl/xgft/benes_network.v
rtl/xgft/ruft_network.v
rtl/xgft/turnback_digit.v
rtl/xgft/turnback_node.v
rtl/xgft/turnback_route.v
rtl/xgft/turnback_switch.v
rtl/xgft/xgft_arrivals.v
rtl/xgft/xgft_core.v
rtl/xgft/xgft_departures.v
rtl/xgft/xgft_input_unit.v
rtl/xgft/xgft_level.v
rtl/xgft/xgft_long_link.v
rtl/xgft/xgft_network.v
rtl/xgft/xgft_output_unit.v
rtl/xgft/xgft_queue.v
rtl/xgft/xgft_random.v
rtl/xgft/xgft_route.v
rtl/xgft/xgft_rules.v
rtl/xgft/xgft_switch.v
rtl/xgft/xgft_switch_allocator.v
rtl/xgft/xgft_table.v
rtl/xgft/xgft_vc_allocator.v
