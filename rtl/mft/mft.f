// Modified fat-tree, MFT and IMFT.
+incdir+rtl/mft
rtl/mft/mft_client.v
rtl/mft/mft_climb.v
rtl/mft/mft_departures.v
rtl/mft/mft_fabric.v
rtl/mft/mft_fifo.v
rtl/mft/mft_lanes.v
rtl/mft/mft_network.v
rtl/mft/mft_router.v
