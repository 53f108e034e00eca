"""The lesson service: practice matches and progress."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from api.http.guards import Caller
from api.http.ids import Ids
from api.lessons import commands, guidance
from api.lessons.schemas import LessonOffered, LessonSaid
from api.lessons.texts import texts_of
from api.matches import commands as match_commands
from api.matches.bots import bot_actor, default_bot
from api.matches.service import MatchService
from domain.eventstore.log_files import add_log
from domain.kernel.title import AnyTitle
from domain.lessons.script import Lesson, lessons_of, load_log
from domain.matches.aggregate import Match
from domain.matches.errors import UnknownActor
from domain.matches.facts import SERVICE, Actor
from projections import lessons as learnt
from projections.lessons import PracticeProgress
from projections.platform.clock import now

GENTLE = "gentle"
"""The bot that plays against learners."""


class LessonService:
    """The service of lessons."""

    def __init__(self, matches: MatchService, ids: Ids) -> None:
        self._matches = matches
        self._ids = ids

    async def begin(self, lesson: Lesson, learner: Actor, given_up: UUID | None = None) -> Match:
        """Return the learner's current practice match of a lesson, or start one; `given_up` is not continued."""
        parent_id = await self.add_log(lesson)
        return await self._matches.writer.execute(
            commands.begin_lesson,
            lesson,
            parent_id,
            learner,
            self.bot_for(self._matches.titles[lesson.title]),
            partial(self._ids.lesson, learner, lesson.practice),
            given_up=given_up,
            at=now(),
        )

    async def practise(
        self, parent_id: UUID, entry: int, seat: int, learner: Actor, practice: str, new_id: UUID
    ) -> Match:
        """Fork a private, unrated, unlisted practice match from an entry of an ended match, with bots on other seats.

        `practice` names its purpose; the same `new_id` returns the same match. Raise the errors of `fork_match`.
        """
        parent = await self._matches.reading.get(parent_id)
        return await self._matches.writer.execute(
            commands.practise,
            parent_id,
            entry=entry,
            seat=seat,
            learner=learner,
            bot=self.bot_for(parent.definition),
            practice=practice,
            new_id=new_id,
            at=now(),
        )

    async def add_log(self, lesson: Lesson) -> UUID:
        """Import the ended match that a lesson starts from, unless it exists, and return its id."""
        log = load_log(lesson.title, lesson.script.log)
        match_id = log.header.match
        if not await self._matches.writer.read_log(lambda matches: matches.lines.has(match_id)):
            audited_log = await self._matches.writer.compute(match_commands.examine, log, at=now())
            await self._matches.writer.execute(add_log, audited_log, by=SERVICE, at=now())
        return match_id

    async def load_guidance(self, match_id: UUID, caller: Caller) -> LessonSaid:
        """Return the guidance for the learner of a practice match."""
        return await self._matches.writer.read_log(guidance.load_guidance, match_id, caller)

    def bot_for(self, title: AnyTitle) -> Actor:
        """Return the gentle bot if this service has it, else the title's default bot; `BotCannotPlay` if none."""
        try:
            return bot_actor(self._matches.bots, GENTLE)
        except UnknownActor:
            return default_bot(self._matches.bots, title)

    async def list_lessons(self, learner: Actor | None, language: str) -> Mapping[str, tuple[LessonOffered, ...]]:
        """Return the lessons by title, with the learner's progress; titles without lessons are left out."""
        progress = await self._matches.writer.read_model(learnt.list_practices, learner) if learner else {}
        return {
            title: tuple(encode_lesson(lesson, progress.get(lesson.practice), language) for lesson in lessons.values())
            for title in self._matches.titles
            if (lessons := lessons_of(title))
        }


def encode_lesson(lesson: Lesson, practised: PracticeProgress | None, language: str) -> LessonOffered:
    """Convert a lesson with the learner's progress."""
    texts = texts_of(lesson, language)
    return LessonOffered(
        lesson.title,
        lesson.name,
        texts.title,
        texts.about,
        lesson.script.kind == "task",
        lesson.script.minutes,
        practised.standing if practised else None,
        practised is not None and practised.is_done,
    )
