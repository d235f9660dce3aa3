"""What a user may say of a farm: FARM_QUEUE, FARM_WALLTIME and the others."""

import re

import pytest

from fattree_bench.errors import UserError
from fattree_bench.jobs.farm_options import FarmOptions


def test_options():
    given = {
        "FARM_QUEUE": "night",
        "FARM_WALLTIME": "1:30",
        "FARM_MEMORY": "500MB",
        "FARM_CORES": "8",
        "FARM_DIRECTIVES": "--exclude=a,b; --nice=5;",
        "FARM_WAIT": "0",
        "SEED": "1",
    }
    assert FarmOptions.from_variables(given) == FarmOptions.from_variables({}).but(
        queue="night",
        walltime=5400,
        memory="500MB",
        cores=8,
        directives=("--exclude=a,b", "--nice=5"),
        wait=0,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FARM_QUEUE", "two words"),
        ("FARM_QUEUE", "night\n#SBATCH --x"),
        ("FARM_ACCOUNT", "a;b"),
        ("FARM_DIRECTIVES", "--nice=5\nrm"),
        ("FARM_PROLOGUE", "module load gcc\nrm"),
        ("FARM_INTERFACE", "$(x)"),
        ("FARM_WALLTIME", "4"),
        ("FARM_WALLTIME", "00:00:59"),
        ("FARM_WALLTIME", "1:60"),
        ("FARM_MEMORY", "4"),
        ("FARM_MEMORY", "0GB"),
        ("FARM_MEMORY", "4 G"),
        ("FARM_CORES", "0"),
        ("FARM_CORES", "1.5"),
        ("FARM_WAIT", "-1"),
    ],
)
def test_bad_options(name, value):
    with pytest.raises(UserError) as error:
        FarmOptions.from_variables({name: value})
    assert re.fullmatch(f"{name}=.*: must be .*", str(error.value))
