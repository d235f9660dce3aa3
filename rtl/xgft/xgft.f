// Wormhole-switched extended generalized fat-trees.
// Read where rtl/ is, behind the lists of what it needs: see rtl/README.md.
rtl/xgft/xgft_level.v
rtl/xgft/xgft_network.v
