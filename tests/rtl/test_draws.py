"""Guess and coin of randomised retry, to the greatest guess and far beyond any simulation."""

from pathlib import Path

import numpy as np
import pytest

from fattree_models import leiserson
from fattree_models.leiserson.draws import lucky
from tests.icarus import printed
from tests.tb.faults.faulty import Edit

BENCH = """
module bench;
  reg     clk = 1'b0;
  reg     restart = 1'b1;
  integer n, file;
  {design}
  initial begin
    file = $fopen("seen.txt", "w");
    for (n = 0; n < {steps}; n = n + 1) begin
      #1 $fdisplay(file, "%0d", out);
      clk = 1'b1;
      #1 clk = 1'b0;
      restart = 1'b0;
    end
    $fclose(file);
  end
endmodule
"""
GUESS = """wire [3:0] out;
  load_guess #(.LIMIT({limit})) u_guess (
    .clk(clk), .step_i(1'b1), .restart_i(restart), .exponent_o(out));"""
COIN = """wire out;
  wire [3:0] exponent = n / 64;
  leiserson_coin u_coin (
    .clk(clk), .load_i(1'b1), .restart_i(restart), .seed_i(32'd{seed}), .exponent_i(exponent),
    .messages_i((17'd1 << exponent) >> 1), .lucky_o(out));"""
STAYS_AT_14 = Edit("leiserson/load_guess.v", "raised[4] ? 4'd15", "raised == 5'd15 ? 4'd14")
WRAPS = Edit("leiserson/load_guess.v", "raised[4] ? 4'd15 : ", "")
BIT_31 = Edit("leiserson/leiserson_coin.v", "lfsr_q <= next;", "lfsr_q <= next & 32'h7FFFFFFF;")


def played(rtl: Path, design: str, steps: int, folder: Path) -> np.ndarray:
    """What a design puts out, a number a step."""
    sources = [
        *(rtl / "leiserson" / f"{name}.v" for name in ("load_guess", "leiserson_coin")),
        rtl / "common" / "xorshift32.v",
    ]
    bench = BENCH.format(design=design, steps=steps)
    printed(bench, folder, sources, [rtl / "common"], ["-sbench"])
    return np.loadtxt(folder / "seen.txt", dtype=np.int64)


def guesses(rtl: Path, h: int, steps: int, folder: Path) -> np.ndarray:
    limit = h * max(1, (h - 1).bit_length())
    return played(rtl, GUESS.format(limit=limit), steps, folder)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("h", [1, 3, 6, 10])
def test_every_guess_is_held_as_long_as_it_should(h: int, rtl_copy: Path, tmp_path: Path) -> None:
    """2^15 comes after 131,000 delivery cycles, and stays for good."""
    steps = 400_000 if h == 3 else 140_000
    seen = guesses(rtl_copy, h, steps, tmp_path)
    assert seen.tolist() == leiserson.guess_exponents(h, steps).tolist()
    assert seen[-1] == 15


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("fault", [STAYS_AT_14, WRAPS], ids=["stays", "wraps"])
def test_a_wrong_last_guess_is_seen(fault: Edit, rtl_copy: Path, tmp_path: Path) -> None:
    steps = 400_000
    fault.apply(rtl_copy)
    seen = guesses(rtl_copy, 3, steps, tmp_path)
    assert seen.tolist() != leiserson.guess_exponents(3, steps).tolist()


def coins(rtl: Path, seed: int, steps: int, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Coins that fell, and those that the draws say, at all guesses in turn."""
    seen = played(rtl, COIN.format(seed=seed), steps, folder)
    words = leiserson.lfsr(seed ^ leiserson.GOLDEN, 1, steps)[:, 0]
    exponents = np.arange(steps) // 64 % 16
    return seen, lucky(words, exponents, (1 << exponents) >> 1)


@pytest.mark.usefixtures("icarus")
@pytest.mark.parametrize("seed", [0, 1, 0xDEADBEEF])
def test_a_hundred_thousand_coins(seed: int, rtl_copy: Path, tmp_path: Path) -> None:
    seen, due = coins(rtl_copy, seed, 100_000, tmp_path)
    assert (seen == due).all()
    assert 0.45 < seen.mean() < 0.5  # one of sixteen has no chance, with the guess 1


@pytest.mark.usefixtures("icarus")
def test_a_lost_bit_of_the_generator_is_seen(rtl_copy: Path, tmp_path: Path) -> None:
    BIT_31.apply(rtl_copy)
    seen, due = coins(rtl_copy, 1, 2000, tmp_path)
    assert (seen != due).any()
