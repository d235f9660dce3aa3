// Files of the switch, as simulators read them.
+incdir+.
counted.sv
