"""Measures of what the paper claims of layouts, decomposition trees and universality."""

from collections.abc import Sequence

from fattree_bench.bench.claims import NOTHING, Figure, Measure, Measured, found, named, recorded
from fattree_bench.bench.result import Test
from fattree_bench.words import number

# The paper gives no constants, these are ours.
POLYLOGARITHM = 0.2  # what grows as a power of n below this one counts as no power
CONNECTED = 8  # the root of a fat-tree with a network's wires, in its v^(2/3)
SURFACE = 4  # conductors through a unit of surface where planes cut voxels
BOX = 4  # sides of a box, in h sqrt(m) and sqrt(m) / h
SETTLED = 1.1  # times the figure at smaller sizes, what is called no more
PLANAR = 1.3  # exponent of n below which a volume counts as of order n


def _most(tests: Sequence[Test], name: str) -> tuple[float, int]:
    """The greatest of these numbers, and how many there are."""
    own = [value for (value,) in recorded(tests, name)]
    return max(own, default=0.0), len(own)


def _growth(tests: Sequence[Test], name: str) -> list[tuple[float, float, float]]:
    """Exponents that were measured of a figure: mean, lower end, upper end."""
    own = recorded(tests, f"{name}_growth", f"{name}_growth_half")
    return [(mean, mean - half, mean + half) for mean, half in own]


def _grows(own: Sequence[tuple[float, float, float]]) -> str:
    """As in "n^-0.12 … n^0.03, at most n^0.05 with 95 % confidence"."""
    means = [mean for mean, _, _ in own]
    most = max(high for _, _, high in own)
    return f"n^{min(means):.2f} … n^{max(means):.2f}, at most n^{most:.2f} with 95 % confidence"


def surfaces(tests: Sequence[Test]) -> Measured:
    """No unit of a surface is passed by more conductors than a constant."""
    own = recorded(tests, "conductors_a_unit_of_surface", "conductors_a_unit_of_surface_any_side")
    if not own:
        return NOTHING
    whole, any_side = (max(column) for column in zip(*own, strict=True))
    text = (
        f"at most {whole:.2f} conductors a unit in {len(own)} layouts; "
        f"{any_side:.2f} where planes cut voxels"
    )
    return found(text, whole <= 1 and any_side <= SURFACE)


def lemma_3(tests: Sequence[Test]) -> Measured:
    """Components joined at random fit into a box of sides O(h sqrt m), twice, and O(sqrt m / h)."""
    own = recorded(tests, "components", "flatness", "longest_side", "height")
    if not own:
        return NOTHING
    wide = max(side / h / m**0.5 for m, h, side, _ in own)
    tall = max(height * h / m**0.5 for m, h, _, height in own)
    sizes, flat = zip(*(one[:2] for one in own), strict=True)
    text = (
        f"sides at most {wide:.2f} h sqrt(m), {tall:.2f} sqrt(m) / h, "
        f"m = {min(sizes):.0f} … {max(sizes):.0f}, h = {min(flat):.0f} … {max(flat):.0f}"
    )
    return found(text, max(wide, tall) <= BOX)


def whole_volume(tests: Sequence[Test]) -> Measured:
    """The cube of a universal tree by (w lg(n/w))^(3/2): no larger in the upper half of sizes.

    With h = 1 in every slab, which the theorem does not need, it is: that the figure can tell.
    """
    own = sorted(recorded(tests, "lg_n", "cube", "cube_of_cubic_nodes"))
    if len(own) < 4:
        return NOTHING
    _, *cubes = zip(*own, strict=True)
    half = len(own) // 2
    flat, cubic = (max(sizes[half:]) / max(sizes[:half]) for sizes in cubes)
    text = (
        f"cube / (w lg(n/w))^(3/2) {flat:.2f} times as much at n = 2^{own[half][0]:.0f} … "
        f"2^{own[-1][0]:.0f} as below, {cubic:.2f} with h = 1"
    )
    return found(text, flat <= SETTLED < cubic)


