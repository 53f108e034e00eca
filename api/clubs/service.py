"""The service of clubs for one caller, used by all routes and pages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.club_profiles import ClubProfile
from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.clubs import commands as reading
from api.clubs.responses import load_events_shown, people_shown, show_club, show_members, show_row
from api.clubs.schemas import ClubEventShown, ClubListed, ClubShown, FoundClub, MemberShown, OwnClub, OwnClubTexts
from api.clubs.store import CLUB_TEXTS, ClubTexts
from api.http.cursors import decode_cursor, encode_cursor
from api.http.guards import Caller
from api.http.identity import Person
from api.matches.service import MatchService
from domain.clubs import commands
from domain.clubs.errors import ClubRefused
from domain.clubs.facts import ClubFounded, EventKind
from domain.clubs.state import Club, Standing
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from projections import clubs
from projections.platform.clock import now
from projections.platform.paging import LIMIT, Page

CLUBS_MAX: Final = 50
"""Maximum number of clubs of a person."""
CURSOR: Final = "clubs"


@dataclass(frozen=True)
class ClubService:
    """Clubs, for one caller."""

    tables: MatchService
    accounts: AccountService
    texts: ClubTexts
    caller: Caller

    @property
    def person(self) -> Person:
        """The caller's person."""
        assert self.caller.person is not None, "the guard lets nobody else in"
        return self.caller.person

    async def list(
        self, part: str = "", limit: int = LIMIT, before: str | None = None
    ) -> tuple[tuple[ClubListed, ...], str | None]:
        """Return open clubs with a part of the name, by name, and the cursor of the next page."""
        position = decode_cursor(CURSOR, tuple[str], before)
        after = "" if position is None else position[0]
        found, last = await asyncio.to_thread(self.accounts.clubs.search, part, limit, after)
        rows = await self.tables.writer.read_model(clubs.rows_of, [each.id for each in found])
        listed = [show_row(each, rows[each.id]) for each in found if each.id in rows and rows[each.id].is_open]
        return tuple(listed), encode_cursor(CURSOR, None if last is None else (last,))

    async def clubs_of(self, person: Actor) -> tuple[OwnClub, ...]:
        """Return the clubs of a person with the role there, the longest membership first."""
        found = await self.tables.writer.read_model(clubs.clubs_of, person, CLUBS_MAX)
        return await self._show_own(found)

    async def own(self) -> tuple[OwnClub, ...]:
        """Return the clubs of the caller, then invitations, then open requests."""
        read, own_id = self.tables.writer.read_model, self.person.id
        invited = await read(clubs.invitations_of, own_id)
        asked = await read(clubs.requests_of, own_id)
        waiting: list[tuple[UUID, Standing]] = [(each, "invited") for each in invited]
        return await self.clubs_of(own_id) + await self._show_own([*waiting, *((each, "asked") for each in asked)])

    async def invitations(self) -> tuple[OwnClub, ...]:
        """Return the clubs to which the caller has an open invitation."""
        found = await self.tables.writer.read_model(clubs.invitations_of, self.person.id)
        return await self._show_own([(each, "invited") for each in found])

    async def export(self) -> OwnClubTexts:
        """Return the clubs of the caller, and the texts about the caller there."""
        messages = await asyncio.to_thread(self.texts.messages_of, self.person.id)
        removals = await asyncio.to_thread(self.texts.reasons_of, self.person.id)
        return OwnClubTexts(await self.own(), dict(messages), dict(removals))

    async def _show_own(self, found: Sequence[tuple[UUID, Standing]]) -> tuple[OwnClub, ...]:
        """Return clubs of a person with their names."""
        names = await asyncio.to_thread(self.accounts.clubs.names, [club_id for club_id, _ in found])
        return tuple(OwnClub(club_id, names[club_id], standing) for club_id, standing in found if club_id in names)

    async def require_room(self) -> None:
        """Raise `ClubRefused` for guests and bot accounts, and for people in `CLUBS_MAX` clubs."""
        require_account(self.person)
        found = await self.tables.writer.read_model(clubs.clubs_of, self.person.id, CLUBS_MAX)
        if len(found) >= CLUBS_MAX:
            raise ClubRefused(f"a person can be a member of at most {CLUBS_MAX} clubs")

    async def found(self, new_id: UUID, request: FoundClub) -> Stream[Club]:
        """Found a club of the caller, or return the existing club of that id.

        Raise `ClubRefused` as `require_room`, `ClubNameBlank` or `ClubNameTaken` for the name.
        """
        await self.require_room()
        profile = ClubProfile(new_id, request.name, request.about)
        is_new = await asyncio.to_thread(self.accounts.clubs.write, profile)
        fact = ClubFounded(self.person.id, request.admission)
        try:
            return await self.tables.writer.execute(commands.found_club, new_id, fact, at=now())
        except BaseException:
            if is_new:
                await asyncio.to_thread(self.accounts.clubs.forget, new_id)
            raise

    async def find(self, club_id: UUID) -> Stream[Club]:
        """Return a club; raise `NoSuchStream` if it is unknown."""
        return await self.tables.writer.read_log(reading.read_club, club_id)

    async def show(self, stream: Stream[Club]) -> ClubShown:
        """Return a club for the caller; organisers and operators also see requests and invitations."""
        club, person = stream.state, self.caller.person_id
        profiles = await asyncio.to_thread(self.accounts.clubs.with_ids, [club.id])
        profile = profiles.get(club.id) or ClubProfile(club.id, str(club.id))
        is_organiser = self.may_administer(club)
        messages = await asyncio.to_thread(self.texts.messages, club.id) if is_organiser else None
        reasons = await asyncio.to_thread(self.texts.reasons_of, person) if person in club.removed else ()
        removal = next((each.text for each in reasons if each.club == club.id), "")
        people = people_shown(club, to_organiser=is_organiser)
        names = await asyncio.to_thread(names_of, self.accounts, people)
        return show_club(stream, profile, names, person, messages, removal)

    def may_administer(self, club: Club) -> bool:
        """Return whether the caller is an organiser or the owner of the club, or an operator of the service."""
        return self.caller.is_operator or club.organises(self.caller.person_id)

    async def find_person(self, name: str) -> Person:
        """Return an account by id or name; raise `NoSuchPerson` if unknown, `ClubRefused` for guests and bots."""
        person = await asyncio.to_thread(self.accounts.get_by_id_or_name, name)
        require_account(person)
        return person

    async def members(self, club: Club, limit: int, before: int | None) -> Page[MemberShown]:
        """Return a page of the members, latest first."""
        page = await self.tables.writer.read_model(clubs.members_of, club.id, limit, before)
        names = await asyncio.to_thread(names_of, self.accounts, [row.person for row in page.items])
        return page.of(show_members(club, page.items, names))

    async def events(
        self, club_id: UUID, kind: EventKind, limit: int = LIMIT, before: int | None = None
    ) -> Page[ClubEventShown]:
        """Return a page of the tournaments or leagues of a club, latest first."""
        page = await self.tables.writer.read_model(clubs.events_of, club_id, kind, limit, before)
        return page.of(await self.tables.writer.read_model(load_events_shown, kind, page.items))


def require_account(person: Person) -> None:
    """Raise `ClubRefused` for a guest or a bot account."""
    if person.is_guest:
        raise ClubRefused("a guest cannot be a member of a club; sign up first")
    if person.is_bot:
        raise ClubRefused("a bot account cannot be a member of a club")


def provide_clubs(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> ClubService:
    """Provide the service for the caller."""
    return ClubService(matches, accounts, CLUB_TEXTS.of(request), caller)
