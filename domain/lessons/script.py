"""Scripts of lessons: the start of the practice match, texts by position, and offered actions."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal

import msgspec

from domain.kernel.component_data import convert_value, read_table
from domain.kernel.values import Value
from domain.lessons.errors import NoSuchLesson
from domain.matches.log.log_files import LogFile, parse_log

FOLDER: Final = "lessons"
"""Folder of a title with its scripts and the logs from which they start."""
ORDER: Final = "order.toml"

Conditions = Mapping[str, Any]
"""Path in the learner's view -> test (`domain.lessons.conditions`)."""
Pattern = Mapping[str, Any]
"""Some fields of an action in its wire form."""


class Choice(Value, frozen=True):
    """Sensible actions: every one that matches the pattern. `answer` names the text shown after one of them."""

    action: dict[str, Any]
    answer: str = ""


class Line(Value, frozen=True):
    """A text for a position; the first line whose conditions hold applies.

    `offers`: patterns that must each match a legal action. `points`: parts of the table. Without `choices` every legal
    action is offered.
    """

    id: str
    when: dict[str, Any] = msgspec.field(default_factory=dict)
    offers: tuple[dict[str, Any], ...] = ()
    points: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()


class BotLine(Value, frozen=True):
    """The actions of a bot at a position, given its view."""

    when: dict[str, Any]
    choose: tuple[dict[str, Any], ...]


class Script(Value, frozen=True):
    """A lesson: a fork of an ended log of the package, for one learner.

    `tutorial`: a whole match; `task`: a position in which to reach `goal` before any of `missed` holds.
    """

    kind: Literal["tutorial", "task"]
    log: str
    at: int
    seat: int
    minutes: tuple[int, int]
    lines: tuple[Line, ...]
    bots: tuple[BotLine, ...] = ()
    goal: dict[str, Any] = msgspec.field(default_factory=dict)
    missed: tuple[dict[str, Any], ...] = ()


class Lesson(Value, frozen=True):
    """A script with its title and name."""

    title: str
    name: str
    script: Script

    @property
    def practice(self) -> str:
        """The value of a practice match's `practice` field."""
        return f"{self.title}/{self.name}"


def folder_of(title: str) -> Traversable:
    """Return the folder of a title's lessons."""
    return resources.files(f"domain.titles.{title}") / FOLDER


@cache
def lessons_of(title: str) -> Mapping[str, Lesson]:
    """Return the lessons of a title by name, in recommended order; empty if it has none or is unknown."""
    try:
        is_there = (folder_of(title) / ORDER).is_file()
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        return {}
    package = f"domain.titles.{title}"
    names: list[str] = convert_value(list[str], read_table(package, f"{FOLDER}/{ORDER}")["lessons"], ORDER, "lessons")
    return {name: Lesson(title, name, read_script(package, name)) for name in names}


def read_script(package: str, name: str) -> Script:
    """Read the script of a lesson."""
    file = f"{FOLDER}/{name}.toml"
    return convert_value(Script, read_table(package, file), file)


def find_lesson(title: str, name: str) -> Lesson:
    """Return the lesson of this name; raise `NoSuchLesson` if none."""
    lessons = lessons_of(title)
    if name not in lessons:
        raise NoSuchLesson(f"{title} has no lesson {name!r}; known: {', '.join(lessons) or 'none'}")
    return lessons[name]


def lesson_of(practice: str) -> Lesson | None:
    """Return the lesson of a practice match, or None if it practises something else."""
    title, _, name = practice.partition("/")
    return lessons_of(title).get(name) if name and title.isidentifier() else None


@cache
def load_log(title: str, log: str) -> LogFile:
    """Load an ended match from which lessons start."""
    return parse_log((folder_of(title) / f"{log}.jsonl").read_bytes())
