"""The puzzles in the package: their matches replay with the same digests, and their choices are legal."""

import pytest

from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import FORMAT
from domain.matches.play.in_memory import seeded_origins, table_of_bots
from domain.puzzles.puzzle_file import PlayedMatch, best_of, load_puzzles, match_of, position_of, replay_match
from domain.titles import TITLES
from tests.seeding import example_count

SHELF = load_puzzles()


@pytest.mark.parametrize("played", SHELF.matches[: example_count(1)], ids=lambda played: played.head[:8])
def test_a_match_replays_to_the_same_head(played: PlayedMatch) -> None:
    log = replay_match(TITLES, played)

    assert log.match.head == played.head
    assert log.match.is_over


def test_a_match_replays_in_the_format_of_its_log() -> None:
    seed, bots = b"new", ("bot:greedy@2", "bot:greedy@2")
    begun = table_of_bots(TITLES["el_grande"], bots, {}, seeded_origins(seed)).match
    played = PlayedMatch("el_grande", seed.hex(), bots, (), begun.head, begun.format)

    again = replay_match(TITLES, played).match

    assert (again.format, again.head) == (FORMAT, begun.head)


def test_the_solution_is_one_of_several_legal_actions() -> None:
    puzzle = SHELF.puzzles[0]

    match = position_of(TITLES, match_of(SHELF, puzzle), puzzle.entry)

    assert match.version == puzzle.entry
    assert puzzle.seat in seats_to_act(match)
    legal = legal_actions(match, puzzle.seat)
    assert best_of(match, puzzle) in legal
    assert len(legal) > 1


def test_every_puzzle_is_clear_and_has_a_line() -> None:
    for puzzle in SHELF.puzzles:
        assert puzzle.chance - puzzle.second_chance > 2 * puzzle.error
        assert puzzle.line[0].action == puzzle.best
        assert puzzle.line[0].seat == puzzle.seat
    ratings = [puzzle.rating for puzzle in SHELF.puzzles]
    assert ratings == sorted(ratings)
