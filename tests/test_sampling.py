"""Which walks a run leaves out."""

from tests.seeding import IS_EXPLORING, WALKS, walks_left_out

EVERY = [f"tests/pages/test_{name}.py::test_all" for name in "abcdefg"]


def test_a_run_of_the_whole_suite_takes_one_walk_in_three() -> None:
    left_out = walks_left_out(reversed(EVERY), ["tests"])

    taken = [walk for walk in EVERY if walk not in left_out]
    at_least, at_most = len(EVERY) // WALKS, -(-len(EVERY) // WALKS)
    assert IS_EXPLORING or at_least <= len(taken) <= at_most
    assert not left_out.difference(EVERY)


def test_a_run_that_names_a_file_or_a_test_takes_every_walk() -> None:
    assert walks_left_out(EVERY, ["tests/pages/test_a.py"]) == set()
    assert walks_left_out(EVERY, ["tests/pages/test_a.py::test_all"]) == set()


def test_a_run_without_walks_leaves_out_nothing() -> None:
    assert walks_left_out([], ["tests"]) == set()
