"""Export of all personal data outside the logs, as JSON or ZIP."""

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
from api.accounts.passkey_service import PasskeyService
from api.accounts.provider import ProviderService
from api.accounts.schemas import Account
from api.accounts.service import AccountService
from api.accounts.sign_in_methods import LinkedIdentity, Passkey
from api.clubs.schemas import OwnClubTexts
from api.clubs.service import ClubService, provide_clubs
from api.contests.entrants import CONTEST_STORE
from api.contests.holiday_schemas import HolidayShown
from api.contests.holiday_service import HOLIDAYS, show_holiday
from api.contests.holiday_store import HolidayStore
from api.contests.private_store import ContestStore
from api.contests.sanction_texts import SANCTION_TEXTS, SanctionText, SanctionTexts
from api.friends.schemas import FriendsShown
from api.friends.service import FriendService, provide_friends
from api.http.guards import Caller
from api.http.identity import Person
from api.http.preferences import Preferences, decode_preferences
from api.http.structs import ResponseStruct
from api.keys.schemas import KeyShown
from api.keys.service import KeyService, provide_keys
from api.matches.service import MatchService
from api.notifications.schemas import NotificationsShown
from api.notifications.service import NOTIFICATIONS, NotificationService
from api.puzzles.scores import PUZZLE_SCORES, PuzzleScores
from api.quick.pairing import PAIRING
from api.quick.store import PoolPlace, PoolStore
from api.ratings.schemas import MovedShown
from api.ratings.service import encode_rating_change
from api.talk.schemas import BoundaryShown
from api.talk.service import TalkService, provide_talk
from api.talk.store import Message
from api.tournaments.photo_store import PhotoStore, StoredPhoto
from api.tournaments.photos import PHOTOS
from domain.talk import RoomKind
from domain.tournaments.imports import csv_of
from projections import leagues, studies
from projections.integrity_looks import looks_at
from projections.matches import habits, lobby
from projections.matches.habits import Habit
from projections.platform.clock import now
from projections.platform.paging import LIMIT_MAX, Page
from projections.platform.store import ReadStore
from projections.ratings import rating_history
from projections.tournaments import listing

Item = TypeVar("Item")

PAGES_MAX: Final = 200
"""Maximum number of pages of each list: twenty thousand matches."""
INDENT: Final = 2
ZIP: Final = "application/zip"


class OwnMatch(ResponseStruct, frozen=True):
    """A match with a seat of the person, or opened by them; the log is at `/api/matches/{id}/log`."""

    match_id: UUID
    title: str
    status: str
    opened_at: str
    seat: int | None
    place: int | None
    score: int | None


class OwnLocalGuest(ResponseStruct, frozen=True):
    """A local guest's name, given by the person for a shared device."""

    match_id: UUID
    name: str


class OwnThing(ResponseStruct, frozen=True):
    """A study, a tournament or a league."""

    id: UUID
    name: str


class OwnMessage(ResponseStruct, frozen=True):
    """A chat message of the person: text, or the name of a ready-made phrase."""

    id: str
    kind: RoomKind
    about: UUID
    words: str
    phrase: str
    at: datetime


class OwnReport(ResponseStruct, frozen=True):
    """A message of another person that was reported, with the reason."""

    message: str
    reason: str
    at: datetime


class OwnPhoto(ResponseStruct, frozen=True):
    """A photo of an event table that the person added."""

    photo: UUID
    event: UUID
    round: int
    table: int
    caption: str
    seen: str
    at: datetime


class OwnLook(ResponseStruct, frozen=True):
    """An arbiter's access to statistics of the account: time, role, and event or match."""

    at: datetime
    role: str
    event: str
    match_id: UUID | None


class OwnPuzzles(ResponseStruct, frozen=True):
    """Puzzle rating, and by puzzle whether the first answer was right."""

    rating: int
    answered: int
    solved: int
    answers: dict[str, bool]


class OwnPlace(ResponseStruct, frozen=True):
    """The person's place and rating in quick pairing, and the table once paired."""

    pool: str
    strength: int
    own_luck: bool
    since: datetime
    kept_until: datetime
    match_id: UUID | None


class OwnSanction(ResponseStruct, frozen=True):
    """The texts of a sanction against the person; `series`: the events that it is about."""

    sanction: UUID
    series: str
    reason: str
    appeal: str
    answer: str


