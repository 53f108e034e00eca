"""Measure search pages and the explorer over 100,000 ended matches: queries alone, and responses over HTTP.

The rows are variations of matches that bots played, with other players, days, outcomes and openings. The explorer's
counts for the played matches are compared with a recount from the bytes of their logs.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import select

from domain.matches.aggregate import Match
from domain.matches.facts import Table
from domain.matches.log.entries import Entry
from domain.matches.log.records import Record
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.titles import TITLES
from ops.dev.bench.archive_pages import page_figures
from ops.dev.bench.figures import Figure, Section, milliseconds, typical_seconds
from ops.dev.bench.recounting import Recount
from projections.archive import explorer, projection, search
from projections.archive.archived_matches import KEPT, ArchiveRecord, ArchiveSeat, OpeningMove, first_key, key_after
from projections.archive.projection import ARCHIVE_KEPT
from projections.archive.search import SearchCriteria
from projections.follow import FollowedStep, StepReader, ensure_tables
from projections.platform.paging import LIMIT
from projections.platform.store import ReadStore
from projections.ratings import ladders
from workers.bots import BOTS

READ_KEPT: Final = select(ARCHIVE_KEPT.c.detail).order_by(ARCHIVE_KEPT.c.place)
PLAYED: Final = 2_000
STORED: Final = 100_000
PLAYERS: Final = 2_000
SEED: Final = 44
BOT: Final = "bot:random@1"
EVENTS: Final = tuple(str(UUID(int=number)) for number in range(1, 41))
KINDS: Final = (("el_grande", 2), ("el_grande", 3), ("el_grande", 4), ("el_grande", 5), ("la_granja", 2))
BATCH: Final = 1_000
OPENINGS_MIN: Final = 50_000
BUDGET_SECONDS: Final = 0.1
SECONDS_A_DAY: Final = 86_400


class OneLog:
    """The log of one match, in the shape that projections read."""

    titles = TITLES

    def __init__(self, entries: Sequence[Entry], position: int) -> None:
        self._entries = entries
        self._position = position

    def read_log_items(self, _after: int, _limit: int) -> list[tuple[int, Entry]]:
        """Return all entries at the same position; each match has a different one."""
        return [(self._position, entry) for entry in self._entries]

    def verify_stream(self, event: Entry | Record) -> None:
        """Do nothing; the benchmark has no transparency tree."""

    def is_imported(self, _: UUID) -> bool:
        """Return False."""
        return False

    def at(self, match_id: UUID, version: int) -> Match:
        """Raise `AssertionError`; a match that is read from its first entry needs no lookup."""
        raise AssertionError(f"{match_id} is followed from its first entry on, never looked up at {version}")


def play(number: int) -> tuple[Entry, ...]:
    """Play the match with this number to its end with random bots; it determines title, seats and event."""
    title, seats = KINDS[number % len(KINDS)]
    table = Table(event=EVENTS[number % len(EVENTS)])
    playout = table_of_bots(TITLES[title], (BOT,) * seats, {}, seeded_origins(b"archive bench %d" % number), table)
    return play_to_end(playout, {BOT: BOTS["random"].choose}).entries


def project_matches(store: ReadStore, count: int, recount: Recount) -> list[ArchiveRecord]:
    """Play matches, project them into `store` and add each to `recount`; return the stored rows by place."""
    for number in range(count):
        entries = play(number)
        recount.add(entries)
        happenings, _ = StepReader(OneLog(entries, number + 1)).after(0, len(entries))
        with store.transaction() as transaction:
            projection.follow(transaction, [step for step in happenings if isinstance(step, FollowedStep)])
    return [KEPT.decode(row[0]) for row in store.rows(READ_KEPT)]


def vary_matches(originals: Sequence[ArchiveRecord], count: int) -> Iterator[ArchiveRecord]:
    """Yield `count` variations of the played matches in turn, reproducibly, with places from 1.

    Players, days, outcomes, rated or not, and openings differ.
    """
    random = Random(SEED)
    for number in range(count):
        original = originals[number % len(originals)]
        people = random.sample(range(PLAYERS), len(original.seats))
        scores = [max(0, seat.score + random.randint(-15, 15)) for seat in original.seats]
        yield msgspec.structs.replace(
            original,
            place=number + 1,
            line_id=UUID(int=number + 1),
            rated=random.random() < 0.5,
            ended_at=original.ended_at + number * SECONDS_A_DAY // 50,
            seats=tuple(seat_of(scores, seat, person) for seat, person in enumerate(people)),
            opening=tuple(opening_of(original, random)),
        )


def seat_of(scores: Sequence[int], seat: int, person: int) -> ArchiveSeat:
    """Return the row of a seat, with its place and margin derived from the scores; every fourth person is a bot."""
    other_scores = [score for other_seat, score in enumerate(scores) if other_seat != seat]
    rank = 1 + sum(score > scores[seat] for score in other_scores)
    return ArchiveSeat(
        BOT if person % 4 == 0 else f"{person:032x}", rank, scores[seat], scores[seat] - max(other_scores)
    )


def opening_of(match: ArchiveRecord, random: Random) -> Iterator[OpeningMove]:
    """Yield the opening of a match with its keys; actions after the second get a random variation."""
    path = first_key(match.title, len(match.seats))
    for index, move in enumerate(match.opening):
        action: dict[str, Any] = msgspec.json.decode(move.action)
        if index > 1:
            action["varied"] = random.randrange(4)
        text = msgspec.json.encode(action).decode()
        yield msgspec.structs.replace(move, path=path, action=text, next=key_after(path, text))
        path = key_after(path, text)


def fill(store: ReadStore, matches: Iterator[ArchiveRecord]) -> Counter[str]:
    """Insert matches as the projection does, in batches; return the number of matches by opening."""
    openings, batch = Counter[str](), list[ArchiveRecord]()

    def write() -> None:
        with store.transaction() as transaction:
            for match in batch:
                projection.add(transaction, match)
                detail = projection.encode_json(match)
                row = {"line_id": str(match.line_id), "place": match.place, "notes": b"[]", "detail": detail}
                transaction.change(projection.WRITE_KEPT, **row)
        batch.clear()

    for match in matches:
        openings[match.opening[-1].next] += 1
        batch.append(match)
        if len(batch) == BATCH:
            write()
    write()
    return openings


def page_of(store: ReadStore, criteria: SearchCriteria) -> None:
    """Run the queries of one page of search results."""
    found = search.search(store, criteria, LIMIT)
    search.load_archived(store, [each.line_id for each in found.items])


def first_opening(store: ReadStore, match: ArchiveRecord) -> str:
    """Return the key of the first action most frequently chosen by people at tables like `match`."""
    return explorer.list_next_actions(store, first_key(match.title, len(match.seats)), "people")[0].next


def questions(store: ReadStore, matches: Sequence[ArchiveRecord]) -> dict[str, Callable[[], object]]:
    """Return the queries of each page, by the name of the page."""
    match = matches[0]
    kind, thing = match.traits[0].kind, match.traits[0].thing
    person = f"{1:032x}"
    opening = first_opening(store, match)
    searches = {
        "by date": SearchCriteria(),
        "of one player": SearchCriteria(players=(person,)),
        "of two players": SearchCriteria(players=(person, f"{2:032x}")),
        "of one game and size, with a component": SearchCriteria(
            title=match.title, seats=len(match.seats), things=((kind, thing),)
        ),
        "of one event": SearchCriteria(events=EVENTS[:1]),
        "of one opening": SearchCriteria(opening=opening),
        "of an old date": SearchCriteria(until=match.ended_at + SECONDS_A_DAY),
        "without results": SearchCriteria(score=99_999, rated=True, entries_min=10),
        "with a rating no player has": SearchCriteria(rating=99_999),
    }
    pages: dict[str, Callable[[], object]] = {
        f"archive: matches {label}": partial(page_of, store, criteria) for label, criteria in searches.items()
    }
    pages["explorer: all statistics"] = lambda: explorer.list_choices(store, match.title, len(match.seats), "people")
    pages["explorer: an opening"] = lambda: explorer.list_next_actions(store, opening, "people")
    pages["archive: all search options"] = lambda: explorer.list_searchable_choices(store, match.title)
    return pages


def compare_with_recount(recount: Recount, store: ReadStore, count: int) -> Figure:
    """Compare the explorer's counts with the recount; met if none differs."""
    difference_count = recount.count_differences(store)
    text = f"{len(recount.things):,} components and {len(recount.openings):,} openings, {difference_count:,} differ"
    return Figure(
        f"explorer: {count:,} played matches recounted from their logs", text, "0 differ", difference_count == 0
    )


