// Wormhole switches whose cables break.
rtl/faulty/faulty_choice.v
rtl/faulty/faulty_discard.v
rtl/faulty/faulty_end.v
rtl/faulty/faulty_leaf.v
rtl/faulty/faulty_network.v
rtl/faulty/faulty_switch.v