def theorem_5(tests: Sequence[Test]) -> Measured:
    """Surfaces of boxes are at most 4 cbrt(4) (v / 2^i)^(2/3), and that much at each third cut."""
    own = recorded(tests, "cuts", "greatest_share", "tight_cuts", "third_cuts")
    if not own:
        return NOTHING
    cuts, shares, tight, thirds = zip(*own, strict=True)
    text = (
        f"at most {max(shares):.3f} of the bound in {number(int(sum(cuts)))} cuts; "
        f"all of it in {sum(tight):.0f}"
    )
    return found(text, max(shares) <= 1 and tight == thirds)


def lemma_6(tests: Sequence[Test]) -> Measured:
    """Two cuts halve any two strings of pearls."""
    own = recorded(tests, "pearls", "pairs_of_strings", "pairs_halved")
    if not own:
        return NOTHING
    pearls, pairs, halved = zip(*own, strict=True)
    text = (
        f"{number(int(sum(halved)))} of {number(int(sum(pairs)))} pairs of strings of up to "
        f"{max(pearls):.0f} pearls halved by two cuts"
    )
    return found(text, sum(halved) == sum(pairs))


def lemma_7(tests: Sequence[Test]) -> Measured:
    """At most two trees of any height, none above lg k."""
    names = "strings_of_leaves", "trees_of_a_height", "strings_with_a_tree_above_lg_k"
    own = recorded(tests, *names)
    if not own:
        return NOTHING
    strings, trees, over = zip(*own, strict=True)
    text = (
        f"at most {max(trees):.0f} trees of a height in {number(int(sum(strings)))} strings; "
        f"{sum(over):.0f} have one above lg k"
    )
    return found(text, max(trees) <= 2 and not any(over))


def theorem_8(tests: Sequence[Test]) -> Measured:
    """Balanced trees are no wider than four times the sum of the widths below."""
    most, count = _most(tests, "widths_over_theorem_8")
    text = f"w'_i at most {most:.3f} of 4 (w_i + … + w_r) in {count} trees"
    return found(text, most <= 1) if count else NOTHING


def corollary_9(tests: Sequence[Test]) -> Measured:
    """The same with a geometric series."""
    most, count = _most(tests, "widths_over_corollary_9")
    text = f"w'_i at most {most:.3f} of 4 a / (a - 1) w / a^i, a = cbrt(4), in {count} trees"
    return found(text, most <= 1) if count else NOTHING


def unbalanced(tests: Sequence[Test]) -> Measured:
    """A tree that is not balanced as in Theorem 8 breaks its bound; balanced, it keeps it."""
    own = recorded(tests, "widths_over_theorem_8_unbalanced", "widths_over_theorem_8_balanced")
    if not own:
        return NOTHING
    broken, kept = zip(*own, strict=True)
    text = (
        f"{min(broken):.2f} … {max(broken):.2f} of the bound unbalanced, {max(kept):.2f} balanced"
    )
    return found(text, min(broken) > 1 >= max(kept))


def channel_loads(tests: Sequence[Test]) -> Measured:
    """No channel is asked for more messages than t times the wires of the set below it."""
    own = recorded(tests, "load_over_wires", "walk_over_wires")
    if not own:
        return NOTHING
    edges, walks = (max(column) for column in zip(*own, strict=True))
    text = (
        f"load at most {edges:.2f} t w' for one step, {walks:.2f} t w' for four, {len(own)} series"
    )
    return found(text, max(edges, walks) <= 1)


def simulated_load_factor(tests: Sequence[Test]) -> Measured:
    """Lambda / (t lg(n / v^(2/3))) grows as no power of n."""
    return _no_power(tests, "ratio", "lambda / (t lg(n / v^(2/3)))")


def theorem_10(tests: Sequence[Test]) -> Measured:
    """Ticks / (t lg^3 n) grow as no power of n, at the volume of the network."""
    return _no_power(tests, "slowdown", "ticks / (t lg^3 n)")


