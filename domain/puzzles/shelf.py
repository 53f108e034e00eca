"""The puzzles that are shipped, with the matches they are from.

A match is kept as its seed and the number of every choice among the legal actions: the engine plays it again, entry by
entry, with the same digests.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from domain.analyses.report import LineStep
from domain.kernel.rules import HOUSE, Seat
from domain.kernel.title import Titles
from domain.kernel.values import Value
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import SERVICE, FormatNumber
from domain.matches.play.in_memory import MatchLog, Play, seed_luck, table_of_bots

FILE: Final = "puzzles.json"


class PlayedMatch(Value, frozen=True):
    """A match of bots that can be played again."""

    title: str
    seed: str
    """In hex, as `esporles play --seed` takes it."""
    bots: tuple[str, ...]
    choices: tuple[int, ...]
    """Of every action the place among the legal ones."""
    head: str
    format: FormatNumber = 2
    """Of its log. Matches that were found before format 3 do not name it."""


class Reason(Value, frozen=True):
    """A part of the judgement in which the best choice ends higher than the second, by hundredths of a point."""

    part: str
    points: int


class Puzzle(Value, frozen=True):
    """A position with one clearly best choice. Chances are in ten-thousandths, margins in hundredths of a point."""

    id: str
    match: str
    """The head of its match."""
    entry: int
    """The last entry before the choice."""
    seat: int
    best: msgspec.Raw
    chance: int
    second_chance: int
    margin: int
    second_margin: int
    error: int
    rating: int
    """How hard it is, as a rating that it begins with."""
    line: tuple[LineStep, ...]
    reasons: tuple[Reason, ...]


class Shelf(Value, frozen=True):
    """The file."""

    provenance: Mapping[str, str]
    matches: tuple[PlayedMatch, ...]
    puzzles: tuple[Puzzle, ...]


@cache
def load_shelf() -> Shelf:
    """What is shipped."""
    return msgspec.json.decode(files("domain.puzzles").joinpath("data", FILE).read_bytes(), type=Shelf)


def match_of(shelf: Shelf, puzzle: Puzzle) -> PlayedMatch:
    return next(each for each in shelf.matches if each.head == puzzle.match)


def positions(titles: Titles, played: PlayedMatch) -> Iterator[Play]:
    """The match as it grows: once when it has begun, then after every action."""
    luck = seed_luck(bytes.fromhex(played.seed))
    play = table_of_bots(titles[played.title], played.bots, {}, luck, format=played.format)
    yield play
    for choice in played.choices:
        act(play, choice)
        yield play


def act(play: Play, choice: int) -> None:
    """The next choice of whoever is first to act."""
    seat = seats_to_act(play.match)[0]
    action = legal_actions(play.match, seat)[choice]
    play.act(seat, SERVICE if seat == HOUSE else actor_of(play, seat), action)


def actor_of(play: Play, seat: Seat) -> str:
    actor = play.match.seats[seat].actor
    assert actor is not None, "bots sit on all seats"
    return actor


def play_again(titles: Titles, played: PlayedMatch) -> MatchLog:
    """The whole match and its log."""
    *_, play = positions(titles, played)
    return play.log


def position_of(titles: Titles, played: PlayedMatch, entry: int) -> Match:
    """The match after an entry."""
    return next(play.match for play in positions(titles, played) if play.match.version >= entry)


def best_of(match: Match, puzzle: Puzzle) -> Any:
    """The choice that solves the puzzle."""
    return msgspec.json.decode(puzzle.best, type=match.definition.codec.action)
