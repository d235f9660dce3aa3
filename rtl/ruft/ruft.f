// Reduced unidirectional fat-trees of wormhole switches.
rtl/ruft/ruft_network.v
rtl/ruft/xgft_long_link.v
