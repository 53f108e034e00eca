"""Time to open an uncached study with 500 comments and 50 variations, and the cost of importing large files."""

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import msgspec

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.log_files import import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.matches.aggregate import Match
from domain.matches.log.log_files import log_of
from domain.studies import commands
from domain.studies.facts import CommentWritten, Fact, StudyPlace, VariationAdded
from domain.studies.file import study_bytes
from domain.studies.rules import Position, Wish, line_of, play_steps
from domain.studies.state import STUDY
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.bench.logs import long_match
from ops.dev.bench.service import load_of, paced_plan
from ops.service_client import fetch, find_address
from ops.temporary_service import service_in

COMMENTS: Final = 500
VARIATIONS: Final = 50
STEPS: Final = 5
OPEN_BUDGET: Final = 0.2
RUNS: Final = 6
PATIENCE_SECONDS: Final = 60.0
LARGE_COMMENTS: Final = 5_000
LARGE_BYTES: Final = 2_500_000
"""Bytes of the texts; the file is almost twice as large."""
IMPORTS: Final = 8
IMPORT_SECONDS: Final = 20.0
HOLD_BUDGET: Final = 0.050
OLD_SLOW: Final = "2.2 s"
LONGEST: Final = "esporles_writer_longest_processor_seconds{"
ANNA: Final = "anna"


def legal_line(match: Match, steps: int) -> list[Wish]:
    """Return up to `steps` legal actions in sequence from a position, fewer if no player is to act."""
    rules, state, wishes = match.definition.rules, match.state, list[Wish]()
    for _ in range(steps):
        seats = [seat for seat in rules.seats_to_act(state) if seat >= 0]
        if not seats:
            break
        wish = Wish(rules.legal_actions(state, seats[0])[-1], seats[0])
        wishes.append(wish)
        steps_taken = line_of(Position(match, state), [wish])
        state = play_steps(Position(match, state), steps_taken).state
    return wishes


def write_study(matches: Matches, match_id: UUID, entries: int, number: int) -> UUID:
    """Store a study with variations and comments, whose texts occur in no other study, and return its id."""
    study_id, at = uuid4(), datetime.now(UTC)
    commands.open_study(matches, study_id, match_id, title="Long", visibility="public", by=ANNA, at=at)
    facts: list[Fact] = []
    for variation in range(1, VARIATIONS + 1):
        entry = 20 + variation * (entries - 80) // VARIATIONS
        position = matches.at(match_id, entry)
        steps = line_of(Position(position, position.state), legal_line(position, STEPS))
        facts.append(VariationAdded(by=ANNA, variation=variation, at=StudyPlace(entry), steps=steps))
    for comment in range(1, COMMENTS + 1):
        place = StudyPlace(20 + comment % (entries - 40))
        text = f"**{number}, {comment}.** The barn was *better*, see [the rule](https://example.org).\n\n- one\n- two"
        facts.append(CommentWritten(by=ANNA, comment=VARIATIONS + comment, at=place, text=text))

    def compose(batch: Batch) -> Any:
        return batch.record(STUDY, study_id, *facts)

    matches.transact(compose, at=at)
    return study_id


def prepare_data(folder: Path) -> list[UUID]:
    """Create the data folder of a service: a long match with several studies of it."""
    entries = long_match()
    matches = open_store(store_env(folder / "log.db"))
    try:
        match = import_log(matches, log_of(entries), by="service", at=datetime.now(UTC))
        return [write_study(matches, match.id, len(entries), number) for number in range(RUNS + 1)]
    finally:
        matches.close()


def opening_seconds(url: str, study_ids: Sequence[UUID]) -> tuple[list[float], list[float]]:
    """Return the seconds to request each study's page, and the API, each over a new connection.

    The order alternates, since only the first request of the two finds a cold cache.
    """
    parts = urlsplit(url)
    page_times, api_times = list[float](), list[float]()
    for number, study_id in enumerate(study_ids):
        first, second = ("/studies/", page_times), ("/api/studies/", api_times)
        # Only the first request of each pair finds a cold cache, so the order alternates.
        for path, times in (first, second) if number % 2 else (second, first):
            connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
            started = time.perf_counter()
            connection.request("GET", f"{path}{study_id}")
            response = connection.getresponse()
            response.read()
            times.append(time.perf_counter() - started)
            assert response.status == 200, response.status
            connection.close()
    return page_times, api_times


