"""Data for integrity measures of finished matches: players, results and thinking time per decision.

Lines that replace others by a ruling are followed. Forks, imported matches, and unrated matches outside tournaments and
leagues are left out.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from sqlalchemy import Column, Index, bindparam, insert, select

from domain.integrity.measured_matches import MeasuredMatch, measured_match
from domain.integrity.thinking import Notes, add_entry, is_timed
from domain.matches.facts import Actor, MatchForked, MatchOpened
from domain.matches.log.entries import microseconds
from domain.ratings.model import RatingModel, Skill
from projections.follow import FollowedStep, moment
from projections.platform.statements import any_of, upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import BYTES, NUMBER, TEXT, by_name, read_model
from projections.ratings.effects import RATED
from projections.ratings.tables import RATING_PLAYERS
from projections.ratings.writing import ROWS

NAME: Final = "integrity"
SHAPE: Final = "1"
INTEGRITY_LINES: Final = read_model(
    "integrity_lines",
    Column("line_id", TEXT, primary_key=True),
    Column("match_id", TEXT, nullable=False),
)
INTEGRITY_NOTES: Final = read_model(
    "integrity_notes",
    Column("line_id", TEXT, primary_key=True),
    Column("detail", BYTES, nullable=False),
)
INTEGRITY_MATCHES: Final = read_model(
    "integrity_matches",
    Column("match_id", TEXT, primary_key=True),
    Column("line_id", TEXT, nullable=False),
    Column("ended", NUMBER),
    Column("detail", BYTES),
)
TABLES: Final = by_name(INTEGRITY_LINES, INTEGRITY_NOTES, INTEGRITY_MATCHES)
"""`integrity_notes` has the decisions of every line, also after its end, because a ruling may restore its result.

`detail` of a match is set once it is over and counts.
"""
Index("integrity_matches_by_end", INTEGRITY_MATCHES.c.ended, INTEGRITY_MATCHES.c.match_id)

MATCHES: Final = INTEGRITY_MATCHES.c
READ_MATCH: Final = (
    select(MATCHES.match_id, MATCHES.line_id, MATCHES.ended)
    .join(INTEGRITY_LINES, INTEGRITY_LINES.c.match_id == MATCHES.match_id)
    .where(INTEGRITY_LINES.c.line_id == bindparam("line_id"))
)
WRITE_LINE: Final = insert(INTEGRITY_LINES)
WRITE_MATCH: Final = upsert(INTEGRITY_MATCHES)
READ_NOTES: Final = select(INTEGRITY_NOTES.c.detail).where(INTEGRITY_NOTES.c.line_id == bindparam("line_id"))
WRITE_NOTES: Final = upsert(INTEGRITY_NOTES)
COUNTING: Final = select(MATCHES.line_id, MATCHES.detail).where(MATCHES.detail.is_not(None))
READ_ONE: Final = COUNTING.where(MATCHES.match_id == bindparam("match_id"))
NEWEST: Final = (
    COUNTING.where(MATCHES.ended.is_not(None))
    .order_by(MATCHES.ended.desc(), MATCHES.match_id.desc())
    .limit(bindparam("limit"))
)
RATED_PLAYERS: Final = RATING_PLAYERS.c
READ_RATED: Final = select(RATED_PLAYERS.detail).where(
    RATED_PLAYERS.title == bindparam("title"),
    RATED_PLAYERS.seats == bindparam("seats"),
    RATED_PLAYERS.player.in_(any_of("players")),
)
KEPT: Final = 5_000
"""Number of latest matches that are compared."""

NOTES: Final = msgspec.json.Decoder(Notes)
PLAYED: Final = msgspec.json.Decoder(MeasuredMatch)


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store the decisions of every timed line, and the result of every match's official line.

    Imported matches are ignored; a fork by a ruling becomes the official line.
    """
    notes_by_line = dict[str, Notes]()
    for step in steps:
        line_id = str(step.line_id)
        if isinstance(step.fact, MatchOpened) and not step.imported:
            begin(transaction, line_id, line_id)
        elif isinstance(step.fact, MatchForked) and step.fact.ruling:
            for match_id, _, _ in transaction.rows(READ_MATCH, line_id=step.fact.parent):
                begin(transaction, line_id, match_id)
        if not step.imported and is_timed(step.match):
            notes = notes_by_line[line_id] if line_id in notes_by_line else read_notes(transaction, line_id)
            notes_by_line[line_id] = add_entry(notes, step.match, step.version, step.fact)
        if step.match.is_over:
            count(
                transaction,
                step,
                notes_by_line[line_id] if line_id in notes_by_line else read_notes(transaction, line_id),
            )
    for line_id, notes in notes_by_line.items():
        transaction.change(WRITE_NOTES, line_id=line_id, detail=msgspec.json.encode(notes))


