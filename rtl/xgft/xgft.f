// Wormhole-switched extended generalized fat-trees.
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
rtl/xgft/xgft_input_unit.v
rtl/xgft/xgft_network.v
rtl/xgft/xgft_output_unit.v
rtl/xgft/xgft_queue.v
rtl/xgft/xgft_route.v
rtl/xgft/xgft_switch.v
rtl/xgft/xgft_switch_allocator.v
rtl/xgft/xgft_table.v
rtl/xgft/xgft_vc_allocator.v
