"""The puzzle service: selection, answers, and the matches of puzzles."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Request
from litestar.di import NamedDependency

from api.http.guards import Caller
from api.matches.service import MatchService
from api.puzzles.scores import PUZZLE_SCORES, PuzzleScores, Score
from domain.kernel.rules import Seat
from domain.kernel.title import AnyTitle, titles_by_name
from domain.kernel.values import replace
from domain.matches.aggregate import Match, legal_actions, view
from domain.matches.errors import NoSuchStream
from domain.matches.log.log_files import log_of
from domain.puzzles.puzzle_file import Puzzle, PuzzleFile, best_of, load_puzzles, match_of, position_of, replay_match

POSITIONS_KEPT: Final = 64
SHELVES_KEPT: Final = 8


class PuzzleShown(msgspec.Struct, frozen=True):
    """A puzzle with its position, as its seat sees it, and the actions to choose from."""

    puzzle: Puzzle
    match: Match
    view: Any
    actions: tuple[Any, ...]

    @property
    def best(self) -> int:
        """Index of the solution among the actions."""
        return self.actions.index(best_of(self.match, self.puzzle))


@lru_cache(SHELVES_KEPT)
def shelf_of(names: frozenset[str]) -> PuzzleFile:
    """Return the puzzles of these titles, with their matches."""
    shelf = load_puzzles()
    matches = tuple(each for each in shelf.matches if each.title in names)
    heads = {each.head for each in matches}
    return replace(shelf, matches=matches, puzzles=tuple(each for each in shelf.puzzles if each.match in heads))


@lru_cache(POSITIONS_KEPT)
def load_position(title: AnyTitle, puzzle_id: str) -> PuzzleShown:
    """Return the puzzle of a title with the id, replaying its match; the id must exist."""
    shelf = load_puzzles()
    puzzle = next(each for each in shelf.puzzles if each.id == puzzle_id)
    match, seat = position_of(titles_by_name(title), match_of(shelf, puzzle), puzzle.entry), Seat(puzzle.seat)
    return PuzzleShown(puzzle, match, view(match, seat), legal_actions(match, seat))


class PuzzleService:
    """Puzzles, for one caller."""

    def __init__(self, tables: MatchService, scores: PuzzleScores, caller: Caller) -> None:
        self.tables = tables
        self._scores = scores
        self._caller = caller

    @property
    def shelf(self) -> PuzzleFile:
        """The puzzles of the titles of this service."""
        return shelf_of(frozenset(self.tables.titles))

    async def score(self) -> Score | None:
        """Return the caller's rating; None for unknown callers."""
        if self._caller.person is None:
            return None
        return await asyncio.to_thread(self._scores.score_of, self._caller.person.id)

    async def next_puzzle(self, title: str = "", skipped: str = "") -> Puzzle | None:
        """Return the unanswered puzzle nearest to the caller's rating; None if all are answered.

        After a skipped puzzle, the next nearest follows, and after the last the first. Raise `NoSuchStream` if the
        title has no puzzles. For visitors without an account none is answered.
        """
        score, person = await self.score() or Score(), self._caller.person
        answered = (
            frozenset[str]() if person is None else await asyncio.to_thread(self._scores.answered_puzzles, person.id)
        )
        titles = {each.head: each.title for each in self.shelf.matches}
        if title and title not in titles.values():
            raise NoSuchStream(f"no puzzles for {title!r}")
        candidates = [
            each for each in self.shelf.puzzles if each.id not in answered and title in ("", titles[each.match])
        ]
        candidates.sort(key=lambda each: (abs(each.rating - score.rating), each.id))
        ids = [each.id for each in candidates]
        start = ids.index(skipped) + 1 if skipped in ids else 0
        return candidates[start % len(candidates)] if candidates else None

    async def find(self, puzzle_id: str) -> PuzzleShown:
        """Return the puzzle with the id; raise `NoSuchStream` if unknown."""
        shelf = self.shelf
        puzzle = next((each for each in shelf.puzzles if each.id == puzzle_id), None)
        if puzzle is None:
            raise NoSuchStream(f"no puzzle {puzzle_id!r}")
        title = self.tables.titles[match_of(shelf, puzzle).title]
        return await asyncio.to_thread(load_position, title, puzzle_id)

    async def record_answer(self, shown: PuzzleShown, *, solved: bool) -> Score | None:
        """Record the caller's first answer and return the rating; None for unknown callers, nothing is recorded then.

        A later answer to the same puzzle changes nothing.
        """
        if self._caller.person is None:
            return None
        puzzle, person = shown.puzzle, self._caller.person.id
        return await asyncio.to_thread(self._scores.record_answer, person, puzzle.id, puzzle.rating, solved=solved)

    async def import_match(self, shown: PuzzleShown) -> UUID:
        """Import the match of the puzzle unless it exists, as the service, and return its id; it is never rated."""
        puzzle_match = match_of(self.shelf, shown.puzzle)
        log = await asyncio.to_thread(replay_match, self.tables.titles, puzzle_match)
        match = await self.tables.logs.import_log(log_of(log.entries), Caller(is_service=True))
        return match.id


def provide_puzzles(
    request: Request[Caller, Any, Any], caller: NamedDependency[Caller], matches: NamedDependency[MatchService]
) -> PuzzleService:
    """Provide the service for the caller."""
    return PuzzleService(matches, PUZZLE_SCORES.of(request), caller)
