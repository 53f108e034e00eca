"""The guide of a lesson as pages show it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from markupsafe import Markup

from api.lessons.schemas import Standing
from api.lessons.texts import paragraphs, texts_of
from api.matches.score_analysis import ScoreAnalysis
from domain.kernel.messages import Message
from domain.lessons.guidance import Guidance
from domain.lessons.script import Lesson, lessons_of


class LessonShown(msgspec.Struct, frozen=True):
    """The current guidance of a lesson, in the language of the reader."""

    title: str
    name: str
    heading: str
    standing: Standing
    is_task: bool
    answer: Markup
    words: Markup
    points: tuple[str, ...]
    follows: tuple[tuple[str, str], ...]
    """Names and headings of the later lessons of the title."""
    reasons: tuple[Message, ...] = ()
    """Reasons of the victory or defeat, once the match is over."""

    @property
    def is_over(self) -> bool:
        """Whether the lesson is over."""
        return self.standing != "on"


def show_lesson(
    guidance: Guidance, language: str, ending: ScoreAnalysis | None = None, ranking: Sequence[int] | None = None
) -> LessonShown:
    """Return the guidance in a language; after the match, with the reasons of its ending if these are known."""
    lesson, texts = guidance.lesson, texts_of(guidance.lesson, language)
    text = {"on": texts.lines.get(guidance.line, ""), "missed": texts.missed}.get(guidance.standing, texts.end)
    return LessonShown(
        lesson.title,
        lesson.name,
        texts.title,
        guidance.standing,
        lesson.script.kind == "task",
        paragraphs(texts.answers.get(guidance.answer, "")),
        paragraphs(text),
        guidance.points,
        tuple((each.name, texts_of(each, language).title) for each in later_lessons(lesson)),
        result_reasons(lesson.script.seat, ending, ranking)
        if ending and ending.sources and ranking and guidance.standing == "over"
        else (),
    )


def result_reasons(seat: int, ending: ScoreAnalysis, ranking: Sequence[int]) -> tuple[Message, ...]:
    """Return one or two reasons of the victory or defeat, with headings and points.

    First the source of points that most favours the winner against the loser of (learner, best rival), then the
    learner's best source, if it is another one.
    """
    rival = min((place, each) for each, place in enumerate(ranking) if each != seat)[1]
    has_won = ranking[seat] == 1
    deciding = max(ending.sources, key=lambda row: (row.points[seat] - row.points[rival]) * (1 if has_won else -1))
    best_source = max(ending.sources, key=lambda row: row.points[seat])
    points: dict[str, int | str | Message] = {
        "source": deciding.heading,
        "own": deciding.points[seat],
        "other": deciding.points[rival],
    }
    comparison = (
        Message("You won. The biggest difference was “{source}”: your {own} points against {other}.", points)
        if has_won
        else Message(
            "Another player won. The biggest difference was “{source}”: your {own} points against {other}.",
            points,
        )
    )
    best = Message(
        "Your best source: {source}, {own}.", {"source": best_source.heading, "own": best_source.points[seat]}
    )
    return (comparison,) if best_source is deciding else (comparison, best)


def later_lessons(lesson: Lesson) -> tuple[Lesson, ...]:
    """Return the later lessons of the title."""
    lessons = tuple(lessons_of(lesson.title).values())
    return lessons[lessons.index(lesson) + 1 :]


def waiting_reason(guidance: Guidance, language: str) -> str:
    """Return why a legal action must wait; empty without a specific reason."""
    return texts_of(guidance.lesson, language).not_now.get(guidance.line, "")
