"""The service of friends: follows, presence and challenges."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.di import NamedDependency

from api.accounts.display_names import names_of
from api.accounts.service import AccountService
from api.friends.schemas import ChallengeShown, Company, EventInvitation, FollowedShown, FriendsShown
from api.friends.store import FRIENDS, Challenge, FriendStore
from api.http.guards import Caller
from api.http.identity import Person
from api.http.limits import LIMITS, Limits, rate_limit_error
from api.matches.invitations import INVITATIONS, Invitations
from api.matches.new_table import NewTable
from api.matches.responses import show_player
from api.matches.service import MatchService
from api.notifications.service import NOTIFICATIONS, NotificationService
from api.talk.state import TALK
from api.talk.store import TalkStore
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import NoSuchMatch, NotAllowed, NotOpen, NotSeated
from domain.matches.facts import Table
from projections import leagues
from projections.platform.clock import now
from projections.platform.paging import LIMIT
from projections.tournaments import listing


@dataclass(frozen=True)
class FriendService:
    """Friends, for one caller."""

    tables: MatchService
    accounts: AccountService
    friends: FriendStore
    talk: TalkStore
    invitations: Invitations
    notifications: NotificationService
    limits: Limits
    caller: Caller

    @property
    def person(self) -> Person:
        """The caller's person."""
        assert self.caller.person is not None, "the guard of every change has asked for one"
        return self.caller.person

    async def show(self) -> FriendsShown:
        """Return followed people, the number of followers, the own visibility, challenges and event invitations."""
        own_id = self.person.id
        followed = await asyncio.to_thread(self.friends.list_followed, own_id)
        present = await asyncio.to_thread(self.find_present, [other for other, _ in followed])
        challenges = await self.challenges()
        people = {other for other, _ in followed} | {
            person for each in challenges for person in (each.person, each.other)
        }
        names = await asyncio.to_thread(names_of, self.accounts, people)
        return FriendsShown(
            tuple(
                FollowedShown(show_player(other, names), is_friend, other in present) for other, is_friend in followed
            ),
            await asyncio.to_thread(self.friends.follower_count, own_id),
            await asyncio.to_thread(self.friends.is_visible, own_id),
            tuple(
                ChallengeShown(
                    each.match_id, show_player(each.person, names), show_player(each.other, names), each.created
                )
                for each in challenges
            ),
            await self.event_invitations(),
        )

    async def event_invitations(self) -> tuple[EventInvitation, ...]:
        """Return the events to which the caller has an open invitation: tournaments, then leagues."""
        own_id = self.person.id
        tournaments = await self.tables.writer.read_model(listing.invitations_of, own_id)
        seasons = await self.tables.writer.read_model(leagues.invitations_of, own_id)
        return (
            *(EventInvitation("tournament", each.event_id, each.name) for each in tournaments),
            *(EventInvitation("league", each.league_id, each.name) for each in seasons),
        )

    async def relation_to(self, other: str) -> Company | None:
        """Return the relation of the caller to another person, with the caller's open tables (not the other's).

        None for visitors without an account, and for oneself.
        """
        if self.caller.person is None or other == self.person.id:
            return None
        own_id = self.person.id
        is_followed = await asyncio.to_thread(self.friends.follows, own_id, other)
        follows_back = await asyncio.to_thread(self.friends.follows, other, own_id)
        present = await asyncio.to_thread(self.find_present, [other])
        tables = (await self.tables.lists.lobby_of(own_id, LIMIT, None)).matches
        return Company(
            is_followed,
            is_followed and follows_back,
            other in present,
            tuple(each for each in tables if each.status == "open"),
        )

    def find_present(self, people: Sequence[str]) -> frozenset[str]:
        """Return the people who are present, visible, and do not block the caller."""
        found = self.friends.find_present(people, now())
        return frozenset(found) - self.talk.blockers(self.person.id) if found else frozenset()

    async def find_person(self, name: str) -> Person:
        """Return another person by id or name; raise `NoSuchPerson` if unknown, `NotAllowed` for the caller.

        Raise `Blocked` if blocked by them.
        """
        other = await asyncio.to_thread(self.accounts.get_by_id_or_name, name)
        if other.id == self.person.id:
            raise NotAllowed("you cannot follow yourself")
        await self.accounts.require_unblocked(self.person.id, [other.id])
        return other

    async def follow(self, name: str) -> None:
        """Follow a person by id or name; repeating changes nothing.

        Raise `NotAllowed` for oneself or above `FOLLOWED_MAX`, `Blocked` if blocked by them.
        """
        other = await self.find_person(name)
        await asyncio.to_thread(self.friends.follow, self.person.id, other.id, now())

    async def unfollow(self, name: str) -> None:
        """Stop following a person."""
        other = self.accounts.get_by_id_or_name(name)
        await asyncio.to_thread(self.friends.unfollow, self.person.id, other.id)

    async def set_visible(self, *, visible: bool) -> None:
        """Show or hide the caller's presence."""
        if visible:
            await asyncio.to_thread(self.friends.show_presence, self.person.id, now())
        else:
            await asyncio.to_thread(self.friends.hide_presence, self.person.id)

    async def challenges(self) -> tuple[Challenge, ...]:
        """Return the challenges whose table is open and whose recipient has no seat yet."""
        received = await asyncio.to_thread(self.friends.challenges, self.person.id, now())
        return tuple([each for each in received if await self.is_waiting(each)])

    async def is_waiting(self, challenge: Challenge) -> bool:
        """Return whether the table of a challenge is open and its recipient has no seat; False if the table is gone."""
        try:
            match = await self.tables.reading.get_current(challenge.match_id)
        except NoSuchMatch:
            return False
        return match.status == "open" and seat_of(match, challenge.other) is None

    async def challenge(self, match_id: UUID, name: str) -> None:
        """Challenge a person to an open table of the caller; for a private table, also invite them.

        Counts against the limit of challenges (429). Raise `NotAllowed`, `Blocked`, `OwnBlock`, `NotSeated` or
        `NotOpen`.
        """
        await self._count_challenge(name)
        await self._challenge(match_id, name)

    async def _count_challenge(self, name: str) -> None:
        """Count a challenge before opening anything, because each sends mail and push messages.

        Raise 429 for too many challenges or contacts, `OwnBlock` for a person blocked by the caller, or the errors of
        `find_person`.
        """
        other = await self.find_person(name)
        await self.accounts.count_contact(self.person.id, [other.id], kind="challenge")
        if (wait_seconds := await self.limits.spend("challenge", self.person.id)) is not None:
            raise rate_limit_error(f"too many challenges in an hour; retry in {wait_seconds} s", wait_seconds)

    async def _challenge(self, match_id: UUID, name: str) -> None:
        """Challenge a person to an open table, invite them if it is private, and notify them.

        Raise `NotSeated` unless the caller sits at it or has opened it, `NotOpen` if it has started, `NotAllowed` for
        too many challenges, or the errors of `find_person`.
        """
        other, match = await self.find_person(name), await self.tables.reading.get(match_id)
        if self.person.id != match.opened_by and seat_of(match, self.person.id) is None:
            raise NotSeated(f"only players and the creator of match {match_id} can challenge someone to it")
        if match.status != "open":
            raise NotOpen(f"match {match_id} is not waiting for players")
        # The challenge may be rejected, so it comes before the invitation that shows a private table.
        await asyncio.to_thread(self.friends.challenge, match_id, self.person.id, other.id, now())
        if not match.table.public:
            await asyncio.to_thread(self.invitations.invite_people, match_id, self.person.id, [other.id], now())
        fact = f"challenge-{match_id}"
        await self.notifications.notify("invitation", [other.id], fact, f"/tables/{match_id}", "table")

    async def challenge_anew(self, new_id: UUID, title: str, name: str) -> Match:
        """Open a private unrated table for two and challenge a person to it; counts against the limit of challenges.

        Raise 429 at the limit, `NotAllowed` for too many challenges, `OwnBlock`, the errors of `find_person`, or of a
        title that two cannot play; no table is opened then.
        """
        await self._count_challenge(name)
        other = await self.find_person(name)
        new_table = NewTable(title, (None,), {}, Table(public=False))
        new_table.check(self.tables.titles)
        # Before the table opens: a refused challenge would leave it empty.
        await asyncio.to_thread(self.friends.require_room, self.person.id, now())
        match = await self.tables.seating.set_up(new_id, new_table, self.caller)
        await self._challenge(match.id, other.id)
        return match

    async def drop_challenge(self, match_id: UUID) -> None:
        """Decline a challenge, or withdraw one of the caller's."""
        await asyncio.to_thread(self.friends.drop_challenge, match_id, self.person.id)


def provide_friends(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    matches: NamedDependency[MatchService],
    accounts: NamedDependency[AccountService],
) -> FriendService:
    """Provide the service for the caller."""
    return FriendService(
        matches,
        accounts,
        FRIENDS.of(request),
        TALK.of(request).store,
        INVITATIONS.of(request),
        NOTIFICATIONS.of(request),
        LIMITS.of(request),
        caller,
    )
