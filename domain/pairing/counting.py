"""Lower bounds by counting, without solver and matrices, so that the web service can compute them too."""

from collections import Counter
from collections.abc import Sequence
from math import comb


def groups_bound(groups: Sequence[str], table_count: int) -> int:
    """Return the minimum of pairs from the same group, if each group is spread evenly over the tables.

    Players without a group, an empty name, do not count.
    """
    pairs = 0
    for name, size in Counter(groups).items():
        if name:
            each, more = divmod(size, max(1, table_count))
            pairs += more * comb(each + 1, 2) + (table_count - more) * comb(each, 2)
    return pairs


def scores_bound(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """Return a lower bound of the score differences within tables.

    At each step between adjacent scores, `above` players have more. Tables entirely above or below cost nothing; if
    `above` does not fill whole tables, at least one is mixed. The bound is the sum over all steps.
    """
    order = sorted(scores, reverse=True)
    filled = reachable(Counter(sizes))
    total = 0
    for above in range(1, len(order)):
        if step := order[above - 1] - order[above]:
            total += step * mixed_cost(above, sizes, filled)
    return total


def reachable(counts: Counter[int]) -> set[int]:
    """Return the numbers of players that subsets of the tables can seat."""
    found = {0}
    for size, count in sorted(counts.items()):
        found = {seated + size * times for seated in found for times in range(count + 1)}
    return found


def mixed_cost(above: int, sizes: Sequence[int], filled: set[int]) -> int:
    """Return the minimum number of pairs across the step; 0 if `above` players can fill whole tables.

    One mixed table suffices, because the cost of a table is concave in its number of players above.
    """
    return min(part * (size - part) for size in set(sizes) for part in range(size) if above - part in filled)
