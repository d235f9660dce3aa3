// SPIN: RSPIN routers, initiators and targets.
// Read where rtl/ is, behind the lists of what it needs, xgft too: see rtl/README.md.
+incdir+rtl/spin
