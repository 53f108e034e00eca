"""What of its script a practice match calls for: pure functions of the match as it stands."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from domain.kernel.values import Value
from domain.lessons.errors import NotInLesson
from domain.lessons.positions import all_hold, find_actions
from domain.lessons.script import Lesson, Line, Script
from domain.matches.aggregate import Match, legal_actions, seats_to_act, view

Standing = Literal["on", "solved", "missed", "over"]
"""How a lesson stands: it goes on, its task is solved or missed, its match is over."""


class LastAction(Value, frozen=True):
    """What the learner did last: the match before it, and the action."""

    before: Match
    action: Any


class Guidance(Value, frozen=True):
    """What a lesson says now. `line` and `answer` name texts; without `choices` everything may be chosen."""

    lesson: Lesson
    standing: Standing
    line: str = ""
    answer: str = ""
    points: tuple[str, ...] = ()
    choices: tuple[Any, ...] = ()

    @property
    def is_over(self) -> bool:
        """Nothing is left to choose: a task is solved or missed, a match has ended."""
        return self.standing != "on"

    def is_sensible(self, action: Any) -> bool:
        """Whether the lesson lets it be chosen now."""
        return not self.is_over and (not self.choices or action in self.choices)


def seen_by(match: Match, seat: int) -> Mapping[str, Any]:
    """The view of a seat as conditions name it; `own` is how often the seat has acted since the match began."""
    seen = msgspec.to_builtins(view(match, seat))
    return {**seen, "own": match.action_counts[seat]}


def find_line(script: Script, match: Match) -> Line | None:
    """The line for the learner's position, if it is the learner's turn."""
    if script.seat not in seats_to_act(match):
        return None
    seen, legal = seen_by(match, script.seat), legal_actions(match, script.seat)
    for line in script.lines:
        if all_hold(seen, line.when) and all(find_actions(legal, (pattern,)) for pattern in line.offers):
            return line
    return None


def standing_of(script: Script, match: Match) -> Standing:
    """How the lesson stands."""
    if script.kind == "task":
        seen = seen_by(match, script.seat)
        if all_hold(seen, script.goal):
            return "solved"
        if any(all_hold(seen, conditions) for conditions in script.missed):
            return "missed"
    return "over" if match.is_over else "on"


def guide(lesson: Lesson, match: Match, last: LastAction | None = None) -> Guidance:
    """What the lesson says to the match as it stands, after what the learner did last."""
    script, standing = lesson.script, standing_of(lesson.script, match)
    answer = "" if last is None else answer_to(script, last)
    line = find_line(script, match) if standing == "on" else None
    if line is None:
        return Guidance(lesson, standing, answer=answer)
    choices = choices_of(line, legal_actions(match, script.seat))
    return Guidance(lesson, standing, line.id, answer, line.points, choices)


def choices_of(line: Line, legal: tuple[Any, ...]) -> tuple[Any, ...]:
    """The legal actions a line lets choose, in the order of the line."""
    found = (action for choice in line.choices for action in find_actions(legal, (choice.action,)))
    return tuple(dict.fromkeys(found))


def answer_to(script: Script, last: LastAction) -> str:
    """What is said to the learner's last action; "" for nothing."""
    line = find_line(script, last.before)
    for choice in line.choices if line else ():
        if find_actions((last.action,), (choice.action,)):
            return choice.answer
    return ""


def require_sensible(lesson: Lesson, match: Match, action: Any) -> None:
    """Refuses what the lesson does not let its learner choose now; what the rules refuse is theirs to refuse."""
    guidance = guide(lesson, match)
    if action in legal_actions(match, lesson.script.seat) and not guidance.is_sensible(action):
        raise NotInLesson(f"the lesson {lesson.practice} asks for something else now than {type(action).__name__}")


def left_to_bot(lesson: Lesson, match: Match, seat: int) -> tuple[Any, ...]:
    """The legal actions among which a bot of the lesson chooses: those the script needs, else all."""
    legal = legal_actions(match, seat)
    seen = seen_by(match, seat)
    for line in lesson.script.bots:
        wanted = find_actions(legal, line.choose) if all_hold(seen, line.when) else ()
        if wanted:
            return wanted
    return legal
