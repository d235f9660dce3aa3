// Leiserson's bit-serial fat-tree.
+incdir+rtl/leiserson
rtl/leiserson/delivery_clock.v
rtl/leiserson/leiserson_coin.v
rtl/leiserson/leiserson_fabric.v
rtl/leiserson/leiserson_interface.v
rtl/leiserson/leiserson_node.v
rtl/leiserson/leiserson_offline_node.v
rtl/leiserson/leiserson_port.v
rtl/leiserson/leiserson_tree.v
rtl/leiserson/load_guess.v
rtl/leiserson/offline_concentrator.v
rtl/leiserson/offline_stage.v
