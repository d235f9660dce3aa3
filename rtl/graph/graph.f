// Any graph of wormhole switches.
rtl/graph/graph_network.v
