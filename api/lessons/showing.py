"""The guide as a page shows it beside the board."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from api.lessons.texts import paragraphs, texts_of
from api.lessons.wire import Standing
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

    @property
    def is_over(self) -> bool:
        return self.standing != "on"


def show_lesson(guidance: Guidance, language: str) -> LessonShown:
    """What the guide says."""
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
    )


def following(lesson: Lesson) -> tuple[Lesson, ...]:
    """The lessons of the title that come after one."""
    known = tuple(lessons_of(lesson.title).values())
    return known[known.index(lesson) + 1 :]


def why_not_now(guidance: Guidance, language: str) -> str:
    """Why what the rules allow must wait; "" for no reason of its own."""
    return texts_of(guidance.lesson, language).not_now.get(guidance.line, "")
