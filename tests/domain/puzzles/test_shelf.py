"""The puzzles in the package: their matches replay with the same digests, and their choices are legal."""

import pytest

from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import FORMAT
from domain.matches.play.in_memory import seed_luck, table_of_bots
from domain.puzzles.shelf import PlayedMatch, best_of, load_shelf, match_of, play_again, position_of
from domain.titles import TITLES
from tests.seeding import sampled

SHELF = load_shelf()


@pytest.mark.parametrize("played", SHELF.matches[: sampled(1)], ids=lambda played: played.head[:8])
def test_a_match_replays_to_the_same_head(played: PlayedMatch) -> None:
    log = play_again(TITLES, played)

    assert log.match.head == played.head
    assert log.match.is_over


def test_a_match_replays_in_the_format_of_its_log() -> None:
    seed, bots = b"new", ("bot:greedy@2", "bot:greedy@2")
    begun = table_of_bots(TITLES["el_grande"], bots, {}, seed_luck(seed)).match
    played = PlayedMatch("el_grande", seed.hex(), bots, (), begun.head, begun.format)

    again = play_again(TITLES, played).match

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
