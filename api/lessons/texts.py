"""What lessons say: a file for each language beside the drawing of a title, by the names its scripts use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from markupsafe import Markup

from api.titles.rulebook import read, render_paragraph
from domain.lessons.script import Lesson

TITLES: Final = Path(__file__).parent.parent / "titles"


class LessonTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a lesson in a language."""

    title: str
    about: str
    """In one sentence, where lessons are offered."""
    end: str
    """When its match is over, or its task solved."""
    lines: Mapping[str, str]
    answers: Mapping[str, str] = {}
    not_now: Mapping[str, str] = {}
    """By lines: why something else must wait."""
    missed: str = ""


@cache
def load_texts(title: str, language: str) -> Mapping[str, LessonTexts]:
    """The texts of all lessons of a title, by the names of the lessons."""
    return msgspec.convert(read(TITLES / title / "lessons" / f"{language}.toml"), dict[str, LessonTexts])


def texts_of(lesson: Lesson, language: str) -> LessonTexts:
    return load_texts(lesson.title, language)[lesson.name]


def paragraphs(text: str) -> Markup:
    """A text as HTML; "" stays nothing."""
    return render_paragraph(text) if text else Markup("")
