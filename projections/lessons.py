"""Practice matches of learners and their progress, one row per match."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import Column, Index, bindparam, select

from domain.kernel.values import Value
from domain.lessons.guidance import LessonStatus, lesson_status
from domain.lessons.script import lesson_of
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from projections.follow import FollowedStep
from projections.platform.statements import upsert
from projections.platform.store import ReadStore, Transaction
from projections.platform.tables import NUMBER, TEXT, by_name, read_model

NAME: Final = "lessons"
SHAPE: Final = "2"
SLICED: Final = True
LESSONS: Final = read_model(
    "lessons",
    Column("match_id", TEXT, primary_key=True),
    Column("learner", TEXT, nullable=False),
    Column("practice", TEXT, nullable=False),
    Column("begun", NUMBER, nullable=False),
    Column("standing", TEXT, nullable=False),
)
TABLES: Final = by_name(LESSONS)
Index("lessons_of_learner", LESSONS.c.learner, LESSONS.c.begun)

WRITE: Final = upsert(LESSONS, kept=("learner", "practice", "begun"))
READ: Final = (
    select(LESSONS.c.practice, LESSONS.c.match_id, LESSONS.c.standing)
    .where(LESSONS.c.learner == bindparam("learner"))
    .order_by(LESSONS.c.begun)
)
DONE: Final = ("solved", "over")


class PracticeProgress(Value, frozen=True):
    """A learner's latest match of a practice, and whether any was completed."""

    match_id: UUID
    standing: LessonStatus
    is_done: bool


def follow(transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
    """Store the progress of every practice match by its last entry."""
    first_positions, last_steps = dict[UUID, int](), dict[UUID, FollowedStep]()
    for step in steps:
        if step.match.practice:
            first_positions.setdefault(step.line_id, step.position)
            last_steps[step.line_id] = step
    for line_id, step in last_steps.items():
        match = step.match
        transaction.change(
            WRITE,
            match_id=str(line_id),
            learner=match.opened_by,
            practice=match.practice,
            begun=first_positions[line_id],
            standing=standing_at(match),
        )


def standing_at(match: Match) -> LessonStatus:
    """Return the progress of a practice match; without a known lesson, whether it is over."""
    lesson = lesson_of(match.practice)
    if lesson is not None:
        return lesson_status(lesson.script, match)
    return "over" if match.is_over else "on"


def list_practices(store: ReadStore, learner: Actor) -> Mapping[str, PracticeProgress]:
    """Return a learner's practices by subject: the latest match, and whether any was done; empty if unknown."""
    found: dict[str, PracticeProgress] = {}
    for practice, match_id, standing in store.rows(READ, learner=learner):
        progress = found.get(practice)
        is_done = standing in DONE or (progress is not None and progress.is_done)
        found[practice] = PracticeProgress(UUID(match_id), standing, is_done)
    return found
