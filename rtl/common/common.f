// Blocks that all fat-trees share.
// Read where rtl/ is.
+incdir+rtl/common
rtl/common/arbiter.v
rtl/common/async_border.v
rtl/common/async_fifo.v
rtl/common/async_link.v
rtl/common/async_links.v
rtl/common/async_reset.v
rtl/common/concentrator.v
rtl/common/concentrator_switch.v
rtl/common/crossbar.v
rtl/common/delay_line.v
rtl/common/event_counter.v
rtl/common/fast/concentrator_switch_fast.v
rtl/common/fast/packet_concentrator_fast.v
rtl/common/gray_follower.v
rtl/common/gray_pointer.v
rtl/common/packet_concentrator.v
rtl/common/partial_concentrator_switch.v
rtl/common/partial_stage.v
rtl/common/ram_1w1r.v
rtl/common/register_file.v
rtl/common/rotating_first.v
rtl/common/sampler.v
rtl/common/sum_of.v
rtl/common/synchroniser.v
rtl/common/xorshift32.v
