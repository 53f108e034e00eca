"""Read models and accounts of a site of any size, written without a log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

import msgspec

from api.accounts.names import name_key
from api.accounts.people import People
from api.accounts.tables.accounts import PEOPLE
from domain.kernel.values import replace
from domain.matches.facts import Table
from domain.ratings.ladder import RatedResult
from ops.dev.bench.archive import fill, project_matches, vary_matches
from ops.dev.bench.recounting import Recount
from projections.archive.archived_matches import ArchiveRecord
from projections.catalogue import prepare
from projections.matches import lobby
from projections.matches.lobby import LobbyRow, LobbySeat
from projections.platform.clock import now
from projections.platform.settings import Settings
from projections.platform.statements import insert_row
from projections.platform.store import ReadStore
from projections.ratings import ladders

TITLE: Final = "el_grande"
SEATS: Final = 4
BOT: Final = "bot:greedy@1"
BOT_PLAYS: Final = 10
"""The bot plays in one match out of ten, enough for a full page of its history."""
ASKED: Final = "Ada"
"""The name of the person who has played six matches, however large the site is."""
ASKED_MATCHES: Final = 6
REGULARS: Final = 5
"""One person in five plays in half of all matches, and so has a place in the ranking."""
SPAN: Final = timedelta(days=400)
PLAYED: Final = 2
"""Number of played matches that the archive varies."""
STATUSES: Final = ("ended", "running", "open", "waiting")


class Site:
    """The people and matches of a site with `count` matches."""

    def __init__(self, count: int) -> None:
        self.random = Random(52)
        self.count = count
        self.people = [f"{number:032x}" for number in range(1, 1 + count)]
        self.asked = f"{0:032x}"

    def results(self) -> Iterator[RatedResult]:
        """Yield the results of a pool in order of time, six of them with the asked-for person."""
        began = now() - SPAN
        turns = {self.count * (2 * turn + 1) // (2 * ASKED_MATCHES) for turn in range(ASKED_MATCHES)}
        for number in range(self.count):
            people = self.people[: self.count // REGULARS] if self.random.random() < 0.5 else self.people
            players = self.random.sample(people, SEATS)
            if number % BOT_PLAYS == 0:
                players[1] = BOT
            if number in turns:
                players[0] = self.asked
            places = tuple(sorted(self.random.randint(1, SEATS) for _ in players))
            ended_at = began + SPAN * number / self.count
            yield RatedResult(match_id(number), TITLE, ended_at, tuple(players), places)

    def row(self, result: RatedResult, number: int) -> LobbyRow:
        """Return a match in the lobby."""
        status = STATUSES[number % len(STATUSES)]
        is_over = status == "ended"
        return LobbyRow(
            match_id=result.match_id,
            opened=10 * number + 10,
            title=TITLE,
            status=status,
            opened_by=result.players[0],
            opened_at=result.ended_at,
            at=result.ended_at,
            version=100,
            head=f"{number:064x}",
            options={},
            table=Table(rated=True),
            seats=tuple(LobbySeat(player, ready=True, resigned=False, to_act=False) for player in result.players),
            phase="",
            scores=tuple(100 - place for place in result.places),
            ranking=result.places if is_over else None,
            began=result.players if status in {"ended", "running"} else (),
        )


def match_id(number: int) -> UUID:
    """Return the id of a match."""
    return UUID(int=number + 1)


def fill_site(settings: Settings, count: int) -> Site:
    """Write accounts, lobby, archive and ratings of a site with `count` matches, and return it."""
    site = Site(count)
    with closing(People(settings.people_place)) as people:
        fill_people(people, site)
    with closing(ReadStore(settings.reads_url)) as store:
        prepare(store)
        results = list(site.results())
        fill_lobby(store, site, results)
        fill_archive(store, site, settings.data)
        fill_ratings(store, results)
    return site


def fill_people(people: People, site: Site) -> None:
    """Write the accounts."""
    columns = ("id", "name", "name_key", "role", "created", "is_guest")
    names = {site.asked: ASKED} | {person: f"Person {person.lstrip('0')}" for person in site.people}
    created = (now() - 2 * SPAN).isoformat()
    with people.transaction() as database:
        rows = ((each, name, name_key(name), "player", created, 0) for each, name in names.items())
        database.change_all(insert_row(PEOPLE, *columns), [dict(zip(columns, row, strict=True)) for row in rows])


def fill_lobby(store: ReadStore, site: Site, results: list[RatedResult]) -> None:
    """Write the list of matches as its projection does."""
    with store.transaction() as transaction:
        for number, result in enumerate(results):
            row = site.row(result, number)
            transaction.change(
                lobby.WRITE,
                match_id=str(row.match_id),
                opened=row.opened,
                status=row.status,
                public=1,
                counting=lobby.counting_of(row),
                detail=msgspec.json.encode(row, order="deterministic"),
                bots_of="",
                waits_of="",
                with_bots_of="",
            )
            for player in sorted({*result.players}):
                place = lobby.place_for(row, player)
                transaction.change(
                    lobby.WRITE_PLAYER, player=player, match_id=str(row.match_id), place=place, since=row.opened
                )


def fill_ratings(store: ReadStore, results: list[RatedResult]) -> None:
    """Note and rate the results as the projection of ratings does."""
    with store.transaction() as transaction:
        for result in results:
            ladders.note(transaction, str(result.match_id), result)
    has_more = True
    while has_more:
        with store.transaction() as transaction:
            has_more = ladders.do_deferred_work(transaction)


def fill_archive(store: ReadStore, site: Site, folder: Path) -> None:
    """Write an archive of variations of a few played matches, with the people of the site."""
    with closing(ReadStore(folder / "played.db")) as played:
        prepare(played)
        originals = project_matches(played, PLAYED, Recount())
    fill(store, (seat_people(site, record) for record in vary_matches(originals, site.count)))


def seat_people(site: Site, record: ArchiveRecord) -> ArchiveRecord:
    """Return the match with random people of the site."""
    people = site.random.sample(site.people, len(record.seats))
    seats = (replace(seat, actor=person) for seat, person in zip(record.seats, people, strict=True))
    return replace(record, seats=tuple(seats))
