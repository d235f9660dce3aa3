// Unfolded Benes networks of wormhole switches.
// Read where rtl/ is, behind the lists of what it needs: see rtl/README.md.
rtl/benes/benes_network.v
