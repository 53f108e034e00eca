"""The guide of a practice match, and the actions it allows."""

from __future__ import annotations

from typing import Any

from domain.eventstore.application import Matches
from domain.lessons.guidance import Guidance, LastAction, bot_actions, guide, require_sensible
from domain.lessons.script import lesson_of
from domain.matches.aggregate import Match, legal_actions
from domain.matches.facts import ActionTaken, TakenBack, action_of
from domain.matches.titles import read_fact


def guidance_of(matches: Matches, match: Match) -> Guidance | None:
    """Return the current guidance of a practice match, or None if it belongs to no lesson."""
    lesson = lesson_of(match.practice) if match.practice else None
    if lesson is None:
        return None
    return guide(lesson, match, last_action(matches, match, lesson.script.seat))


def last_action(matches: Matches, match: Match, seat: int) -> LastAction | None:
    """Return the learner's last action since the fork, with the match before it.

    None if there is none or it was taken back.
    """
    assert match.origin is not None, "a practice match is a fork"
    for entry in reversed(matches.entries(match.id, match.origin.version + 1)):
        fact = read_fact(match.definition, entry)
        if isinstance(fact, TakenBack) and fact.seat == seat:
            return None
        if isinstance(fact, ActionTaken) and fact.seat == seat:
            return LastAction(matches.at(match.id, entry.version - 1), action_of(fact))
    return None


def actions_for(match: Match, seat: int) -> tuple[Any, ...]:
    """Return the actions among which the service chooses for a seat; a lesson may restrict them."""
    lesson = lesson_of(match.practice) if match.practice and seat >= 0 else None
    return legal_actions(match, seat) if lesson is None else bot_actions(lesson, match, seat)


def require_in_lesson(match: Match, seat: int, action: object) -> None:
    """Raise `NotInLesson` for a legal action of the learner that the lesson does not offer now; other matches pass."""
    lesson = lesson_of(match.practice) if match.practice else None
    if lesson is not None and seat == lesson.script.seat:
        require_sensible(lesson, match, action)
