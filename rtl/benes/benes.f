// Unfolded Benes networks of wormhole switches.
rtl/benes/benes_network.v
