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
            each, larger_count = divmod(size, max(1, table_count))
            pairs += larger_count * comb(each + 1, 2) + (table_count - larger_count) * comb(each, 2)
    return pairs


def scores_bound(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """Return a lower bound of the score differences within tables.

    At each step between adjacent scores, `upper_count` players have more. Tables entirely above or below cost nothing;
    if `upper_count` does not fill whole tables, at least one is mixed. The bound is the sum over all steps.
    """
    order = sorted(scores, reverse=True)
    filled = reachable(Counter(sizes))
    total = 0
    for upper_count in range(1, len(order)):
        if step := order[upper_count - 1] - order[upper_count]:
            total += step * mixed_cost(upper_count, sizes, filled)
    return total


def reachable(counts: Counter[int]) -> set[int]:
    """Return the numbers of players that subsets of the tables can seat."""
    sums = {0}
    for size, count in sorted(counts.items()):
        sums = {each + size * times for each in sums for times in range(count + 1)}
    return sums


def mixed_cost(upper_count: int, sizes: Sequence[int], filled: set[int]) -> int:
    """Return the minimum number of pairs across the step; 0 if `upper_count` players can fill whole tables.

    One mixed table suffices, because the cost of a table is concave in its number of players above.
    """
    return min(part * (size - part) for size in set(sizes) for part in range(size) if upper_count - part in filled)
