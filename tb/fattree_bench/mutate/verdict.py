"""What became of a mutant in simulation."""

from dataclasses import dataclass

SCOREBOARD = "scoreboard"  # the environment named a fault; `told` is its name
ASSERTION = "assertion"  # a check in the Verilog stopped the simulation; `told` is its rule
CRASH = "crash"  # the simulator or the bench broke down
TIMEOUT = "time-out"  # far more CPU time than the sound network takes
SURVIVED = "survived"  # every scenario passed
KILLED = (SCOREBOARD, ASSERTION, CRASH, TIMEOUT)


@dataclass(frozen=True)
class Verdict:
    """One mutant's end.

    Attributes
    ----------
    how : one of the words above.
    told : the fault's name, the rule, or what broke; "" of a survivor.
    scenario : in which it ended; "" of a survivor.
    example : the first occurrence, as the scoreboard says it.
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
