"""The service of studies for one caller; routes and forms use nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Concatenate, ParamSpec
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.naming import Names, names_of
from api.accounts.service import AccountService
from api.http.clock import now
from api.http.guards import Caller
from api.matches.service import MatchService
from api.studies import commands as reading
from api.studies.commands import FoundPlace
from api.studies.wire import (
    ChangeStudy,
    MarkPlace,
    NameChapter,
    OpenStudy,
    PlayVariation,
    StudyListed,
    StudyShown,
    VariationPosition,
    WriteComment,
)
from domain.eventstore.application import Matches
from domain.matches.facts import Actor
from domain.studies import commands
from domain.studies.commands import Kept
from domain.studies.errors import NotYourStudy
from domain.studies.file import StudyFile, parse_study
from domain.studies.rules import Position
from domain.studies.state import Study, StudyPlace
from projections import studies as projections_studies
from projections.matches import lobby
from projections.platform.paging import LIMIT, Page
from projections.platform.store import ReadStore

P = ParamSpec("P")


@dataclass(frozen=True)
class StudyService:
    """All studies, for one caller."""

    tables: MatchService
    accounts: AccountService
    caller: Caller

    @property
    def person(self) -> Actor:
        """Who reads; nobody has no studies."""
        return reading.person_of(self.caller)

    def names(self, study: Study) -> Names:
        """What those who have a part in the study are called."""
        return names_of(self.accounts, reading.people_in(study))

    def encode(self, kept: Kept) -> StudyShown:
        return reading.encode_study(kept, self.accounts, self.caller)

    async def list(
        self, match_id: UUID | None = None, *, mine: bool = False, limit: int = LIMIT, before: int | None = None
    ) -> Page[StudyListed]:
        """Public studies and the caller's own: of a match or of all, the last changed first."""
        page = await self.tables.writer.read_model(
            projections_studies.studies, match_id=match_id, person=self.person, mine=mine, limit=limit, before=before
        )
        rows = page.items
        known = await self.tables.reading.roles()
        in_events = {grant.person for grant in known.grants if grant.scope}
        wanted = tuple(dict.fromkeys(row.match_id for row in rows if row.owner in in_events))
        return page.of(
            reading.encode_rows(rows, self.accounts, known, await self.tables.writer.read_model(tournaments_of, wanted))
        )

    async def open(self, new_id: UUID, match_id: UUID, wanted: OpenStudy) -> Kept:
        """A new study of a match, or the one that is there under that id."""
        title, visibility, by = wanted.title, wanted.visibility, self.caller.actor
        return await self.tables.writer.execute(
            commands.open_study, new_id, match_id, title=title, visibility=visibility, by=by, at=now()
        )

    def importing(self) -> AbstractAsyncContextManager[None]:
        """Return the caller's turn in the queue of imports, to read, examine and store a file in."""
        return self.tables.writer.imports.turn(self.caller.actor)

    async def parse(self, content: bytes) -> StudyFile:
        """Read a file; `LogFault` names its first bad line."""
        return await asyncio.to_thread(parse_study, content)

    async def examine(self, file: StudyFile, new_id: UUID) -> Study | None:
        """The study of a file, where it has rings or arrows and could come in."""
        return await self.tables.writer.examine(reading.examine, file, new_id, self.caller, at=now())

    async def find_marked(self, study: Study, place: StudyPlace) -> tuple[Position, bool]:
        """The position of a place of such a study."""
        return await self.tables.writer.read_log(reading.find_marked, study, place)

    async def bring(self, file: StudyFile, new_id: UUID) -> Kept:
        """Bring a study from a file, and invite the collaborators that it keeps."""
        parts = await self.tables.writer.examine(reading.import_, file, new_id, self.caller, at=now())
        invited = await self.tables.writer.read_log(reading.invited_by, file, self.caller)
        await self.accounts.approach(self.caller.person_id, invited)
        *_, kept = [await self.tables.writer.execute_beside(reading.store_part, part) for part in parts]
        return kept


