"""Conversion of archive searches: names to people, days to times, words to things of a title."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from uuid import UUID

import msgspec

from api.accounts.display_names import Names, names_of
from api.accounts.service import AccountService
from api.archive.errors import SearchRefused
from api.archive.schemas import ArchivedMatch, ArchivedSeat, ArchiveSearch, ArchiveShown
from api.http.languages import _
from api.http.names import is_erased
from api.matches.responses import show_player
from api.matches.schemas import PlayerShown
from api.matches.service import MatchService
from domain.kernel.title import Titles
from domain.matches.facts import Actor, is_bot
from projections import leagues
from projections.archive import search as archive_search
from projections.archive.archived_matches import BOTS, PEOPLE, ArchiveRecord, Who
from projections.archive.search import THINGS_MAX, SearchCriteria
from projections.follow import moment
from projections.platform.paging import Page
from projections.platform.store import ReadStore
from projections.tournaments import listing

DAY: Final = timedelta(days=1)
SECOND: Final = 1_000_000


async def search(
    matches: MatchService, accounts: AccountService, request: ArchiveSearch, limit: int, before: int | None
) -> ArchiveShown:
    """Search the archive, latest first; raise `SearchRefused` if the search is invalid."""
    criteria = await build_search(matches, accounts, request)
    page = await matches.writer.read_model(find_with_seats, criteria, limit, before)
    actors = {seat.actor for record in page.items for seat in record.seats}
    names = await asyncio.to_thread(names_of, accounts, actors)
    return ArchiveShown(tuple(encode_match(record, names) for record in page.items), next=page.next)


def find_with_seats(store: ReadStore, criteria: SearchCriteria, limit: int, before: int | None) -> Page[ArchiveRecord]:
    """Return the matches found, with their seats, latest first; matches removed in the meantime are left out."""
    page = archive_search.search(store, criteria, limit, before)
    records = archive_search.load_archived(store, [found.line_id for found in page.items])
    # A ruling may remove a match between the two queries.
    return page.of([records[found.line_id] for found in page.items if found.line_id in records])


def encode_match(record: ArchiveRecord, names: Names) -> ArchivedMatch:
    """Convert a match of the archive, with the names of its players."""
    return ArchivedMatch(
        match_id=record.line_id,
        title=record.title,
        edition=record.edition,
        event=record.event,
        rated=record.rated,
        entries=record.entries,
        ended_at=moment(record.ended_at * SECOND),
        end=record.end,
        seats=tuple(ArchivedSeat(encode_player(seat.actor, names), seat.place, seat.score) for seat in record.seats),
    )


def encode_player(actor: Actor, names: Names) -> PlayerShown:
    """Return a player; an erased person has no id."""
    shown = show_player(actor, names)
    return PlayerShown(shown.kind, "", shown.name) if is_erased(shown.name) else shown


def read_search(parameters: Mapping[str, str]) -> ArchiveSearch:
    """Parse a search from query parameters; raise `SearchRefused` for an invalid field.

    Unknown names and empty values are ignored.
    """
    values = {name: value.strip() for name, value in parameters.items() if value.strip() and name in FIELDS}
    try:
        return msgspec.convert(values, ArchiveSearch, strict=False)
    except msgspec.ValidationError as fault:
        raise SearchRefused(_("Invalid search: {why}", why=str(fault))) from fault


FIELDS: Final = frozenset(field.encode_name for field in msgspec.structs.fields(ArchiveSearch))


async def build_search(matches: MatchService, accounts: AccountService, request: ArchiveSearch) -> SearchCriteria:
    """Convert a search for the read model; raise `SearchRefused` for an unknown title, player or kind of thing.

    `until` includes its day. Unknown bots, events and things find nothing.
    """
    if request.title and request.title not in matches.titles:
        raise SearchRefused(_("There is no game “{title}”. Choose one from the list.", title=request.title))
    players = [await find_player_id(accounts, name) for name in (request.player, request.with_player) if name]
    return SearchCriteria(
        players=tuple(players),
        title=request.title,
        seats=request.seats,
        edition=request.edition,
        events=await find_event_ids(matches, request.event) if request.event else None,
        people=None if not request.who else request.who == PEOPLE,
        rated=request.rated,
        since=None if request.since is None else seconds_of(request.since),
        until=None if request.until is None else seconds_of(request.until) + int(DAY.total_seconds()),
        rating=request.rating,
        score=request.score,
        entries_min=request.length_min,
        entries_max=request.length_max,
        things=parse_things(matches.titles, request),
        opening=request.opening,
        end=request.end or None,
    )


def seconds_of(day: date) -> int:
    """Return the start of the day in UTC, in seconds since the epoch."""
    return int(datetime.combine(day, time(), UTC).timestamp())


async def find_player_id(accounts: AccountService, name: str) -> Actor:
    """Return the bot's name itself, or the person with the current name; raise `SearchRefused` for an unknown person.

    A bot is not checked. People cannot be found by id, because erased ones could be then.
    """
    if is_bot(name):
        return name
    found = await asyncio.to_thread(accounts.by_name, name)
    if found is None:
        raise SearchRefused(_("No player is called “{name}”. Check the name.", name=name))
    return found.id


async def find_event_ids(matches: MatchService, name: str) -> tuple[str, ...]:
    """Return the id itself, unchecked, or the ids of tournaments and leagues whose name contains these words.

    () if there are none: no match is found then.
    """
    try:
        return (str(UUID(name)),)
    except ValueError:
        tournaments = await matches.writer.read_model(listing.find_by_name, name)
        return tournaments + await matches.writer.read_model(leagues.find_by_name, name)


def parse_things(titles: Titles, request: ArchiveSearch) -> tuple[tuple[str, str], ...]:
    """Return (kind, thing) pairs of the words `KIND/THING`, separated by commas; () without any.

    Raise `SearchRefused` without a title, for more than `THINGS_MAX` or an unknown kind; the thing itself is not
    checked.
    """
    names = [name.strip() for name in request.things.split(",") if name.strip()]
    if not names:
        return ()
    if not request.title:
        raise SearchRefused(_("Choose a game to search for its cards and buildings."))
    if len(names) > THINGS_MAX:
        raise SearchRefused(_("Search for at most {most} cards and buildings at a time.", most=THINGS_MAX))
    found = [name.partition("/") for name in names]
    kinds = titles[request.title].traits.kinds
    if unknown_kinds := sorted({kind for kind, _slash, _thing in found} - set(kinds)):
        unknown_names = ", ".join(map(repr, unknown_kinds))
        raise SearchRefused(
            _("Unknown kind: {strange}. Choose from: {known}.", strange=unknown_names, known=", ".join(kinds))
        )
    return tuple((kind, thing) for kind, _slash, thing in found)


def parse_side(who: str) -> Who:
    """Return the side: bots if named, otherwise people."""
    return BOTS if who == BOTS else PEOPLE