class Played(ResponseStruct, frozen=True, kw_only=True):
    """The person's data in the read models."""

    matches: tuple[OwnMatch, ...]
    ratings: tuple[MovedShown, ...]
    habits: tuple[Habit, ...]
    studies: tuple[OwnThing, ...]
    tournaments: tuple[OwnThing, ...]
    leagues: tuple[OwnThing, ...]


class Everything(Played, frozen=True, kw_only=True):
    """All data, in the formats of the API, without secrets and passwords."""

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
    clubs: OwnClubTexts
    puzzles: OwnPuzzles
    local_guests: tuple[OwnLocalGuest, ...]
    quick_pairing: OwnPlace | None
    photos: tuple[OwnPhoto, ...]
    country: str
    entry_lists: tuple[UUID, ...]
    """Tournaments and leagues on whose list of names for entry the person is."""
    sanctions: tuple[OwnSanction, ...]
    holidays: tuple[HolidayShown, ...]
    figures_read: tuple[OwnLook, ...]
    """Accesses of arbiters to statistics of the account."""


@dataclass(frozen=True)
class PersonalData:
    """Collects the data of one person from all services."""

    person: Person
    accounts: AccountService
    passkey_service: PasskeyService
    provider: ProviderService
    tables: MatchService
    keys: KeyService
    notifications: NotificationService
    talk: TalkService
    friends: FriendService
    clubs: ClubService
    puzzles: PuzzleScores
    pools: PoolStore
    photos: PhotoStore
    contests: ContestStore
    sanction_texts: SanctionTexts
    holidays: HolidayStore

    async def collect(self) -> Everything:
        """Return the person's current data, from the read models, the accounts database and the services."""
        person = self.person
        played, account_data = (
            await self.tables.writer.read_model(load_played, person.id),
            await asyncio.to_thread(self._load_account_data),
        )
        looks = await self.tables.writer.read_model(looks_at, person.id, now())
        return Everything(
            **msgspec.structs.asdict(played),
            **account_data,
            account=Account(person.id, person.name),
            role=person.role,
            guest=person.is_guest,
            preferences=decode_preferences(person.preferences or ""),
            keys=(await self.keys.list_keys()).keys,
            notifications=await self.notifications.show(person),
            friends=await self.friends.show(),
            clubs=await self.clubs.export(),
            figures_read=tuple(OwnLook(each.at, each.role, each.event, each.match_id) for each in looks),
        )

    def _load_account_data(self) -> dict[str, Any]:
        """Return the fields of `Everything` that are read from the accounts database, by field name."""
        person, messages = self.person, self.talk.talk.store
        score, answers = self.puzzles.score_of(person.id), self.puzzles.answers(person.id)
        return {
            "sessions": read_all_pages(lambda before: self.accounts.sessions(person, LIMIT_MAX, before)),
            "tokens": read_all_pages(lambda before: self.accounts.tokens(person, LIMIT_MAX, before)),
            "passkeys": self.passkey_service.passkeys(person),
            "identities": self.provider.identities(person),
            "messages": tuple(
                map(own_message, read_all_pages(lambda before: messages.list_messages_of(person.id, LIMIT_MAX, before)))
            ),
            "reports": tuple(
                OwnReport(each.message, each.reason, each.created) for each in messages.reports_by(person.id)
            ),
            "boundaries": self.talk.boundaries(),
            "local_guests": tuple(OwnLocalGuest(each.match_id, each.name) for each in self.accounts.locals_of(person)),
            "photos": tuple(map(own_photo, self.photos.of_person(person.id))),
            "puzzles": OwnPuzzles(score.rating, score.answered, score.solved, dict(answers)),
            "country": self.accounts.country_of(person.id),
            "entry_lists": self.contests.lists_with(person.id),
            "holidays": tuple(map(show_holiday, self.holidays.of_person(person.id))),
            "sanctions": tuple(map(own_sanction, self.sanction_texts.of_person(person.id))),
            "quick_pairing": own_place(self.pools.find_place(person.id)),
        }


def own_place(place: PoolPlace | None) -> OwnPlace | None:
    """Convert a place in quick pairing; None if there is none."""
    if place is None:
        return None
    return OwnPlace(place.pool, place.strength, place.own_luck, place.since, place.kept_until, place.match_id)


