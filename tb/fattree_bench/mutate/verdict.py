"""The result of simulating a mutant."""

from dataclasses import dataclass

SCOREBOARD = "scoreboard"  # the environment reported a fault; `told` is its name
ASSERTION = "assertion"  # an assertion in the Verilog fired; `told` is its rule
CRASH = "crash"  # the simulator or the bench failed
TIMEOUT = "time-out"  # far more CPU time than the fault-free network
SURVIVED = "survived"  # every scenario passed
KILLED = (SCOREBOARD, ASSERTION, CRASH, TIMEOUT)


@dataclass(frozen=True)
class Verdict:
    """How the simulation of a mutant ended.

    Attributes
    ----------
    how : one of the words above.
    told : the fault's name, the rule, or what failed; "" for a survivor.
    scenario : in which it ended; "" for a survivor.
    example : the first occurrence, as the scoreboard prints it.
    seconds : CPU time of the run.
    """

    number: int
    how: str
    told: str = ""
    scenario: str = ""
    example: str = ""
    seconds: float = 0.0

    @property
    def killed(self) -> bool:
        return self.how in KILLED
