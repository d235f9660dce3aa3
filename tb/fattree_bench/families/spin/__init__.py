"""SPIN: trees of 8-port RSPIN routers, with requests and responses over them."""
