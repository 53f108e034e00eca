"""The benchmarks measure what they say: the material they make is what the budgets are stated for."""

from ops.bench.figures import percentile
from ops.bench.logs import effects_of, long_match
from ops.bench.positions import ENTRIES, matches_of_600


def test_the_matches_have_the_entries_of_the_budget() -> None:
    """Any entry of a 600-entry match (DESIGN §11)."""
    entries, longer = next(matches_of_600()), long_match()

    assert ENTRIES <= len(entries) < 1.25 * ENTRIES
    assert len(longer) > 1.5 * ENTRIES
    assert len(effects_of(entries)) > len(entries)


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 1.0) == 3.0