def tournaments_of(store: ReadStore, matches: tuple[UUID, ...]) -> Mapping[UUID, str]:
    """The tournaments that matches belong to."""
    rows = ((match_id, lobby.get(store, match_id)) for match_id in matches)
    return {match_id: row.table.event_id for match_id, row in rows if row is not None}


@dataclass(frozen=True)
class StudyOfCaller:
    """The study of an address, for one caller: every question and every change asks first whether they may."""

    door: StudyService
    id: UUID

    def encode(self, kept: Kept) -> StudyShown:
        return self.door.encode(kept)

    async def read(self) -> Kept:
        """The study, if the caller may read it and look at its match."""
        kept = await self.door.tables.writer.read_log(reading.read, self.id, self.door.caller)
        await self.door.tables.reading.require_sight(kept.state.match, self.door.caller)
        return kept

    async def require_writer(self) -> None:
        """Refuses who may read the study, but not write into it."""
        if not (await self.read()).state.may_write(self.door.person):
            raise NotYourStudy("the study is presented by its writers")

    async def comment(self, wanted: WriteComment) -> Kept:
        """A comment, or one of the caller's in other words."""
        return await self._write(reading.comment, wanted, at=now())

    async def remove_comment(self, number: int) -> Kept:
        return await self._write(reading.remove_comment, number, at=now())

    async def mark(self, wanted: MarkPlace) -> Kept:
        """The marks of a place, in the stead of those it had."""
        return await self._write(reading.mark, wanted, at=now())

    async def play(self, wanted: PlayVariation) -> Kept:
        """A line of play from a place."""
        await self.read()
        return await self.door.tables.writer.execute_beside(reading.play, self.id, self.door.caller, wanted)

    async def cut_variation(self, number: int, steps: int) -> Kept:
        """Only the first steps stay."""
        return await self._write(reading.cut_variation, number, steps, at=now())

    async def promote_variation(self, number: int) -> Kept:
        """It comes before the others, or before what its own variation goes on with."""
        return await self._write(reading.promote_variation, number, at=now())

    async def name_chapter(self, wanted: NameChapter) -> Kept:
        """A chapter begins at an entry, or none any more."""
        return await self._write(reading.name_chapter, wanted, at=now())

    async def _write(
        self, command: Callable[Concatenate[Matches, UUID, Caller, P], Kept], *args: P.args, **kwargs: P.kwargs
    ) -> Kept:
        await self.read()
        return await self.door.tables.writer.execute(command, self.id, self.door.caller, *args, **kwargs)

    async def place(self, place: StudyPlace) -> FoundPlace:
        """The study, and the position of one of its places."""
        await self.read()
        return await self.door.tables.writer.read_log(reading.find_place, self.id, place, self.door.caller)

    async def change(self, wanted: ChangeStudy) -> Kept:
        """Another title, other readers, other writers."""
        await self.read()
        facts = await asyncio.to_thread(reading.changes_of, wanted, self.door.caller, self.door.accounts)
        added = await self.door.tables.writer.read_log(reading.added_by, self.id, facts)
        await self.door.accounts.approach(self.door.caller.person_id, added)
        return await self.door.tables.writer.execute(reading.change, self.id, facts, at=now())

    async def position(self, place: StudyPlace) -> VariationPosition:
        await self.read()
        return await self.door.tables.writer.read_log(reading.position, self.id, place, self.door.caller)

    async def file(self, *, with_log: bool) -> bytes:
        await self.read()
        return await self.door.tables.writer.read_log(reading.export, self.id, with_log, self.door.caller)

    async def report(self) -> str:
        """The study as a readable report in Markdown."""
        names = self.door.names((await self.read()).state)
        return await self.door.tables.writer.read_log(reading.render_study, self.id, names, self.door.caller)


def provide_studies(
    caller: NamedDependency[Caller], matches: NamedDependency[MatchService], accounts: NamedDependency[AccountService]
) -> StudyService:
    return StudyService(matches, accounts, caller)


def provide_study(study_id: FromPath[UUID], studies: NamedDependency[StudyService]) -> StudyOfCaller:
    """The study of the address."""
    return StudyOfCaller(studies, study_id)
