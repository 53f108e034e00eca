"""Texts of lessons: one file per title and language, with the names in the scripts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from markupsafe import Markup

from api.titles.rulebook import read_toml, render_paragraph
from domain.lessons.script import Lesson

TITLES: Final = Path(__file__).parent.parent / "titles"


class LessonTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a lesson in a language."""

    title: str
    about: str
    """One sentence for the list of lessons."""
    end: str
    """Shown when the match is over or the task solved."""
    lines: Mapping[str, str]
    answers: Mapping[str, str] = {}
    not_now: Mapping[str, str] = {}
    """By line: why other actions must wait."""
    missed: str = ""


@cache
def load_texts(title: str, language: str) -> Mapping[str, LessonTexts]:
    """Load the texts of all lessons of a title, by name."""
    return msgspec.convert(read_toml(TITLES / title / "lessons" / f"{language}.toml"), dict[str, LessonTexts])


def texts_of(lesson: Lesson, language: str) -> LessonTexts:
    """Return the texts of a lesson."""
    return load_texts(lesson.title, language)[lesson.name]


def paragraphs(text: str) -> Markup:
    """Render a text as HTML; empty for an empty text."""
    return render_paragraph(text) if text else Markup("")
