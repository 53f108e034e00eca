"""Everything the house has of a person beside the logs: what the account's holder takes along, as JSON or as a ZIP."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec

from api.accounts.access import Person, Session, Token
from api.accounts.coming_in import WaysIn
from api.accounts.provider import ProviderService
from api.accounts.service import AccountService
from api.accounts.ways import LinkedIdentity, Passkey
from api.accounts.wire import Account
from api.matches.service import MatchService
from api.ratings.service import moved_shown
from api.ratings.wire import MovedShown
from api.web.wire import Wire
from domain.tournaments.exchange import csv_of
from projections import leagues, studies
from projections.matches import habits, lobby
from projections.matches.habits import Habit
from projections.paging import LIMIT_MAX, Page
from projections.ratings import rankings
from projections.store import ReadStore
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


class OwnThing(Wire, frozen=True):
    """A study, a tournament or a league."""

    id: UUID
    name: str


class Everything(Wire, frozen=True, kw_only=True):
    """All of it, in no other form than the pages and the API have it; secrets and passwords are in nothing."""

    account: Account
    role: str
    guest: bool
    sessions: tuple[Session, ...]
    tokens: tuple[Token, ...]
    passkeys: tuple[Passkey, ...]
    identities: tuple[LinkedIdentity, ...]
    matches: tuple[OwnMatch, ...]
    ratings: tuple[MovedShown, ...]
    habits: tuple[Habit, ...]
    studies: tuple[OwnThing, ...]
    tournaments: tuple[OwnThing, ...]
    leagues: tuple[OwnThing, ...]


class Played(msgspec.Struct, frozen=True):
    """What the read models have of somebody."""

    matches: tuple[OwnMatch, ...]
    ratings: tuple[MovedShown, ...]
    habits: tuple[Habit, ...]
    studies: tuple[OwnThing, ...]
    tournaments: tuple[OwnThing, ...]
    leagues: tuple[OwnThing, ...]


async def gather(
    person: Person, accounts: AccountService, ways: WaysIn, provider: ProviderService, matches: MatchService
) -> Everything:
    """Everything, as it stands now."""
    played = await matches.read_model(played_by, person.id)
    return Everything(
        account=Account(person.id, person.name),
        role=person.role,
        guest=person.is_guest,
        sessions=all_of(lambda before: accounts.sessions(person, LIMIT_MAX, before)),
        tokens=all_of(lambda before: accounts.tokens(person, LIMIT_MAX, before)),
        passkeys=ways.passkeys(person),
        identities=provider.identities(person),
        matches=played.matches,
        ratings=played.ratings,
        habits=played.habits,
        studies=played.studies,
        tournaments=played.tournaments,
        leagues=played.leagues,
    )


def played_by(store: ReadStore, player: str) -> Played:
    rows = all_of(lambda before: lobby.matches_of(store, player, LIMIT_MAX, before))
    written = all_of(lambda before: studies.studies(store, person=player, mine=True, limit=LIMIT_MAX, before=before))
    entered = all_of(lambda before: listing.tournaments_of(store, player, LIMIT_MAX, before))
    seasons = all_of(lambda before: leagues.leagues_of(store, player, LIMIT_MAX, before))
    return Played(
        tuple(own_match(row, player) for row in rows),
        tuple(moved_shown(moved, is_own=True) for moved in rankings.history_of(store, player)),
        habits.of_player(store, player),
        tuple(OwnThing(row.id, row.title) for row in written),
        tuple(OwnThing(row.event_id, row.name) for row in entered),
        tuple(OwnThing(row.league_id, row.name) for row in seasons),
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


def packed(everything: Everything) -> bytes:
    """The same as files: all of it as JSON, matches and ratings for a spreadsheet beside that."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("account.json", msgspec.json.format(msgspec.json.encode(everything), indent=INDENT))
        archive.writestr("matches.csv", rows_of(everything.matches, OwnMatch))
        archive.writestr("ratings.csv", rows_of(everything.ratings, MovedShown))
    return file.getvalue()


def rows_of(values: tuple[Any, ...], kind: type[Wire]) -> bytes:
    names = [field.name for field in msgspec.structs.fields(kind)]
    rows = [["" if (cell := getattr(value, name)) is None else str(cell) for name in names] for value in values]
    return csv_of(names, rows)
