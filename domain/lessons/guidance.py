"""Guidance of practice matches by their scripts, as pure functions of the match."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from domain.kernel.values import Value
from domain.lessons.conditions import all_hold, find_actions
from domain.lessons.errors import NotInLesson
from domain.lessons.script import Lesson, Line, Script
from domain.matches.aggregate import Match, legal_actions, seats_to_act, view

LessonStatus = Literal["on", "solved", "missed", "over"]
"""State of a lesson: in progress, its task solved or missed, or its match over."""


class LastAction(Value, frozen=True):
    """The learner's last action, with the match before it."""

    before: Match
    action: Any


class Guidance(Value, frozen=True):
    """The guidance of a lesson now.

    `line` and `answer` name texts; without `choices` every legal action is offered.
    """

    lesson: Lesson
    standing: LessonStatus
    line: str = ""
    answer: str = ""
    points: tuple[str, ...] = ()
    choices: tuple[Any, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the task is solved or missed, or the match has ended."""
        return self.standing != "on"

    def is_sensible(self, action: object) -> bool:
        """Return whether the lesson offers an action now."""
        return not self.is_over and (not self.choices or action in self.choices)


def view_for_conditions(match: Match, seat: int) -> Mapping[str, Any]:
    """Return the view of a seat for conditions; `own` counts the seat's actions since the match began."""
    seat_view = msgspec.to_builtins(view(match, seat))
    return {**seat_view, "own": match.action_counts[seat]}


def find_line(script: Script, match: Match) -> Line | None:
    """Return the first line of the script that fits the learner's position; None if none does.

    A line fits if its conditions hold in the learner's view and every action it offers is legal. None also if
    it is not the learner's turn.
    """
    if script.seat not in seats_to_act(match):
        return None
    seat_view, legal = view_for_conditions(match, script.seat), legal_actions(match, script.seat)
    for line in script.lines:
        if all_hold(seat_view, line.when) and all(find_actions(legal, (pattern,)) for pattern in line.offers):
            return line
    return None


def lesson_status(script: Script, match: Match) -> LessonStatus:
    """Return the state of the lesson: "over" once the match is, else "on"; tasks are first "solved" or "missed"."""
    if script.kind == "task":
        seat_view = view_for_conditions(match, script.seat)
        if all_hold(seat_view, script.goal):
            return "solved"
        if any(all_hold(seat_view, conditions) for conditions in script.missed):
            return "missed"
    return "over" if match.is_over else "on"


def guide(lesson: Lesson, match: Match, last: LastAction | None = None) -> Guidance:
    """Return the guidance for a match, with the answer to the learner's last action, if given.

    It names a line with its choices only while the lesson is "on" and a line fits.
    """
    script, standing = lesson.script, lesson_status(lesson.script, match)
    answer = "" if last is None else find_answer(script, last)
    line = find_line(script, match) if standing == "on" else None
    if line is None:
        return Guidance(lesson, standing, answer=answer)
    choices = choices_of(line, legal_actions(match, script.seat))
    return Guidance(lesson, standing, line.id, answer, line.points, choices)


def choices_of(line: Line, legal: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the legal actions that a line offers, in its order."""
    actions = (action for choice in line.choices for action in find_actions(legal, (choice.action,)))
    return tuple(dict.fromkeys(actions))


def find_answer(script: Script, last: LastAction) -> str:
    """Return the id of the script's answer to the learner's last action; empty if no choice of the line matches it."""
    line = find_line(script, last.before)
    for choice in line.choices if line else ():
        if find_actions((last.action,), (choice.action,)):
            return choice.answer
    return ""


def require_sensible(lesson: Lesson, match: Match, action: object) -> None:
    """Raise `NotInLesson` for a legal action that the lesson does not offer, any once it is over; illegal ones pass.

    While no line of the lesson fits, every action passes.
    """
    guidance = guide(lesson, match)
    if action in legal_actions(match, lesson.script.seat) and not guidance.is_sensible(action):
        raise NotInLesson(f"the lesson {lesson.practice} expects another action than {type(action).__name__}")


def bot_actions(lesson: Lesson, match: Match, seat: int) -> tuple[Any, ...]:
    """Return the legal actions for a bot of the lesson: of the first line that fits and chooses any, else all."""
    legal = legal_actions(match, seat)
    seat_view = view_for_conditions(match, seat)
    for line in lesson.script.bots:
        chosen = find_actions(legal, line.choose) if all_hold(seat_view, line.when) else ()
        if chosen:
            return chosen
    return legal
