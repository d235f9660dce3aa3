"""What cocotb loads for test_one_network.py: a test that must fail, so none of the project's."""

from collections.abc import Iterator

from fattree_bench.bench.scenario import Stimulus
from fattree_bench.families.spin.requests import RequestSet
from fattree_bench.families.spin.scenarios import everybody, scenario


@scenario()
def crossfire_on_one_network(s: Stimulus) -> Iterator[RequestSet]:
    """Requests and responses of all terminals share one network."""
    yield everybody(s)


# Only now, for it looks the tests of the plan up: those of the plan become tests of this module.
from fattree_bench.sim import entry  # noqa: E402

globals().update({name: test for name, test in vars(entry).items() if name.startswith("test_")})
