"""Walks that a run skips."""

from tests.seeding import IS_EXPLORING, WALKS, walks_left_out

EVERY = [f"tests/pages/test_{name}.py::test_all" for name in "abcdefg"]


def test_the_whole_suite_runs_one_walk_in_three() -> None:
    left_out = walks_left_out(reversed(EVERY), ["tests"])

    taken = [walk for walk in EVERY if walk not in left_out]
    at_least, at_most = len(EVERY) // WALKS, -(-len(EVERY) // WALKS)
    assert IS_EXPLORING or at_least <= len(taken) <= at_most
    assert not left_out.difference(EVERY)


def test_a_run_of_a_file_or_test_runs_every_walk() -> None:
    assert walks_left_out(EVERY, ["tests/pages/test_a.py"]) == set()
    assert walks_left_out(EVERY, ["tests/pages/test_a.py::test_all"]) == set()


def test_a_run_without_walks_skips_nothing() -> None:
    assert walks_left_out([], ["tests"]) == set()
