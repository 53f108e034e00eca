"""Time to open any position of a long match: in process, over the API, and on the replay page."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

import msgspec

from domain.eventstore.application import Matches
from domain.eventstore.log_files import import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import log_of
from ops.dev.bench.figures import Figure, Section, milliseconds, seconds, typical_seconds
from ops.dev.bench.logs import long_match
from ops.stores import settings_for, wait_until_followed
from ops.temporary_service import service_in

ENTRIES: Final = 600
"""Length of a match for which the budgets are stated (DESIGN §11)."""
TAKE_BACK_EVERY: Final = 5
"""With this many take-backs, random bots play about 600 entries."""
COLD_BUDGET, WARM_BUDGET = 0.050, 0.005
MATCHES: Final = 4
"""Number of matches opened over the API, and on the page; each is cold only once."""
WARM_EVERY: Final = 50
API: Final = "/api/matches/{}/at/{}"
PAGE: Final = "/tables/{}/replay?at={}"
FRAGMENT_HEADERS: Final = {"HX-Request": "true"}
"""Headers by which the page's script requests only the changed parts; the API ignores them."""
PATIENCE_SECONDS: Final = 60.0


class StoredMatch(msgspec.Struct, frozen=True):
    """A stored match: id and number of entries."""

    match_id: UUID
    length: int


class Times(msgspec.Struct):
    """Seconds of openings: of uncached matches, and of cached ones."""

    cold: list[float] = msgspec.field(default_factory=list)
    warm: list[float] = msgspec.field(default_factory=list)


def matches_of_600() -> Iterator[tuple[Entry, ...]]:
    """Yield matches of 600 entries or slightly more, without end."""
    number = 0
    while True:
        entries = long_match(b"600/%d" % number, TAKE_BACK_EVERY)
        if len(entries) >= ENTRIES:
            yield entries
        number += 1


def store_logs(path: Path, logs: Sequence[tuple[Entry, ...]]) -> list[StoredMatch]:
    """Import the logs into the store at `path`; return id and length of each match in order."""
    matches = open_store(store_env(path))
    try:
        now = datetime.now(UTC)
        return [StoredMatch(import_log(matches, log_of(log), by="service", at=now).id, len(log)) for log in logs]
    finally:
        matches.close()


def in_process(path: Path, match: StoredMatch) -> tuple[Figure, Figure]:
    """Open every tenth entry uncached, then a nearby one from the cache, and return the slowest of both kinds.

    Each time is a median of several runs.
    """
    times = Times()
    matches = open_store(store_env(path))
    try:
        for version in range(1, match.length + 1, 10):
            times.cold.append(typical_seconds(partial(open_uncached, matches, match.match_id, version)))
            times.warm.append(typical_seconds(partial(matches.at, match.match_id, max(1, version - 7))))
    finally:
        matches.close()
    return figures(f"any of {match.length} entries", times)


def open_uncached(matches: Matches, match_id: UUID, version: int) -> None:
    """Clear the cache and open a position."""
    matches.lines.clear_caches()
    matches.at(match_id, version)


def figures(label: str, times: Times, *, has_budget: bool = True) -> tuple[Figure, Figure]:
    """Return the rows for the slowest cold and the slowest warm opening, with budgets only if `has_budget`."""
    cold_slowest, warm_slowest = max(times.cold), max(times.warm)
    if not has_budget:
        return Figure(f"{label}, cold, slowest", milliseconds(cold_slowest)), Figure(
            f"{label}, warm", milliseconds(warm_slowest)
        )
    return (
        Figure(f"{label}, cold, slowest", milliseconds(cold_slowest), "< 50 ms", cold_slowest < COLD_BUDGET),
        Figure(f"{label}, warm, slowest", milliseconds(warm_slowest), "< 5 ms", warm_slowest < WARM_BUDGET),
    )


def over_http(url: str, matches: Sequence[StoredMatch], address: str) -> Times:
    """Measure requests for positions of each match.

    The first request of a match asks for its last entry, and for an earlier one from match to match. Further requests
    are medians of several.
    """
    parts = urlsplit(url)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)

    def time_opening(match: StoredMatch, version: int) -> None:
        connection.request("GET", address.format(match.match_id, version), headers=FRAGMENT_HEADERS)
        response = connection.getresponse()
        response.read()
        assert response.status == 200, response.status

    times = Times()
    for number, match in enumerate(matches):
        last = match.length * (len(matches) - number) // len(matches)
        times.cold.append(seconds(partial(time_opening, match, last)))
        times.warm += [
            typical_seconds(partial(time_opening, match, at)) for at in range(1, match.length + 1, WARM_EVERY)
        ]
    connection.close()
    return times


def section() -> Section:
    """Measure matches of 600 entries, and a much longer one."""
    matches = matches_of_600()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.db"
        longest, first, *other_matches = store_logs(
            path, [long_match(), *(next(matches) for _ in range(2 * MATCHES + 1))]
        )
        process_figures = (*in_process(path, first), *in_process(path, longest))
        with service_in(Path(folder)):
            # After this first run the projections are complete, so the second start neither reads nor caches a match
            # until the first request for it.
            wait_until_followed(settings_for(Path(folder)))
        with service_in(Path(folder)) as service:
            for address in (API, PAGE):
                over_http(service.url, [first], address)
            api_times = over_http(service.url, other_matches[:MATCHES], API)
            page_times = over_http(service.url, other_matches[MATCHES:], PAGE)
    api_figures = figures(f"any of {ENTRIES} entries over the API", api_times)
    page_figures = figures(f"board of any of {ENTRIES} entries on the replay page", page_times, has_budget=False)
    return Section("Positions", (*process_figures, *api_figures, *page_figures))
