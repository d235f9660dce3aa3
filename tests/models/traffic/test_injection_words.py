"""Injection processes as a user writes them, and what is said about mistakes."""

from functools import partial

import numpy as np
import pytest

from fattree_models.traffic import INJECTION_FORMS, bernoulli, frame_bursts, injection, on_off
from tests.models.traffic.injected import check_rate, run


def test_forms():
    for form in INJECTION_FORMS:
        text = form.replace("ALPHA", "0.5").replace("BETA", "0.5").replace("PEAK", "1")
        assert len(run(text.replace("PACKETS", "4"), 0.1)) > 0


def test_text_is_the_function():
    same = {
        "bernoulli": bernoulli,
        " burst:0.1, 0.2 ": partial(on_off, alpha=0.1, beta=0.2),
        "burst:-,0.2,0.5": partial(on_off, beta=0.2, peak=0.5),
        "train:0.1,0.2": partial(on_off, alpha=0.1, beta=0.2, together=True),
        "frame:5": partial(frame_bursts, frame=5),
    }
    for text, function in same.items():
        one, other = run(text, 0.1), run(function, 0.1)
        assert np.array_equal(one.release, other.release)
        assert np.array_equal(one.destination, other.destination)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"'' is not an injection; allowed are {', '.join(INJECTION_FORMS)}"),
        ("poisson", f"'poisson' is not an injection; allowed are {', '.join(INJECTION_FORMS)}"),
        ("bernoulli:1", "'bernoulli:1' is not an injection; allowed are bernoulli"),
        (
            "burst:0.1",
            "'burst:0.1' is not an injection; allowed are burst:ALPHA,BETA, burst:-,BETA,PEAK",
        ),
        (
            "burst:-,1",
            "'burst:-,1' is not an injection; allowed are burst:ALPHA,BETA, burst:-,BETA,PEAK",
        ),
        ("burst:0,1", "alpha: is 0; allowed are numbers above 0, at most 1"),
        ("burst:1,0", "beta: is 0; allowed are numbers above 0, at most 1"),
        ("burst:-,1,0", "peak: is 0; allowed are numbers above 0, at most 1"),
        ("burst:2,1", "alpha: is '2'; allowed are 0 … 1"),
        ("burst:a,1", "alpha: is 'a'; allowed are 0 … 1"),
        ("frame", "'frame' is not an injection; allowed are frame:PACKETS"),
        ("frame:0", "frame: is '0'; allowed are 1 … 1048576"),
    ],
)
def test_refused(text, message):
    with pytest.raises(ValueError) as caught:
        injection(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("process", "load", "length", "most", "flits"),
    [
        ("bernoulli", 1.1, "1", 1, 1),
        ("bernoulli", 9, "1-16", 8.5, 8.5),
        ("bernoulli", -0.1, "1", 1, 1),
        ("bernoulli", float("nan"), "1", 1, 1),
        ("burst:0.1,0.3", 0.3, "1", 0.25, 1),
        ("burst:-,0.25,1", 0.9, "1", 0.8, 1),
        ("frame:4", 2, "1", 1, 1),
    ],
)
def test_refused_load(process, load, length, most, flits):
    with pytest.raises(ValueError) as caught:
        run(process, load, length)
    rate = f"packets of {flits} flits, at most {most / flits:g} per node and cycle"
    assert str(caught.value) == f"load: is {load}; allowed are 0 … {most} ({rate})"


@pytest.mark.parametrize(("process", "load"), [("burst:0.1,0.3", 0.25), ("burst:-,0.25,1", 0.8)])
def test_greatest_load(process, load):
    check_rate(process, load)


def test_refused_arguments():
    with pytest.raises(ValueError, match="cycles: is -1; allowed are integers from 0"):
        run("bernoulli", cycles=-1)
    with pytest.raises(ValueError, match="alpha, peak: allowed is one of them"):
        run(partial(on_off, beta=0.5))
    with pytest.raises(ValueError, match="alpha, peak: allowed is one of them"):
        run(partial(on_off, alpha=0.5, beta=0.5, peak=0.5))
    with pytest.raises(ValueError, match=r"beta: is 1.5; allowed are numbers above 0"):
        run(partial(on_off, alpha=0.5, beta=1.5))
    with pytest.raises(ValueError, match="frame: is 0; allowed are integers 1"):
        run(partial(frame_bursts, frame=0))