def own_message(message: Message) -> OwnMessage:
    """Convert a chat message."""
    room = message.room
    return OwnMessage(message.id, room.kind, room.about, message.words, message.phrase, message.created)


def own_sanction(text: SanctionText) -> OwnSanction:
    """Convert the texts of a sanction."""
    return OwnSanction(text.id, text.series, text.reason, text.appeal, text.answer)


def own_photo(photo: StoredPhoto) -> OwnPhoto:
    """Convert a photo."""
    return OwnPhoto(photo.id, photo.event, photo.round, photo.table, photo.caption, photo.seen, photo.created)


def provide_personal_data(
    request: Request[Caller, Any, Any],
    caller: NamedDependency[Caller],
    accounts: NamedDependency[AccountService],
    passkey_service: NamedDependency[PasskeyService],
    provider: NamedDependency[ProviderService],
    matches: NamedDependency[MatchService],
) -> PersonalData:
    """Provide the collector of the caller's data."""
    assert caller.person, "the guard lets nobody else in"
    return PersonalData(
        caller.person,
        accounts,
        passkey_service,
        provider,
        matches,
        provide_keys(matches, caller),
        NOTIFICATIONS.of(request),
        provide_talk(request, caller, matches, accounts),
        provide_friends(request, caller, matches, accounts),
        provide_clubs(request, caller, matches, accounts),
        PUZZLE_SCORES.of(request),
        PAIRING.of(request).store,
        PHOTOS.of(request).store,
        CONTEST_STORE.of(request),
        SANCTION_TEXTS.of(request),
        HOLIDAYS.of(request),
    )


def load_played(store: ReadStore, player: str) -> Played:
    """Return a player's matches, ratings, habits, studies, tournaments and leagues from the read models."""
    rows = read_all_pages(lambda before: lobby.matches_of(store, player, LIMIT_MAX, before))
    study_rows = read_all_pages(
        lambda before: studies.studies(store, person=player, own_only=True, limit=LIMIT_MAX, before=before)
    )
    entered = read_all_pages(lambda before: listing.tournaments_of(store, player, LIMIT_MAX, before))
    seasons = read_all_pages(lambda before: leagues.leagues_of(store, player, LIMIT_MAX, before))
    return Played(
        matches=tuple(own_match(row, player) for row in rows),
        ratings=tuple(encode_rating_change(change, is_own=True) for change in rating_history.history_of(store, player)),
        habits=habits.of_player(store, player),
        studies=tuple(OwnThing(row.id, row.title) for row in study_rows),
        tournaments=tuple(OwnThing(row.event_id, row.name) for row in entered),
        leagues=tuple(OwnThing(row.league_id, row.name) for row in seasons),
    )


def read_all_pages(read: Callable[[int | None], Page[Item]]) -> tuple[Item, ...]:
    """Read the pages of a list from the first; those after `PAGES_MAX` pages are left out."""
    found, before = list[Item](), None
    for _ in range(PAGES_MAX):
        page = read(before)
        found += page.items
        if (before := page.next) is None:
            break
    return tuple(found)


def own_match(row: lobby.LobbyRow, player: str) -> OwnMatch:
    """Convert a row of the lobby for one of its players; place and score are None unless the match ended with them."""
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


def pack_zip(data: Everything, photos: PhotoStore) -> bytes:
    """Return a ZIP with all data as JSON, matches, ratings and messages as CSV, and the large version of each photo."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", msgspec.json.format(msgspec.json.encode(data), indent=INDENT))
        archive.writestr("matches.csv", encode_csv(data.matches, OwnMatch))
        archive.writestr("ratings.csv", encode_csv(data.ratings, MovedShown))
        archive.writestr("messages.csv", encode_csv(data.messages, OwnMessage))
        for each in data.photos:
            if (picture := photos.picture(each.photo, "large")) is not None:
                archive.writestr(f"photos/{each.photo}.jpg", picture, zipfile.ZIP_STORED)
    return file.getvalue()


def encode_csv(values: tuple[Any, ...], kind: type[ResponseStruct]) -> bytes:
    """Return structs as CSV, with their field names as header; None is an empty cell."""
    names = [field.name for field in msgspec.structs.fields(kind)]
    rows = [["" if (cell := getattr(value, name)) is None else str(cell) for name in names] for value in values]
    return csv_of(names, rows)
