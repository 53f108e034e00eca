"""What a lesson is: where its practice match begins, what is said at which position, what may be chosen there."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal

import msgspec

from domain.kernel.component_data import plain, read_table
from domain.kernel.values import Value
from domain.lessons.errors import NoSuchLesson
from domain.matches.log.file import LogFile, parse_log

FOLDER: Final = "lessons"
"""Where a title keeps its scripts, beside its rules; the logs they begin in stand there too."""
ORDER: Final = "order.toml"

Conditions = Mapping[str, Any]
"""Place in the learner's view -> what must stand there (`domain.lessons.positions`)."""
Pattern = Mapping[str, Any]
"""Some fields of an action in its wire form."""


class Choice(Value, frozen=True):
    """Sensible actions: all that agree with the pattern. `answer` names what is said when one of them was taken."""

    action: dict[str, Any]
    answer: str = ""


class Line(Value, frozen=True):
    """What is said at a position: the first line whose conditions hold is the one that counts.

    `offers`: patterns each of which some legal action agrees with. `points`: parts of the table. Without `choices`
    everything may be chosen.
    """

    id: str
    when: dict[str, Any] = msgspec.field(default_factory=dict)
    offers: tuple[dict[str, Any], ...] = ()
    points: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()


class BotLine(Value, frozen=True):
    """What a bot is left to choose from at a position, as its own view tells it."""

    when: dict[str, Any]
    choose: tuple[dict[str, Any], ...]


class Script(Value, frozen=True):
    """A lesson: a fork of an ended log of the package, for one learner. `tutorial`: a whole match; `task`: a position
    in which `goal` is to be reached before one of `missed` comes true."""

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
    """A script under the name it has in its title."""

    title: str
    name: str
    script: Script

    @property
    def practice(self) -> str:
        """What a practice match of it says it is for."""
        return f"{self.title}/{self.name}"


def folder_of(title: str) -> Traversable:
    return resources.files(f"domain.titles.{title}") / FOLDER


@cache
def lessons_of(title: str) -> Mapping[str, Lesson]:
    """The lessons a title has, in the order in which they are best taken; none where it has no scripts."""
    try:
        is_there = (folder_of(title) / ORDER).is_file()
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        return {}
    package = f"domain.titles.{title}"
    names: list[str] = plain(list[str], read_table(package, f"{FOLDER}/{ORDER}")["lessons"], ORDER, "lessons")
    return {name: Lesson(title, name, read_script(package, name)) for name in names}


def read_script(package: str, name: str) -> Script:
    file = f"{FOLDER}/{name}.toml"
    return plain(Script, read_table(package, file), file)


def find_lesson(title: str, name: str) -> Lesson:
    """The lesson of this name."""
    known = lessons_of(title)
    if name not in known:
        raise NoSuchLesson(f"{title} has no lesson {name!r}; there are: {', '.join(known) or 'none'}")
    return known[name]


def lesson_of(practice: str) -> Lesson | None:
    """The lesson a practice match is for; `None` where it is for something else."""
    title, _, name = practice.partition("/")
    return lessons_of(title).get(name) if name and title.isidentifier() else None


@cache
def load_log(title: str, log: str) -> LogFile:
    """The ended match that lessons begin in."""
    return parse_log((folder_of(title) / f"{log}.jsonl").read_bytes())
