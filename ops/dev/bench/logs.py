"""Speed of reading and writing logs: a fold against bare decoding, and commands against the bare recorder."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import UUID, uuid4

from eventsourcing.persistence import StoredEvent

from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.eventstore.log_files import import_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import Seat
from domain.kernel.title import default_title
from domain.matches.apply import fold
from domain.matches.facts import ActionTaken, MatchStarted, Table
from domain.matches.log.entries import Entry
from domain.matches.log.log_files import log_of
from domain.matches.play import commands
from domain.matches.play.in_memory import play_to_end, seeded_origins, table_of_bots
from domain.matches.titles import read_fact
from domain.titles import TITLES
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile, seconds, typical_seconds
from workers.bots import BOTS

TITLE: Final = default_title(TITLES).name
TAKE_BACKS: Final = 100
"""The most take-backs in a turn that a table can allow."""
FOLD_BUDGET: Final = 150_000
APPEND_BUDGET: Final = 0.40
FORK_BUDGET = 0.020
FORK_BYTES_BUDGET: Final = 1_000


def long_match(seed: bytes = b"long", interval: int = 3) -> tuple[Entry, ...]:
    """Play a match of random bots that take back every third action where they may, fewer with a larger `interval`."""
    kind = BOTS["random"]
    playout = table_of_bots(TITLES[TITLE], (kind.actor,) * 4, {}, seeded_origins(seed), Table(take_backs=TAKE_BACKS))
    while not playout.match.is_over:
        seat, by, action = next_action(playout.match, kind)
        playout.act(Seat(seat), by, action)
        turn = playout.match.turn
        if (
            playout.match.version % interval == 0
            and len(turn.marks) > 1
            and turn.seat == seat
            and not playout.match.is_over
        ):
            playout.append(partial(commands.take_back, seat=seat, by=by, to_version=turn.marks[-2].version))
    return tuple(playout.entries)


def effects_of(entries: tuple[Entry, ...]) -> list[Any]:
    """Return all effects of actions and of the start in these entries, in order."""
    facts = (read_fact(TITLES[TITLE], entry) for entry in entries)
    return [effect for fact in facts if isinstance(fact, ActionTaken | MatchStarted) for effect in fact.effects]


def fold_figures(entries: tuple[Entry, ...]) -> tuple[Figure, ...]:
    """Measure `evolve` alone, and the whole fold from stored bodies relative to decoding them."""
    kind = BOTS["random"]
    playout = play_to_end(
        table_of_bots(TITLES[TITLE], (kind.actor,) * 4, {}, seeded_origins(b"straight")), {kind.actor: kind.choose}
    )
    rules, effects = TITLES[TITLE].rules, effects_of(playout.entries)

    def evolve_all() -> None:
        state: Any = None
        for effect in effects:
            state = rules.evolve(state, effect)

    def decode_all() -> None:
        for entry in entries:
            read_fact(TITLES[TITLE], entry)

    evolving = typical_seconds(evolve_all)
    decoding = typical_seconds(decode_all)
    folding = typical_seconds(lambda: fold(TITLES, entries))
    rate = len(effects) / evolving
    return (
        Figure(
            f"fold: evolve over {len(effects)} effects",
            f"{rate:,.0f} effects/s",
            f"≥ {FOLD_BUDGET:,}",
            rate >= FOLD_BUDGET,
            f"{rate / FOLD_BUDGET:.2f}×",
        ),
        Figure(
            f"fold of {len(entries)} stored entries, with digests",
            f"{len(effects_of(entries)) / folding:,.0f} effects/s",
            ratio=f"{folding / decoding:.2f}× the bare decode",
        ),
    )


@contextmanager
def store() -> Iterator[Matches]:
    """Provide an empty durable SQLite store in a temporary folder."""
    with TemporaryDirectory() as folder:
        matches = open_store(store_env(Path(folder) / "log.db"))
        try:
            yield matches
        finally:
            matches.close()


def append_figure(matches: Matches) -> Figure:
    """Compare the command path with single-transaction inserts of the same bytes, alternately, over a whole match."""
    kind, now = BOTS["random"], datetime.now(UTC)
    match = matches.open(uuid4(), title=TITLE, seats=4, by="service", at=now)
    for seat in range(4):
        match = matches.take_seat(match.id, seat, kind.actor, at=now)
    commands: list[float] = []
    inserts: list[float] = []
    recorder: Any = matches.log.recorder
    while not match.is_over:
        seat, by, action = next_action(match, kind)
        started = time.perf_counter()
        match = matches.act(match.id, seat, by, action, expected_version=match.version, at=now)
        commands.append(time.perf_counter() - started)
        row = recorder.select_events(match.id, gt=match.version - 1)[0]
        copy = StoredEvent(uuid4(), 1, row.topic, row.state)
        inserts.append(seconds(partial(recorder.insert_events, [copy])))
    ratio = sum(inserts) / sum(commands)
    absolute = f"{len(commands) / sum(commands):,.0f} commands/s, {len(inserts) / sum(inserts):,.0f} bare appends/s"
    return Figure(
        "append: command path against the bare recorder",
        absolute,
        f"≥ {APPEND_BUDGET:.0%}",
        ratio >= APPEND_BUDGET,
        f"{ratio:.0%}",
    )


def next_action(match: Any, kind: Any) -> tuple[int, str, Any]:
    """Return (seat, actor, action) of the next action, by `kind` without a view or by the service."""
    rules = match.definition.rules
    seat = rules.seats_to_act(match.state)[0]
    legal = rules.legal_actions(match.state, seat)
    action = kind.choose(rules, None, legal, match.version.to_bytes(32, "big"))
    return seat, "service" if seat < 0 else kind.actor, action


def fork_figures(matches: Matches, match_id: UUID, count: int) -> tuple[Figure, ...]:
    """Measure warm forks of a long match at every 30th entry: the slowest, and bytes added to the store for each."""
    recorder: Any = matches.log.recorder
    last = recorder.max_notification_id() or 0
    versions = range(20, count - 5, 30)
    times = [
        seconds(
            partial(
                fork_match,
                matches,
                match_id,
                at_version=version,
                new_id=uuid4(),
                luck="fresh",
                by="service",
                at=datetime.now(UTC),
            )
        )
        for version in versions
    ]
    rows = recorder.select_notifications(last + 1, 10 * len(versions))
    size = sum(len(row.state) for row in rows) / len(versions)
    slowest = percentile(times, 1.0)
    return (
        Figure(f"fork of a match of {count} entries, slowest", milliseconds(slowest), "< 20 ms", slowest < FORK_BUDGET),
        Figure("a fork in the store", f"{size:,.0f} bytes", "< 1 kB", size < FORK_BYTES_BUDGET),
    )


def section() -> Section:
    """Measure fold, append and forks."""
    entries = long_match()
    with store() as matches:
        match = import_log(matches, log_of(entries), by="service", at=datetime.now(UTC))
        forks = fork_figures(matches, match.id, len(entries))
        return Section("Logs", (*fold_figures(entries), append_figure(matches), *forks))
