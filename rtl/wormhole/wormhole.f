// Wormhole switches, which the networks of xgft, turnback, ruft, benes share.
+incdir+rtl/wormhole
rtl/wormhole/fast/xgft_switch_fast.v
rtl/wormhole/xgft_arrivals.v
rtl/wormhole/xgft_core.v
rtl/wormhole/xgft_departures.v
rtl/wormhole/xgft_input_unit.v
rtl/wormhole/xgft_output_unit.v
rtl/wormhole/xgft_queue.v
rtl/wormhole/xgft_random.v
rtl/wormhole/xgft_route.v
rtl/wormhole/xgft_rules.v
rtl/wormhole/xgft_spread.v
rtl/wormhole/xgft_switch.v
rtl/wormhole/xgft_switch_allocator.v
rtl/wormhole/xgft_table.v
rtl/wormhole/xgft_vc_allocator.v
