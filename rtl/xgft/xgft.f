// Wormhole-switched extended generalized fat-trees.
rtl/xgft/xgft_level.v
rtl/xgft/xgft_network.v
