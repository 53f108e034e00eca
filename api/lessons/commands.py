"""Commands of practice matches, run on the writer's thread."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.lessons.guidance import lesson_status
from domain.lessons.script import Lesson
from domain.matches.aggregate import Match
from domain.matches.facts import Actor


def practise(
    matches: Matches,
    parent_id: UUID,
    *,
    entry: int,
    seat: int,
    learner: Actor,
    bot: Actor,
    practice: str,
    new_id: UUID,
    at: datetime,
) -> Match:
    """Fork a practice match from an ended one, with the same luck, the learner on the seat and bots on the others.

    A repeated request (`new_id`) returns the existing match. Raise the errors of `fork_match`.
    """
    seats = len(matches.get(parent_id).seats)
    return fork_match(
        matches,
        parent_id,
        at_version=entry,
        new_id=new_id,
        luck="same",
        by=learner,
        at=at,
        seats=tuple(learner if each == seat else bot for each in range(seats)),
        practice=practice,
    )


def begin_lesson(
    matches: Matches,
    lesson: Lesson,
    parent_id: UUID,
    learner: Actor,
    bot: Actor,
    attempt_id: Callable[[int], UUID],
    *,
    given_up: UUID | None,
    at: datetime,
) -> Match:
    """Return the learner's latest practice match of a lesson while it can continue, or start a new one.

    `given_up` is a match not to continue; `attempt_id` gives the id of each attempt, from 0.
    """
    number = count_attempts(lambda each: matches.lines.has(attempt_id(each)))
    if number:
        newest = matches.get(attempt_id(number - 1))
        if newest.id != given_up and lesson_status(lesson.script, newest) == "on":
            return newest
    return practise(
        matches,
        parent_id,
        entry=lesson.script.at,
        seat=lesson.script.seat,
        learner=learner,
        bot=bot,
        practice=lesson.practice,
        new_id=attempt_id(number),
        at=at,
    )


def count_attempts(exists: Callable[[int], bool]) -> int:
    """Return the number of consecutive attempts from 0 that exist, by exponential and binary search with few reads."""
    end = 1
    while exists(end - 1):
        end *= 2
    return bisect_left(range(end), True, lo=end // 2, key=lambda each: not exists(each))
