"""The study service for one caller, used by all routes and forms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Concatenate, ParamSpec
from uuid import UUID

from litestar.di import NamedDependency
from litestar.params import FromPath

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
from api.http.guards import Caller
from api.matches.service import MatchService
from api.studies import commands as reading
from api.studies.commands import FoundPlace
from api.studies.schemas import (
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
from domain.studies.commands import StudyStream
from domain.studies.errors import NotYourStudy
from domain.studies.facts import StudyPlace
from domain.studies.file import StudyFile, parse_study
from domain.studies.rules import Position
from domain.studies.state import Study
from projections import studies as projections_studies
from projections.matches import lobby
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page
from projections.platform.store import ReadStore

P = ParamSpec("P")


@dataclass(frozen=True)
class StudyService:
    """Studies, for one caller."""

    tables: MatchService
    accounts: AccountService
    caller: Caller

    @property
    def person(self) -> Actor:
        """The reading person; empty for visitors without an account."""
        return reading.person_of(self.caller)

    def names(self, study: Study) -> Names:
        """Return the names of everyone in the study."""
        return names_of(self.accounts, reading.people_in(study))

    def encode(self, stream: StudyStream) -> StudyShown:
        """Return a study for a response."""
        return reading.encode_study(stream, self.accounts, self.caller)

    async def list(
        self, match_id: UUID | None = None, *, own_only: bool = False, limit: int = LIMIT, before: int | None = None
    ) -> Page[StudyListed]:
        """Return public studies and the caller's, of a match or of all, last changed first.

        With `own_only`, only the caller's.
        """
        page = await self.tables.writer.read_model(
            projections_studies.studies,
            match_id=match_id,
            person=self.person,
            own_only=own_only,
            limit=limit,
            before=before,
        )
        rows = page.items
        roles = await self.tables.reading.roles()
        in_events = {grant.person for grant in roles.grants if grant.scope}
        match_ids = tuple(dict.fromkeys(row.match_id for row in rows if row.owner in in_events))
        return page.of(
            reading.encode_rows(
                rows, self.accounts, roles, await self.tables.writer.read_model(tournaments_of, match_ids)
            )
        )

    async def open(self, new_id: UUID, match_id: UUID, request: OpenStudy) -> StudyStream:
        """Open a study of a match by the caller, or return the existing study of that id.

        Raise `NotYourStudy` if the caller may not see the match, `StudyRefused` for a bad title, `StudyExists` for
        another's id.
        """
        title, visibility, by = request.title, request.visibility, self.caller.actor
        return await self.tables.writer.execute(
            commands.open_study, new_id, match_id, title=title, visibility=visibility, by=by, at=now()
        )

    def import_turn(self) -> AbstractAsyncContextManager[None]:
        """Return the caller's turn in the queue of imports, to read, examine and store a file in."""
        return self.tables.writer.imports.turn(self.caller.actor)

    async def parse(self, content: bytes) -> StudyFile:
        """Read a file; `LogFault` names its first bad line."""
        return await asyncio.to_thread(parse_study, content)

    async def check_import(self, file: StudyFile, new_id: UUID) -> Study | None:
        """Return the study in an importable file if it has rings or arrows."""
        return await self.tables.writer.compute(reading.check_import, file, new_id, self.caller, at=now())

    async def find_marked(self, study: Study, place: StudyPlace) -> tuple[Position, bool]:
        """Return the position at a place of such a study."""
        return await self.tables.writer.read_log(reading.find_marked, study, place)

    async def import_study(self, file: StudyFile, new_id: UUID) -> StudyStream:
        """Import a study from a file, and invite its collaborators, which counts against the limit of contacts.

        Each part of a large study is stored in a separate transaction. Raise the errors of `compose_import`, and
        `Blocked`, `OwnBlock` or 429.
        """
        commands = await self.tables.writer.compute(reading.compose_import, file, new_id, self.caller, at=now())
        invited = await self.tables.writer.read_log(reading.find_import_collaborators, file, self.caller)
        await self.accounts.count_contact(self.caller.person_id, invited)
        *_, stream = [await self.tables.writer.execute_composed(reading.store_part, command) for command in commands]
        return stream


def tournaments_of(store: ReadStore, matches: tuple[UUID, ...]) -> Mapping[UUID, str]:
    """Return the tournaments that matches belong to."""
    rows = ((match_id, lobby.get(store, match_id)) for match_id in matches)
    return {match_id: row.table.event_id for match_id, row in rows if row is not None}


