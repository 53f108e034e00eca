"""Walks that a run skips."""

from tests.seeding import IS_EXPLORING, WALKS, walks_left_out

EVERY = dict.fromkeys((f"tests/pages/test_{name}.py::test_all" for name in "abcdefg"), WALKS)


def test_the_whole_suite_runs_a_share_of_the_walks() -> None:
    left_out = walks_left_out(dict(reversed(EVERY.items())), ["tests"])

    sampled = [walk for walk in EVERY if walk not in left_out]
    at_least, at_most = len(EVERY) // WALKS, -(-len(EVERY) // WALKS)
    assert IS_EXPLORING or at_least <= len(sampled) <= at_most
    assert not left_out.difference(EVERY)


def test_a_mark_can_ask_for_another_share() -> None:
    pages = dict.fromkeys((f"tests/pages/test_axe.py::test_page[{name}]" for name in "abcdef"), 2)

    left_out = walks_left_out(EVERY | pages, ["tests"])

    assert IS_EXPLORING or len(left_out & pages.keys()) == len(pages) // 2
    assert left_out & EVERY.keys() == walks_left_out(EVERY, ["tests"])


def test_a_run_of_a_file_or_test_runs_every_walk() -> None:
    assert walks_left_out(EVERY, ["tests/pages/test_a.py"]) == set()
    assert walks_left_out(EVERY, ["tests/pages/test_a.py::test_all"]) == set()


def test_a_run_without_walks_skips_nothing() -> None:
    assert walks_left_out({}, ["tests"]) == set()
