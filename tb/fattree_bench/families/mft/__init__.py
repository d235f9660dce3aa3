"""Modified fat-trees, MFT and IMFT: bufferless routers, FIFOs at the clients (rtl/mft)."""
