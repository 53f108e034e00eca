"""Everything the house has of a person beside the logs: what the account's holder takes along, as JSON or as a ZIP."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from litestar import Request
from litestar.di import NamedDependency

from api.accounts.access import Session, Token
from api.accounts.coming_in import WaysIn
from api.accounts.provider import ProviderService
from api.accounts.service import AccountService
from api.accounts.ways import LinkedIdentity, Passkey
from api.accounts.wire import Account
from api.friends.service import FriendService, provide_friends
from api.friends.wire import FriendsShown
from api.http.clock import now
from api.http.guards import Caller
from api.http.identity import Person
from api.http.preferences import Preferences, read_word
from api.http.wire import Wire
from api.keys.service import KeyService, provide_keys
from api.keys.wire import KeyShown
from api.matches.service import MatchService
from api.notifications.service import NOTIFICATIONS, NotificationService
from api.notifications.wire import NotificationsShown
from api.puzzles.scores import PUZZLE_SCORES, PuzzleScores
from api.quick.pairing import PAIRING
from api.quick.store import Place, PoolStore
from api.ratings.service import moved_shown
from api.ratings.wire import MovedShown
from api.talk.service import TalkService, provide_talk
from api.talk.store import Message
from api.talk.wire import BoundaryShown
from api.tournaments.photo_store import KeptPhoto, PhotoStore
from api.tournaments.photos import PHOTOS
from domain.talk import RoomKind
from domain.tournaments.exchange import csv_of
from projections import leagues, studies
from projections.looks import looks_at
from projections.matches import habits, lobby
from projections.matches.habits import Habit
from projections.platform.paging import LIMIT_MAX, Page
from projections.platform.store import ReadStore
from projections.ratings import rankings
from projections.tournaments import listing

Item = TypeVar("Item")

PAGES_MAX: Final = 200
"""So many pages of each list are taken along: twenty thousand matches."""
INDENT: Final = 2
ZIP: Final = "application/zip"


class OwnMatch(Wire, frozen=True):
    """A match somebody sits in or began; the log itself stands at `/api/matches/{id}/log`."""

    match_id: UUID
    title: str
    status: str
    opened_at: str
    seat: int | None
    place: int | None
    score: int | None


class OwnLocalGuest(Wire, frozen=True):
    """What somebody calls a player at a table of their own on one device."""

    match_id: UUID
    name: str


class OwnThing(Wire, frozen=True):
    """A study, a tournament or a league."""

    id: UUID
    name: str


class OwnMessage(Wire, frozen=True):
    """Something somebody has said: words, or a ready sentence by its name."""

    id: str
    kind: RoomKind
    about: UUID
    words: str
    phrase: str
    at: datetime


class OwnReport(Wire, frozen=True):
    """A message of somebody else that was reported to the officials, and why."""

    message: str
    reason: str
    at: datetime


class OwnPhoto(Wire, frozen=True):
    """A photo of a table of an event that somebody has added."""

    photo: UUID
    event: UUID
    round: int
    table: int
    caption: str
    seen: str
    at: datetime


class OwnLook(Wire, frozen=True):
    """A look of an arbiter at figures of the account: when, by which role, in which event or at which match."""

    at: datetime
    role: str
    event: str
    match_id: UUID | None


class OwnPuzzles(Wire, frozen=True):
    """The rating at puzzles, and which of them were solved at the first answer."""

    rating: int
    answered: int
    solved: int
    answers: dict[str, bool]


class OwnPlace(Wire, frozen=True):
    """Where somebody waits in quick pairing, and how strong they are there; the table, once they were paired."""

    pool: str
    strength: int
    own_luck: bool
    since: datetime
    kept_until: datetime
    match_id: UUID | None


class Played(Wire, frozen=True, kw_only=True):
    """What the read models have of somebody."""

    matches: tuple[OwnMatch, ...]
    ratings: tuple[MovedShown, ...]
    habits: tuple[Habit, ...]
    studies: tuple[OwnThing, ...]
    tournaments: tuple[OwnThing, ...]
    leagues: tuple[OwnThing, ...]


class Everything(Played, frozen=True, kw_only=True):
    """All of it, in no other form than the pages and the API have it; secrets and passwords are in nothing."""

    account: Account
    role: str
    guest: bool
    preferences: Preferences
    sessions: tuple[Session, ...]
    tokens: tuple[Token, ...]
    passkeys: tuple[Passkey, ...]
    identities: tuple[LinkedIdentity, ...]
    keys: tuple[KeyShown, ...]
    notifications: NotificationsShown
    messages: tuple[OwnMessage, ...]
    reports: tuple[OwnReport, ...]
    boundaries: tuple[BoundaryShown, ...]
    friends: FriendsShown
    puzzles: OwnPuzzles
    local_guests: tuple[OwnLocalGuest, ...]
    quick_pairing: OwnPlace | None
    photos: tuple[OwnPhoto, ...]
    figures_read: tuple[OwnLook, ...]
    """Looks of arbiters at figures of the account."""


@dataclass(frozen=True)
class Belongings:
    """What the service has of one caller, wherever it stands."""

    person: Person
    accounts: AccountService
    ways: WaysIn
    provider: ProviderService
    tables: MatchService
    keys: KeyService
    notifications: NotificationService
    talk: TalkService
    friends: FriendService
    puzzles: PuzzleScores
    pools: PoolStore
    photos: PhotoStore

    async def gather(self) -> Everything:
        """Everything, as it stands now."""
        person = self.person
        played, kept = await self.tables.writer.read_model(played_by, person.id), await asyncio.to_thread(self._kept)
        looks = await self.tables.writer.read_model(looks_at, person.id, now())
        return Everything(
            **msgspec.structs.asdict(played),
            **kept,
            account=Account(person.id, person.name),
            role=person.role,
            guest=person.is_guest,
            preferences=read_word(person.preferences or ""),
            keys=(await self.keys.known()).keys,
            notifications=await self.notifications.show(person),
            friends=await self.friends.show(),
            figures_read=tuple(OwnLook(each.at, each.role, each.event, each.match_id) for each in looks),
        )

    def _kept(self) -> dict[str, Any]:
        """What stands in the store of people alone."""
        person, said = self.person, self.talk.talk.store
        score, answers = self.puzzles.of(person.id), self.puzzles.answers(person.id)
        return {
            "sessions": all_of(lambda before: self.accounts.sessions(person, LIMIT_MAX, before)),
            "tokens": all_of(lambda before: self.accounts.tokens(person, LIMIT_MAX, before)),
            "passkeys": self.ways.passkeys(person),
            "identities": self.provider.identities(person),
            "messages": tuple(map(own_message, all_of(lambda before: said.said_by(person.id, LIMIT_MAX, before)))),
            "reports": tuple(OwnReport(each.message, each.reason, each.created) for each in said.reports_by(person.id)),
            "boundaries": self.talk.boundaries(),
            "local_guests": tuple(OwnLocalGuest(each.match_id, each.name) for each in self.accounts.locals_of(person)),
            "photos": tuple(map(own_photo, self.photos.of_person(person.id))),
            "puzzles": OwnPuzzles(score.rating, score.answered, score.solved, dict(answers)),
            "quick_pairing": own_place(self.pools.place(person.id)),
        }


def own_place(place: Place | None) -> OwnPlace | None:
    if place is None:
        return None
    return OwnPlace(place.pool, place.strength, place.own_luck, place.since, place.kept_until, place.match_id)


def own_message(message: Message) -> OwnMessage:
    room = message.room
    return OwnMessage(message.id, room.kind, room.about, message.words, message.phrase, message.created)


def own_photo(photo: KeptPhoto) -> OwnPhoto:
    return OwnPhoto(photo.id, photo.event, photo.round, photo.table, photo.caption, photo.seen, photo.created)


def provide_belongings(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    ways: NamedDependency[WaysIn],
    provider: NamedDependency[ProviderService],
    matches: NamedDependency[MatchService],
) -> Belongings:
    assert caller.person, "the guard lets nobody else in"
    return Belongings(
        caller.person,
        accounts,
        ways,
        provider,
        matches,
        provide_keys(matches, caller),
        NOTIFICATIONS.of(request),
        provide_talk(request, caller, matches, accounts),
        provide_friends(request, caller, matches, accounts),
        PUZZLE_SCORES.of(request),
        PAIRING.of(request).store,
        PHOTOS.of(request).store,
    )


def played_by(store: ReadStore, player: str) -> Played:
    rows = all_of(lambda before: lobby.matches_of(store, player, LIMIT_MAX, before))
    written = all_of(lambda before: studies.studies(store, person=player, mine=True, limit=LIMIT_MAX, before=before))
    entered = all_of(lambda before: listing.tournaments_of(store, player, LIMIT_MAX, before))
    seasons = all_of(lambda before: leagues.leagues_of(store, player, LIMIT_MAX, before))
    return Played(
        matches=tuple(own_match(row, player) for row in rows),
        ratings=tuple(moved_shown(moved, is_own=True) for moved in rankings.history_of(store, player)),
        habits=habits.of_player(store, player),
        studies=tuple(OwnThing(row.id, row.title) for row in written),
        tournaments=tuple(OwnThing(row.event_id, row.name) for row in entered),
        leagues=tuple(OwnThing(row.league_id, row.name) for row in seasons),
    )


def all_of(read: Callable[[int | None], Page[Item]]) -> tuple[Item, ...]:
    """A list from its beginning, page by page."""
    found, before = list[Item](), None
    for _ in range(PAGES_MAX):
        page = read(before)
        found += page.items
        if (before := page.next) is None:
            break
    return tuple(found)


def own_match(row: lobby.LobbyRow, player: str) -> OwnMatch:
    seat = row.seat_of(player)
    is_over = seat is not None and row.ranking is not None and row.status == "ended"
    return OwnMatch(
        match_id=row.match_id,
        title=row.title,
        status=row.status,
        opened_at=row.opened_at.isoformat(),
        seat=seat,
        place=row.ranking[seat] if is_over and row.ranking is not None and seat is not None else None,
        score=row.scores[seat] if is_over and seat is not None else None,
    )


def packed(everything: Everything, photos: PhotoStore) -> bytes:
    """The same as files: all of it as JSON; matches, ratings and messages for a spreadsheet beside that, and photos."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", msgspec.json.format(msgspec.json.encode(everything), indent=INDENT))
        archive.writestr("matches.csv", rows_of(everything.matches, OwnMatch))
        archive.writestr("ratings.csv", rows_of(everything.ratings, MovedShown))
        archive.writestr("messages.csv", rows_of(everything.messages, OwnMessage))
        for each in everything.photos:
            if (picture := photos.picture(each.photo, "large")) is not None:
                archive.writestr(f"photos/{each.photo}.jpg", picture, zipfile.ZIP_STORED)
    return file.getvalue()


def rows_of(values: tuple[Any, ...], kind: type[Wire]) -> bytes:
    names = [field.name for field in msgspec.structs.fields(kind)]
    rows = [["" if (cell := getattr(value, name)) is None else str(cell) for name in names] for value in values]
    return csv_of(names, rows)
