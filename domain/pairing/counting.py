"""Lower bounds by counting alone: no solver and no matrix, so that the service may know them too."""

from collections import Counter
from collections.abc import Sequence
from math import comb


def groups_bound(groups: Sequence[str], table_count: int) -> int:
    """A group larger than the number of tables must meet: the fewest pairs when it is spread evenly."""
    pairs = 0
    for name, size in Counter(groups).items():
        if name:
            each, more = divmod(size, max(1, table_count))
            pairs += more * comb(each + 1, 2) + (table_count - more) * comb(each, 2)
    return pairs


def scores_bound(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """Between two neighbouring scores, `above` people stand above: tables all above or all below cost nothing, and one
    table at least is mixed where `above` fills no set of whole tables. The sum over all steps between scores."""
    order = sorted(scores, reverse=True)
    filled = reachable(Counter(sizes))
    total = 0
    for above in range(1, len(order)):
        if step := order[above - 1] - order[above]:
            total += step * mixed_cost(above, sizes, filled)
    return total


def reachable(counts: Counter[int]) -> set[int]:
    """How many people some of the tables seat together."""
    found = {0}
    for size, count in sorted(counts.items()):
        found = {seated + size * times for seated in found for times in range(count + 1)}
    return found


def mixed_cost(above: int, sizes: Sequence[int], filled: set[int]) -> int:
    """The fewest pairs of one above and one below at the same table: one table at most need be mixed (the cost of a
    table is concave in how many of those above it seats)."""
    return min(part * (size - part) for size in set(sizes) for part in range(size) if above - part in filled)
