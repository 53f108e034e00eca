"""What people have answered, and the rating each of them has at puzzles; by opaque ids, as in the logs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from domain.ratings.elo import ELO, START
from domain.ratings.model import Skill
from projections.database import Database, SharedDatabase, SqliteDatabase, connect_to, is_server

SCHEMA: Final = "puzzles"
TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS puzzle_ratings (person TEXT PRIMARY KEY, rating INTEGER NOT NULL,
        answered INTEGER NOT NULL, solved INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS puzzle_answers (person TEXT NOT NULL, puzzle TEXT NOT NULL, solved INTEGER NOT NULL,
        PRIMARY KEY (person, puzzle))""",
)
WRITE: Final = (
    "INSERT INTO puzzle_ratings (person, rating, answered, solved) VALUES (?, ?, ?, ?) ON CONFLICT (person) DO UPDATE"
    " SET rating = excluded.rating, answered = excluded.answered, solved = excluded.solved"
)


class Score(msgspec.Struct, frozen=True):
    """How somebody stands at puzzles."""

    rating: int = round(START)
    answered: int = 0
    solved: int = 0


def open_database(place: Path | str) -> Database:
    database: Database = connect_to(str(place), SCHEMA) if is_server(place) else SqliteDatabase(Path(place))
    try:
        with database.transaction():
            for table in TABLES:
                database.change(table)
    except BaseException:
        database.close()
        raise
    return database


class PuzzleScores:
    """The database; for all threads of a process."""

    def __init__(self, place: Path | str) -> None:
        self._database: Final = SharedDatabase(partial(open_database, place))

    def close(self) -> None:
        self._database.close()

    def of(self, person: str) -> Score:
        rows = self._database.rows("SELECT rating, answered, solved FROM puzzle_ratings WHERE person = ?", (person,))
        return Score(*rows[0]) if rows else Score()

    def answered(self, person: str) -> frozenset[str]:
        """The puzzles somebody has answered."""
        rows = self._database.rows("SELECT puzzle FROM puzzle_answers WHERE person = ?", (person,))
        return frozenset(puzzle for (puzzle,) in rows)

    def answer(self, person: str, puzzle: str, difficulty: int, *, solved: bool) -> Score:
        """The first answer to a puzzle counts: as a duel with it, by the rules of Elo."""
        with self._database.transaction() as database:
            sql = "INSERT INTO puzzle_answers (person, puzzle, solved) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            if database.change(sql, (person, puzzle, int(solved))) == 0:
                return self.of(person)
            before = self.of(person)
            mine, _ = ELO.rate((Skill(before.rating), Skill(difficulty)), (1, 2) if solved else (2, 1))
            after = Score(round(mine.mean), before.answered + 1, before.solved + solved)
            database.change(WRITE, (person, after.rating, after.answered, after.solved))
        return after