def theorem_10_online(tests: Sequence[Test]) -> Measured:
    """The same of what is sent until it arrives, without a schedule, over lg^3 n lg lg n."""
    return _no_power(tests, "online_slowdown", "on-line ticks / (t lg^3 n lg lg n)")


def _no_power(tests: Sequence[Test], name: str, told: str) -> Measured:
    """What was recorded under this name grows as no power of n."""
    own = _growth(tests, name)
    if not own:
        return NOTHING
    return found(f"{told} as {_grows(own)}", max(high for _, _, high in own) < POLYLOGARITHM)


def connected(tests: Sequence[Test]) -> Measured:
    """A root of a constant times v^(2/3) wires makes all edges a one-cycle set."""
    most, count = _most(tests, "connected")
    text = f"a root of {most:.2f} v^(2/3) wires makes all edges a one-cycle set, {count} series"
    return found(text, most <= CONNECTED) if count else NOTHING


def arrays(tests: Sequence[Test]) -> Measured:
    """Arrays of a hypercube's volume need time that is a power of n for its step."""
    own = _growth(tests, "array_steps")
    if not own:
        return NOTHING
    least = min(low for _, low, _ in own)
    means = [mean for mean, _, _ in own]
    text = (
        f"steps grow as n^{min(means):.2f} … n^{max(means):.2f} at least, over n^{least:.2f} "
        "with 95 % confidence"
    )
    return found(text, least > POLYLOGARITHM)


def hypercube_volume(tests: Sequence[Test]) -> Measured:
    """The hypercube's volume is of order n^(3/2)."""
    own = _growth(tests, "hypercube_volume")
    if not own:
        return NOTHING
    text = f"volume as {_grows(own)}"
    return found(text, all(low >= 1.4 and high <= 1.6 for _, low, high in own))


def planar(tests: Sequence[Test]) -> Measured:
    """A planar mesh has O(sqrt n) wires between halves, and takes O(n) volume."""
    halves, volume = _growth(tests, "planar_bisection"), _growth(tests, "planar_volume")
    if not halves or not volume:
        return NOTHING
    widest, largest = (max(mean for mean, _, _ in own) for own in (halves, volume))
    text = f"n^{widest:.2f} wires between halves, a volume of n^{largest:.2f}"
    return found(text, widest <= 0.5 and largest < PLANAR)


def hardware_saved(tests: Sequence[Test]) -> Measured:
    """The hypercube's volume is a power of n times a planar network's."""
    own = _growth(tests, "volume_over_planar")
    if not own:
        return NOTHING
    least = min(low for _, low, _ in own)
    return found(f"volume over the mesh's as {_grows(own)}", least > POLYLOGARITHM)


def roots_of_volumes(tests: Sequence[Test]) -> Measured:
    """V = n lg n gives the root n^(2/3) wires; as corrected n lg^(3/2) n does."""
    names = "lg_n", "lg_root_by_volume", "lg_root_by_more", "lg_root_least"
    own = recorded(tests, *names)
    if not own:
        return NOTHING
    thin = [lg for lg, root, _, least in own if root < least]
    thin_too = [lg for lg, _, root, least in own if root < least]
    text = f"{len(thin)} of {len(own)} roots by v = n lg n thinner than n^(2/3)"
    if thin:
        text += f", from n = 2^{min(thin):.0f}"
    did = f"{len(thin_too)} by n lg^(3/2) n, up to n = 2^{max(own)[0]:.0f}"
    return Measured(Figure(text, not thin), Figure(did, not thin_too))


UNIVERSALITY: dict[str, Measure] = named(
    *(
        surfaces,
        lemma_3,
        whole_volume,
        theorem_5,
        lemma_6,
        lemma_7,
        theorem_8,
        corollary_9,
        unbalanced,
    ),
    *(channel_loads, simulated_load_factor, theorem_10, theorem_10_online, connected),
    *(arrays, hypercube_volume, planar, hardware_saved, roots_of_volumes),
)
