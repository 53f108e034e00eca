"""What people have answered at puzzles and their ratings there, in the store of people: it goes with a person who is
erased."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from api.accounts.store import Store
from api.http.app_state import AppKey
from domain.ratings.elo import ELO, START
from domain.ratings.model import Skill

WRITE: Final = (
    "INSERT INTO puzzle_ratings (person, rating, answered, solved) VALUES (?, ?, ?, ?) ON CONFLICT (person) DO UPDATE"
    " SET rating = excluded.rating, answered = excluded.answered, solved = excluded.solved"
)


class Score(msgspec.Struct, frozen=True):
    """How somebody stands at puzzles."""

    rating: int = round(START)
    answered: int = 0
    solved: int = 0


class Answer(NamedTuple):
    """Somebody's first answer to a puzzle."""

    puzzle: str
    is_solved: bool


class PuzzleScores(Store):
    """Answers and ratings."""

    def of(self, person: str) -> Score:
        row = self._row("SELECT rating, answered, solved FROM puzzle_ratings WHERE person = ?", person)
        return Score() if row is None else Score(*row)

    def answers(self, person: str) -> tuple[Answer, ...]:
        """All of somebody's first answers."""
        rows = self._rows("SELECT puzzle, solved FROM puzzle_answers WHERE person = ? ORDER BY puzzle", person)
        return tuple(Answer(puzzle, bool(solved)) for puzzle, solved in rows)

    def answered(self, person: str) -> frozenset[str]:
        """The puzzles somebody has answered."""
        return frozenset(answer.puzzle for answer in self.answers(person))

    def answer(self, person: str, puzzle: str, difficulty: int, *, solved: bool) -> Score:
        """The first answer to a puzzle counts: as a duel with it, by the rules of Elo."""
        with self._writing() as database:
            rows = database.rows("SELECT rating, answered, solved FROM puzzle_ratings WHERE person = ?", (person,))
            before = Score(*rows[0]) if rows else Score()
            sql = "INSERT INTO puzzle_answers (person, puzzle, solved) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            if database.change(sql, (person, puzzle, int(solved))) == 0:
                return before
            mine, _ = ELO.rate((Skill(before.rating), Skill(difficulty)), (1, 2) if solved else (2, 1))
            after = Score(round(mine.mean), before.answered + 1, before.solved + solved)
            database.change(WRITE, (person, after.rating, after.answered, after.solved))
        return after


PUZZLE_SCORES: Final = AppKey[PuzzleScores]("puzzle_scores")
