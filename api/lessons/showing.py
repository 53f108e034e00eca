"""The guide as a page shows it beside the board."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from api.lessons.texts import paragraphs, texts_of
from api.lessons.wire import Standing
from api.matches.ending import Ending
from domain.kernel.messages import Message
from domain.lessons.guiding import Guidance
from domain.lessons.script import Lesson, lessons_of


class LessonShown(msgspec.Struct, frozen=True):
    """What a lesson says now, in the language of its reader."""

    title: str
    name: str
    heading: str
    standing: Standing
    is_task: bool
    answer: Markup
    words: Markup
    points: tuple[str, ...]
    follows: tuple[tuple[str, str], ...]
    """Names and headings of the lessons of the title that come after this one."""
    reasons: tuple[Message, ...] = ()
    """Why the match was won or lost, once it is over."""

    @property
    def is_over(self) -> bool:
        return self.standing != "on"


def show_lesson(
    guidance: Guidance, language: str, ending: Ending | None = None, ranking: Sequence[int] | None = None
) -> LessonShown:
    """What the guide says; to a match that is over, with its ending and everybody's place."""
    lesson, texts = guidance.lesson, texts_of(guidance.lesson, language)
    said = {"on": texts.lines.get(guidance.line, ""), "missed": texts.missed}.get(guidance.standing, texts.end)
    return LessonShown(
        lesson.title,
        lesson.name,
        texts.title,
        guidance.standing,
        lesson.script.kind == "task",
        paragraphs(texts.answers.get(guidance.answer, "")),
        paragraphs(said),
        guidance.points,
        tuple((each.name, texts_of(each, language).title) for each in following(lesson)),
        reasons(lesson.script.seat, ending, ranking)
        if ending and ending.sources and ranking and guidance.standing == "over"
        else (),
    )


def reasons(seat: int, ending: Ending, ranking: Sequence[int]) -> tuple[Message, ...]:
    """Why a match was won or lost: the source in which the winner, or else the best of the others, was furthest apart
    from the learner, and the one that brought the learner most."""
    rival = min((place, each) for each, place in enumerate(ranking) if each != seat)[1]
    has_won = ranking[seat] == 1
    apart = max(ending.sources, key=lambda row: (row.points[seat] - row.points[rival]) * (1 if has_won else -1))
    most = max(ending.sources, key=lambda row: row.points[seat])
    points: dict[str, int | str | Message] = {
        "source": apart.heading,
        "own": apart.points[seat],
        "other": apart.points[rival],
    }
    told = (
        Message("You have won. The largest difference is at “{source}”: {own} of your points against {other}.", points)
        if has_won
        else Message(
            "Another player has won. The largest difference is at “{source}”: {own} of your points against {other}.",
            points,
        )
    )
    best = Message("Your best source: {source}, {own}.", {"source": most.heading, "own": most.points[seat]})
    return (told,) if most is apart else (told, best)


def following(lesson: Lesson) -> tuple[Lesson, ...]:
    """The lessons of the title that come after one."""
    known = tuple(lessons_of(lesson.title).values())
    return known[known.index(lesson) + 1 :]


def why_not_now(guidance: Guidance, language: str) -> str:
    """Why what the rules allow must wait; "" for no reason of its own."""
    return texts_of(guidance.lesson, language).not_now.get(guidance.line, "")