def large_file(folder: Path, study_id: UUID) -> bytes:
    """Add many comments to a study in the store, and return its file."""
    matches = open_store(store_env(folder / "log.db"))
    try:
        text = "x" * (LARGE_BYTES // LARGE_COMMENTS)
        used_count = matches.streams.get(STUDY, study_id).state.numbers_used
        facts = [
            CommentWritten(by=ANNA, comment=number, at=StudyPlace(20), text=text)
            for number in range(used_count + 1, used_count + LARGE_COMMENTS - COMMENTS + 1)
        ]
        matches.transact(lambda batch: batch.record(STUDY, study_id, *facts), at=datetime.now(UTC))
        return study_bytes(commands.export_study(matches, study_id, with_log=False))
    finally:
        matches.close()


def send_study(url: str, file: bytes, number: int) -> None:
    """Import a study as a new account; raise `AssertionError` unless it is created."""
    parts, kind = urlsplit(url), {"Content-Type": "application/json"}
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
    account = msgspec.json.encode({"name": f"reader {number}", "password": "correct horse battery"})
    bodies = list[bytes]()
    for path in ("/api/accounts", "/api/tokens"):
        connection.request("POST", path, account, kind)
        bodies.append(connection.getresponse().read())
    token = {"Authorization": f"Bearer {msgspec.json.decode(bodies[-1])['secret']}"}
    connection.request("POST", "/api/studies", file, token | {"Content-Type": "application/jsonl"})
    response = connection.getresponse()
    response.read()
    connection.close()
    assert response.status == 201, response.status


def longest_hold(folder: Path) -> float:
    """Return the most processor time, in seconds, for which a command or a group held the writer."""
    service = find_address(folder)
    assert service is not None
    lines = fetch(service, "GET", "/api/metrics").decode().splitlines()
    return max(float(line.rpartition(" ")[2]) for line in lines if line.startswith(LONGEST))


def beside_imports(url: str, folder: Path, file: bytes) -> tuple[Figure, Figure]:
    """Measure actions at the usual pace during concurrent imports of a large study, and the writer's longest hold."""
    threads = [threading.Thread(target=send_study, args=(url, file, number)) for number in range(IMPORTS)]

    def start() -> None:
        for thread in threads:
            thread.start()

    def end() -> None:
        for thread in threads:
            thread.join()

    p99 = percentile(load_of([url], paced_plan(seconds=IMPORT_SECONDS), start, end).latencies, 0.99)
    longest, label = longest_hold(folder), f"{IMPORTS} imports of {len(file) / 1e6:.1f} MB at once"
    return (
        Figure(f"{label}, longest block of the writer", milliseconds(longest), "< 50 ms", longest < HOLD_BUDGET),
        Figure(f"… POST action meanwhile, p99, was {OLD_SLOW}", milliseconds(p99)),
    )


def section() -> Section:
    """Measure uncached studies in a running service, and concurrent imports."""
    with TemporaryDirectory() as folder:
        warming, *study_ids = prepare_data(Path(folder))
        file = large_file(Path(folder), warming)
        with service_in(Path(folder)) as service:
            opening_seconds(service.url, [warming])
            page_times, api_times = opening_seconds(service.url, study_ids)
            imports = beside_imports(service.url, Path(folder), file)
    label = f"first opening of a study with {COMMENTS} comments and {VARIATIONS} variations"
    opening_figures = [
        Figure(f"{label}, {name}, slowest", milliseconds(slowest), "< 200 ms", slowest < OPEN_BUDGET)
        for name, slowest in (("its page", max(page_times)), ("over the API", max(api_times)))
    ]
    return Section("Desk", (*opening_figures, *imports))