@dataclass(frozen=True)
class StudyOfCaller:
    """The study in the path, for one caller; every method checks permissions first."""

    service: StudyService
    id: UUID

    def encode(self, stream: StudyStream) -> StudyShown:
        """Return the study for a response."""
        return self.service.encode(stream)

    async def read(self) -> StudyStream:
        """Return the study; raise as `read_study` if the caller may not read it, `NoSuchStream` if unknown.

        Raise also if they may not see its match.
        """
        stream = await self.service.tables.writer.read_log(reading.read_study, self.id, self.service.caller)
        await self.service.tables.reading.require_access(stream.state.match, self.service.caller)
        return stream

    async def require_writer(self) -> None:
        """Raise `NotYourStudy` if the caller may read the study but not write."""
        if not (await self.read()).state.may_write(self.service.person):
            raise NotYourStudy("only authors of the study can present it")

    async def comment(self, request: WriteComment) -> StudyStream:
        """Write a comment, or change one of the caller's."""
        return await self._write(reading.comment, request, at=now())

    async def remove_comment(self, number: int) -> StudyStream:
        """Remove a comment."""
        return await self._write(reading.remove_comment, number, at=now())

    async def mark(self, request: MarkPlace) -> StudyStream:
        """Replace the marks of a place."""
        return await self._write(reading.mark, request, at=now())

    async def play(self, request: PlayVariation) -> StudyStream:
        """Add or extend a variation; raise as `read` and `add_variation`."""
        await self.read()
        return await self.service.tables.writer.execute_composed(
            reading.compose_variation, self.id, self.service.caller, request
        )

    async def cut_variation(self, number: int, steps: int) -> StudyStream:
        """Cut a variation to its first steps, or remove it if `steps` is 0."""
        return await self._write(reading.cut_variation, number, steps, at=now())

    async def promote_variation(self, number: int) -> StudyStream:
        """Promote a variation before its siblings, or before the continuation of its parent."""
        return await self._write(reading.promote_variation, number, at=now())

    async def name_chapter(self, request: NameChapter) -> StudyStream:
        """Name, rename or remove a chapter."""
        return await self._write(reading.name_chapter, request, at=now())

    async def _write(
        self, command: Callable[Concatenate[Matches, UUID, Caller, P], StudyStream], *args: P.args, **kwargs: P.kwargs
    ) -> StudyStream:
        """Run a command that changes the study, after checking that the caller may read it; raise as `read`.

        Raise the errors of the command.
        """
        await self.read()
        return await self.service.tables.writer.execute(command, self.id, self.service.caller, *args, **kwargs)

    async def place(self, place: StudyPlace) -> FoundPlace:
        """Return a place of the study with its position; raise `StudyRefused` if it does not exist, or as `read`."""
        await self.read()
        return await self.service.tables.writer.read_log(reading.find_place, self.id, place, self.service.caller)

    async def change(self, request: ChangeStudy) -> StudyStream:
        """Change title, visibility and collaborators; new ones count against the caller's limit of contacts.

        Raise `NotYourStudy` or `StudyRefused` if not admitted, `NoSuchPerson`, and `Blocked`, `OwnBlock` or 429.
        """
        await self.read()
        facts = await asyncio.to_thread(reading.changes_of, request, self.service.caller, self.service.accounts)
        added = await self.service.tables.writer.read_log(reading.find_new_collaborators, self.id, facts)
        await self.service.accounts.count_contact(self.service.caller.person_id, added)
        return await self.service.tables.writer.execute(reading.change, self.id, facts, at=now())

    async def position(self, place: StudyPlace) -> VariationPosition:
        """Return the position at a place with every seat's view."""
        await self.read()
        return await self.service.tables.writer.read_log(reading.position, self.id, place, self.service.caller)

    async def file(self, *, with_log: bool) -> bytes:
        """Return the study as a file, optionally with the log of its match."""
        await self.read()
        return await self.service.tables.writer.read_log(reading.export, self.id, with_log, self.service.caller)

    async def report(self) -> str:
        """Return the study as a readable report in Markdown."""
        names = self.service.names((await self.read()).state)
        return await self.service.tables.writer.read_log(reading.render_study, self.id, names, self.service.caller)


def provide_studies(
    caller: NamedDependency[Caller], matches: NamedDependency[MatchService], accounts: NamedDependency[AccountService]
) -> StudyService:
    """Provide the study service for the caller."""
    return StudyService(matches, accounts, caller)


def provide_study(study_id: FromPath[UUID], studies: NamedDependency[StudyService]) -> StudyOfCaller:
    """Provide the study in the path."""
    return StudyOfCaller(studies, study_id)
