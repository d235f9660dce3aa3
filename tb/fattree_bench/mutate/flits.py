"""What of the flits on links means something: of a link in use, and hops only of a head."""

from bitwuzla import Term

from fattree_bench.mutate.btor import Terms


def flits_differ(
    terms: Terms, flits: tuple[Term, Term], valid: Term, recorded: tuple[int, int]
) -> Term:
    """Whether two vectors of flits differ where it matters.

    Parameters
    ----------
    flits : of the sound network and of the mutant, slice by slice.
    valid : of the sound network: by link, a bit a virtual channel.
    recorded : bits of a flit's data and of its list of hops; 0, 0: all bits are alike, and a link
        has one bit of `valid`.
    """
    data, hops = recorded
    links = flits[0].sort().bv_size() // (data + 2 + hops) if data else valid.sort().bv_size()
    found = []
    for one, other, used in zip(*(terms.slices(w, links) for w in (*flits, valid)), strict=True):
        if one == other:
            continue
        parts = [(0, data + 2), (data + 2, hops)] if hops else [(0, one.sort().bv_size())]
        differ = [terms.differ(terms.bits(one, *p), terms.bits(other, *p)) for p in parts]
        if hops:
            differ[1] = terms.all([terms.truth(terms.bits(one, data + 1, 1)), differ[1]])
        idle = terms.constant("0" * used.sort().bv_size())
        found.append(terms.all([terms.differ(used, idle), terms.any(differ)]))
    return terms.any(found)