def begin(transaction: Transaction, line_id: str, match_id: str) -> None:
    """Make the line the official line of a running match."""
    transaction.change(WRITE_LINE, line_id=line_id, match_id=match_id)
    transaction.change(WRITE_MATCH, match_id=match_id, line_id=line_id, ended=None, detail=None)


def read_notes(transaction: Transaction, line_id: str) -> Notes:
    """Return the stored notes of a line, or empty ones."""
    for (detail,) in transaction.rows(READ_NOTES, line_id=line_id):
        return NOTES.decode(detail)
    return Notes()


def count(transaction: Transaction, step: FollowedStep, notes: Notes) -> None:
    """Store the result of a line, which the caller knows to be finished, if it is official; its first end stays."""
    for match_id, line_id, ended in transaction.rows(READ_MATCH, line_id=str(step.line_id)):
        if line_id == str(step.line_id):
            ended_us = microseconds(step.match.timestamp) if ended is None else ended
            measured = measured_match(step.match, UUID(match_id), moment(ended_us), notes.decisions)
            detail = None if measured is None else msgspec.json.encode(measured)
            transaction.change(WRITE_MATCH, match_id=match_id, line_id=line_id, ended=ended_us, detail=detail)


def newest(store: ReadStore, limit: int = KEPT) -> tuple[MeasuredMatch, ...]:
    """Return the latest matches that count, latest first."""
    return tuple(newest_lines(store, limit).values())


def newest_lines(store: ReadStore, limit: int = KEPT) -> dict[str, MeasuredMatch]:
    """Return the same by official line."""
    return {line_id: PLAYED.decode(detail) for line_id, detail in store.rows(NEWEST, limit=limit)}


def get(store: ReadStore, match_id: UUID) -> MeasuredMatch | None:
    """Return a match that counts, or None."""
    return next(iter(get_line(store, match_id).values()), None)


def get_line(store: ReadStore, match_id: UUID) -> dict[str, MeasuredMatch]:
    """Return the same by official line."""
    return {line_id: PLAYED.decode(detail) for line_id, detail in store.rows(READ_ONE, match_id=str(match_id))}


class Strengths:
    """Probabilities that one person beats another, by current ratings; unrated people have the model's start."""

    def __init__(self, model: RatingModel, skills: dict[tuple[str, int, Actor], Skill]) -> None:
        self._model = model
        self._skills = skills
        self._chances = dict[tuple[Skill, Skill], int]()

    def __call__(self, title: str, seats: int, first: Actor, second: Actor) -> int:
        """Return the chance that `first` beats `second` in a match of two, in thousandths."""
        first_skill, second_skill = self.skill(title, seats, first), self.skill(title, seats, second)
        if (first_skill, second_skill) not in self._chances:
            self._chances[first_skill, second_skill] = round(
                1_000 * self._model.chances((first_skill, second_skill))[0]
            )
        return self._chances[first_skill, second_skill]

    def skill(self, title: str, seats: int, person: Actor) -> Skill:
        """Return the skill of a person."""
        return self._skills.get((title, seats, person)) or self._model.start()


def strengths(store: ReadStore, model: RatingModel, matches: Sequence[MeasuredMatch]) -> Strengths:
    """Return the rated players of these matches with their skills, per title and number of seats.

    People without a rating are left out.
    """
    people_by_pool: dict[tuple[str, int], set[Actor]] = {}
    for match in matches:
        people_by_pool.setdefault((match.title, len(match.seats)), set()).update(match.people)
    skills = dict[tuple[str, int, Actor], Skill]()
    for (title, seats), people in people_by_pool.items():
        ordered = sorted(people)
        for start in range(0, len(ordered), ROWS):
            batch = ordered[start : start + ROWS]
            for (detail,) in store.rows(READ_RATED, title=title, seats=seats, players=batch):
                rated = RATED.decode(detail)
                skills[title, seats, rated.player] = rated.skill
    return Strengths(model, skills)