def section() -> Section:
    """Run the benchmark at its full size."""
    return measure(PLAYED, STORED)


def measure(played_count: int, stored: int) -> Section:
    """Measure queries and pages over `stored` matches made from `played_count` played ones.

    Also compares the explorer with the recount of the played ones.
    """
    with (
        TemporaryDirectory(prefix="esporles-bench-") as folder,
        closing(ReadStore(Path(folder) / "played.db")) as played_store,
    ):
        ensure_tables(played_store, projection)
        recount = Recount()
        played = project_matches(played_store, played_count, recount)
        with closing(ReadStore(Path(folder) / "reads.db")) as store:
            ensure_tables(store, projection)
            ensure_tables(store, ladders)
            started = time.perf_counter()
            openings = fill(store, vary_matches(played, stored))
            elapsed_writing = time.perf_counter() - started
            figures = [
                compare_with_recount(recount, played_store, played_count),
                Figure(
                    f"{stored:,} matches made of {played_count:,} played ones, written",
                    f"{elapsed_writing:.0f} s, {len(openings):,} openings",
                    f">= {OPENINGS_MIN:,} openings",
                    len(openings) >= OPENINGS_MIN,
                ),
            ]
            for label, query in questions(store, played).items():
                elapsed = typical_seconds(query)
                figures.append(Figure(label, milliseconds(elapsed), "< 100 ms", elapsed < BUDGET_SECONDS))
            opening = first_opening(store, played[0])
        figures += page_figures(Path(folder), played[0], opening, EVENTS[0])
    return Section("archive", tuple(figures))
