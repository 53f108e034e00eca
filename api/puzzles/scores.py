"""Answers and ratings of people, in the accounts database; erasing a person deletes theirs."""

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
    """A person's puzzle rating."""

    rating: int = round(START)
    answered: int = 0
    solved: int = 0


class Answer(NamedTuple):
    """A person's first answer to a puzzle."""

    puzzle: str
    is_solved: bool


class PuzzleScores(Store):
    """Answers and ratings."""

    def score_of(self, person: str) -> Score:
        """Return a person's rating."""
        row = self.row(SCORE, person=person)
        return Score() if row is None else Score(*row)

    def answers(self, person: str) -> tuple[Answer, ...]:
        """Return all first answers of a person."""
        rows = self.rows(ANSWERS, person=person)
        return tuple(Answer(puzzle, bool(solved)) for puzzle, solved in rows)

    def answered_puzzles(self, person: str) -> frozenset[str]:
        """Return the puzzles that a person has answered."""
        return frozenset(answer.puzzle for answer in self.answers(person))

    def record_answer(self, person: str, puzzle: str, difficulty: int, *, solved: bool) -> Score:
        """Record the first answer to a puzzle and return the rating, updated by Elo as a duel with the puzzle.

        A later answer changes nothing.
        """
        with self.transaction() as database:
            rows = database.rows(SCORE, person=person)
            old_score = Score(*rows[0]) if rows else Score()
            if database.change(ANSWER, person=person, puzzle=puzzle, solved=int(solved)) == 0:
                return old_score
            skill, _ = ELO.rate((Skill(old_score.rating), Skill(difficulty)), (1, 2) if solved else (2, 1))
            new_score = Score(round(skill.mean), old_score.answered + 1, old_score.solved + solved)
            database.change(WRITE, person=person, **msgspec.structs.asdict(new_score))
        return new_score


PUZZLE_SCORES: Final = AppKey[PuzzleScores]("puzzle_scores")
