"""The puzzles in the package, with their matches.

A match is stored as its seed and the index of every choice among the legal actions; the engine replays it with the same
digests.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from domain.analyses.report import LineStep
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import Titles
from domain.kernel.values import Value
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import SERVICE, FormatNumber
from domain.matches.play.in_memory import InMemoryMatch, MatchLog, seeded_origins, table_of_bots

FILE: Final = "puzzles.json"


class PlayedMatch(Value, frozen=True):
    """A match of bots that can be replayed."""

    title: str
    seed: str
    """In hex, as for `esporles play --seed`."""
    bots: tuple[str, ...]
    choices: tuple[int, ...]
    """The index of every action among the legal ones."""
    head: str
    format: FormatNumber = 2
    """The format of its log. Matches found before format 3 do not state it."""


class Reason(Value, frozen=True):
    """A part of the evaluation in which the best choice exceeds the second, in hundredths of a point."""

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
    """The initial rating of its difficulty."""
    line: tuple[LineStep, ...]
    reasons: tuple[Reason, ...]


class PuzzleFile(Value, frozen=True):
    """The content of the file."""

    provenance: Mapping[str, str]
    matches: tuple[PlayedMatch, ...]
    puzzles: tuple[Puzzle, ...]


@cache
def load_puzzles() -> PuzzleFile:
    """Load the puzzles in the package."""
    return msgspec.json.decode(files("domain.puzzles").joinpath("data", FILE).read_bytes(), type=PuzzleFile)


def match_of(file: PuzzleFile, puzzle: Puzzle) -> PlayedMatch:
    """Return the match of a puzzle."""
    return next(each for each in file.matches if each.head == puzzle.match)


def positions(titles: Titles, played_match: PlayedMatch) -> Iterator[InMemoryMatch]:
    """Yield the same match, played on, after its start and after every action."""
    luck = seeded_origins(bytes.fromhex(played_match.seed))
    play = table_of_bots(titles[played_match.title], played_match.bots, {}, luck, format=played_match.format)
    yield play
    for choice in played_match.choices:
        make_choice(play, choice)
        yield play


def make_choice(play: InMemoryMatch, choice: int) -> None:
    """Play the legal action with this index for the first seat to act."""
    seat = seats_to_act(play.match)[0]
    action = legal_actions(play.match, seat)[choice]
    play.act(seat, SERVICE if seat == SERVICE_SEAT else actor_of(play, seat), action)


def actor_of(play: InMemoryMatch, seat: Seat) -> str:
    """Return the bot at a seat; raise `AssertionError` for an empty one."""
    actor = play.match.seats[seat].actor
    assert actor is not None, "bots sit on all seats"
    return actor


def replay_match(titles: Titles, played_match: PlayedMatch) -> MatchLog:
    """Replay a match and return its log."""
    *_, play = positions(titles, played_match)
    return play.log


def position_of(titles: Titles, played_match: PlayedMatch, entry: int) -> Match:
    """Return the match after an entry."""
    return next(play.match for play in positions(titles, played_match) if play.match.version >= entry)


def best_of(match: Match, puzzle: Puzzle) -> Any:
    """Return the choice that solves the puzzle."""
    return msgspec.json.decode(puzzle.best, type=match.definition.codec.action)
