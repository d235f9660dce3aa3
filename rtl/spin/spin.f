// SPIN: RSPIN routers, initiators and targets.
rtl/spin/spin_buffer.v
rtl/spin/spin_buffers.v
rtl/spin/spin_climb.v
rtl/spin/spin_descend.v
rtl/spin/spin_encoder.v
rtl/spin/spin_initiator.v
rtl/spin/spin_input.v
rtl/spin/spin_lane.v
rtl/spin/spin_network.v
rtl/spin/spin_output.v
rtl/spin/spin_receiver.v
rtl/spin/spin_router.v
rtl/spin/spin_sender.v
rtl/spin/spin_target.v
rtl/spin/spin_terminal.v
