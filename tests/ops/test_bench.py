"""The benchmarks measure what they say: the material they make is what the budgets are stated for."""

from ops.bench.figures import percentile
from ops.bench.logs import ENTRIES, effects_of, long_match


def test_the_long_match_has_the_entries_of_the_budget() -> None:
    """Any entry of a 600-entry match (DESIGN §11)."""
    entries = long_match()

    assert len(entries) >= ENTRIES
    assert len(effects_of(entries)) > len(entries)


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 1.0) == 3.0
