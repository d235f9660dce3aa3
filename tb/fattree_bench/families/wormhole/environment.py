"""What checks it: the environment of all wormhole networks."""

from fattree_bench.bench.wormhole.environment import WormholeEnv

ENVIRONMENT = WormholeEnv
