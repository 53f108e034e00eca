"""What people have answered at puzzles and their ratings there, in the store of people: it goes with a person who is
erased."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from sqlalchemy import bindparam, select

from api.accounts.store import Store
from api.accounts.tables.puzzles import PUZZLE_ANSWERS, PUZZLE_RATINGS
from api.http.app_state import AppKey
from domain.ratings.elo import ELO, START
from domain.ratings.model import Skill
from projections.platform.statements import insert_new, upsert

SCORE: Final = select(PUZZLE_RATINGS.c.rating, PUZZLE_RATINGS.c.answered, PUZZLE_RATINGS.c.solved).where(
    PUZZLE_RATINGS.c.person == bindparam("person")
)
WRITE: Final = upsert(PUZZLE_RATINGS)
ANSWERS: Final = (
    select(PUZZLE_ANSWERS.c.puzzle, PUZZLE_ANSWERS.c.solved)
    .where(PUZZLE_ANSWERS.c.person == bindparam("person"))
    .order_by(PUZZLE_ANSWERS.c.puzzle)
)
ANSWER: Final = insert_new(PUZZLE_ANSWERS)


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
        row = self.row(SCORE, person=person)
        return Score() if row is None else Score(*row)

    def answers(self, person: str) -> tuple[Answer, ...]:
        """All of somebody's first answers."""
        rows = self.rows(ANSWERS, person=person)
        return tuple(Answer(puzzle, bool(solved)) for puzzle, solved in rows)

    def answered(self, person: str) -> frozenset[str]:
        """The puzzles somebody has answered."""
        return frozenset(answer.puzzle for answer in self.answers(person))

    def answer(self, person: str, puzzle: str, difficulty: int, *, solved: bool) -> Score:
        """The first answer to a puzzle counts: as a duel with it, by the rules of Elo."""
        with self.writing() as database:
            rows = database.rows(SCORE, person=person)
            before = Score(*rows[0]) if rows else Score()
            if database.change(ANSWER, person=person, puzzle=puzzle, solved=int(solved)) == 0:
                return before
            mine, _ = ELO.rate((Skill(before.rating), Skill(difficulty)), (1, 2) if solved else (2, 1))
            after = Score(round(mine.mean), before.answered + 1, before.solved + solved)
            database.change(WRITE, person=person, **msgspec.structs.asdict(after))
        return after


PUZZLE_SCORES: Final = AppKey[PuzzleScores]("puzzle_scores")
