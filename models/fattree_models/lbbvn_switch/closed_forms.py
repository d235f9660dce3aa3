"""Mean delays that are known in closed form.

BASIC takes N / rho times as long as the ideal switch under "bernoulli", 1 / rho times as long under
"frame": "comparable delay performance to the ideal output-buffered switch" (HPSR 2013, Section I)
is true "when the traffic is heavy and bursty", and not else.
"""

from fattree_models.common.checks import check_levels, check_real, check_word

TRAFFIC = ("bernoulli", "frame")


def mean_delay(n: int, load: float, traffic: str = "bernoulli") -> float:
    """Return the mean delay of the switch under BASIC, for any schedule, without drops.

    Parameters
    ----------
    load : float
        rho, cells per input and slot, 0 ... 1, less than 1; destinations are uniform over all
        outputs, the own one included ("uniform:self" of `fattree_models.traffic.pattern`).
    traffic : str
        "bernoulli": in each slot and input there is a cell with probability rho.  "frame": inputs
        fill frames of N slots, which begin at multiples of N, each with probability rho and with
        cells for one output ("frame:N" of `fattree_models.traffic.injection`).

    Returns
    -------
    float
        Slots, (N-1) / (2 (1-rho)).

    Notes
    -----
    Exact, and the same for both kinds of traffic and for every schedule (the formula: recalled; the
    proof: ours).  A cell goes to a middle at once.  In N successive slots a VOQ of a middle hears N
    different inputs and is served once.  In each slot it gets a cell with probability rho/N,
    independently: also under frames, because what input x sends to one middle in different slots
    belongs to different frames.  So between two services it gets A ~ Bin(N, rho/N) cells, and of
    what it holds after a service, L' = max(L + A - 1, 0), the mean is

        E L = E A(A-1) / (2 (1-rho)) = (N-1) rho^2 / (2 N (1-rho)).

    A cell that comes j slots before the next service, j = 0 ... N-1 equally likely, waits j slots,
    and N slots for each cell before it: those L, and the rho/N (N-1-j) that have come since.  The
    mean of j + N (L + rho (N-1-j)/N) is (N-1)/2 (1 + rho^2/(1-rho) + rho).

    Examples
    --------
    >>> mean_delay(3, 0.5)
    7.0
    """
    nodes, rho = _checked(n, load, traffic)
    return (nodes - 1) / (2.0 * (1.0 - rho))


def ideal_mean_delay(n: int, load: float, traffic: str = "bernoulli") -> float:
    """Return the mean delay of the ideal output-queued switch.

    Parameters
    ----------
    n, load, traffic
        As for `mean_delay`.

    Returns
    -------
    float
        Slots, (N-1) rho / (2 N (1-rho)) for "bernoulli", N times as much for "frame".

    Notes
    -----
    Exact.  What an output holds after a slot under Bernoulli traffic is the L of `mean_delay`, and
    by Little's law its mean is rho times the mean delay.  Under frames what it holds at their ends
    is N Q, with a Q that grows from frame to frame as that L does; in the frame the queue goes in
    N equal steps from one to the other, up or down, or stays empty, and the steps have the mean 0.

    Examples
    --------
    >>> ideal_mean_delay(3, 0.5), ideal_mean_delay(3, 0.5, "frame")
    (0.4375, 3.5)
    """
    nodes, rho = _checked(n, load, traffic)
    frame = nodes if traffic == "frame" else 1
    return frame * (nodes - 1) * rho / (2.0 * nodes * (1.0 - rho))


def _checked(n: int, load: float, traffic: str) -> tuple[int, float]:
    """Return N and the load."""
    nodes = 1 << check_levels(n)
    if not 0.0 <= check_real("load", load, 0, 1) < 1.0:
        raise ValueError(f"load: is {load}; allowed are 0 … 1, 1 excluded")
    check_word("traffic", traffic, *TRAFFIC)
    return nodes, float(load)
