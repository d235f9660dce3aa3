"""Your [own fabric](docs/topology.md): any graph of switches, parallel and slow cables."""

SHARED = "wormhole"
