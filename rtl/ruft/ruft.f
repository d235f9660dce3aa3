// Reduced unidirectional fat-trees of wormhole switches.
// Read where rtl/ is, behind the lists of what it needs: see rtl/README.md.
rtl/ruft/ruft_network.v
rtl/ruft/xgft_long_link.v
