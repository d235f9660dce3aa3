// Leiserson's bit-serial fat-tree.
// Paths are relative to the folder that holds rtl/: iverilog -g2005 -f FILE, verilator -f FILE.
+incdir+rtl/common
+incdir+rtl/leiserson
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
rtl/leiserson/delivery_clock.v
rtl/leiserson/leiserson_coin.v
rtl/leiserson/leiserson_fabric.v
rtl/leiserson/leiserson_interface.v
rtl/leiserson/leiserson_node.v
rtl/leiserson/leiserson_port.v
rtl/leiserson/leiserson_tree.v
rtl/leiserson/load_guess.v
