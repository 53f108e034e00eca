"""Measure the same pages over HTTP.

The page of one opening is left out: it reads the logs of example matches, which generated matches do not have.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlencode, urlsplit

from domain.matches.facts import is_bot
from ops.dev.bench.figures import Figure, milliseconds, typical_seconds
from ops.temporary_service import service_in
from projections.archive.archived_matches import ArchiveRecord

PATIENCE_SECONDS: Final = 60
BUDGET_SECONDS: Final = 0.1


def addresses(match: ArchiveRecord, opening: str, event: str) -> dict[str, str]:
    """Return the addresses to measure by name: searches, and the explorer's page for the title and size of a match."""
    trait, day = match.traits[0], datetime.fromtimestamp(match.ended_at, UTC).date().isoformat()
    bot = next(seat.actor for seat in match.seats if is_bot(seat.actor))
    kind: dict[str, str | int] = {"title": match.title, "seats": len(match.seats)}
    searches: dict[str, dict[str, str | int]] = {
        "by date": {},
        "of one game and size, with a component": kind | {"things": f"{trait.kind}/{trait.thing}"},
        "of one bot": {"player": bot},
        "of one event": {"event": event},
        "of one opening": kind | {"opening": opening},
        "of an old date": {"until": day},
        "without results": {"score": 99_999, "rated": "true", "lengthMin": 10},
    }
    addresses_by_name = {
        f"archive: matches {label}": f"/archive?{urlencode(parameters)}" for label, parameters in searches.items()
    }
    seats = {"seats": len(match.seats), "who": "people"}
    addresses_by_name["explorer: all statistics"] = f"/explorer/{match.title}?{urlencode(seats)}"
    return addresses_by_name


@contextmanager
def serve_reads(folder: Path) -> Iterator[HTTPConnection]:
    """Start the service over the read models of `folder` and provide a connection to it."""
    with service_in(folder, workers=1) as started:
        parts = urlsplit(started.url)
        assert parts.hostname is not None
        with closing(HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)) as connection:
            yield connection


def request_page(connection: HTTPConnection, address: str) -> int:
    """Request a page and return its size in bytes; raise `AssertionError` unless it is found."""
    connection.request("GET", address)
    response = connection.getresponse()
    content = response.read()
    assert response.status == 200, f"{address} returned {response.status}"
    return len(content)


def page_figures(folder: Path, match: ArchiveRecord, opening: str, event: str) -> list[Figure]:
    """Measure the median time of every page, each requested once before."""
    figures = []
    with serve_reads(folder) as connection:
        for name, address in addresses(match, opening, event).items():
            size = request_page(connection, address)
            elapsed = typical_seconds(partial(request_page, connection, address))
            label = f"page of {name}, {size // 1000} kB"
            figures.append(Figure(label, milliseconds(elapsed), "< 100 ms", elapsed < BUDGET_SECONDS))
    return figures
