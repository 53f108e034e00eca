"""Whole matches through the store's commands, timed as the writer's thread executes them."""

import gc
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Final
from uuid import uuid4

from api.http.commit_queue import CommandTime, CommitMetrics
from api.http.guards import Caller
from api.matches import commands
from api.matches.schemas import OpenMatch
from domain.eventstore.application import Matches
from domain.eventstore.log_files import add_log
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match
from domain.matches.log.imports import examine_log
from domain.matches.log.log_files import log_of
from domain.titles import TITLES
from ops.dev.bench.logs import next_action, store
from ops.dev.bench.positions import matches_of_600
from workers.bots import BOTS

MATCHES: Final = 4
"""Matches of each title; they differ in chance and number of players."""
FORGET_EVERY: Final = 10
"""After every tenth action the cache is cleared, as after a restart."""
ENTRIES: Final = 600
BOT: Final = "random"
SERVICE: Final = Caller(is_service=True)


def whole_matches(matches: int = MATCHES) -> dict[str, CommandTime]:
    """Return the slowest command of each kind in whole matches of every title, and after reading a long match.

    The kind names title and command, and whether nothing was in memory.
    """
    meter = CommitMetrics()
    # The service does the same at its start, so that garbage collection does not scan imported modules during a
    # command.
    gc.collect()
    gc.freeze()
    for title in TITLES.values():
        with store() as played_matches:
            for number in range(matches):
                options = title.rules.options({})
                play(played_matches, meter, title, max(options.seats_min, options.seats_max - number))
    with store() as stored:
        act_after_long(stored, meter)
    return meter.longest


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def play(matches: Matches, meter: CommitMetrics, title: AnyTitle, seats: int) -> None:
    """Play a match of bots from its opening to its end."""
    match_id = uuid4()

    def measure(name: str, command: Callable[[], Match]) -> Match:
        return meter.measure(f"{title.name}: {name}", command)

    content = OpenMatch(title=title.name, seats=seats)
    match = measure("open", partial(commands.open_match, matches, match_id, content, SERVICE, None, None, at=now()))
    for seat in range(seats):
        match = measure("take a seat", partial(matches.take_seat, match_id, seat, BOTS[BOT].actor, at=now()))
    action_count = 0
    while not match.is_over:
        action_count += 1
        command, is_cold = act(matches, match), action_count % FORGET_EVERY == 0
        if is_cold:
            matches.lines.clear_caches()
        match = measure("act, cold cache" if is_cold else "act", command)


def act(matches: Matches, match: Match) -> Callable[[], Match]:
    """Choose the next action of a match and return the command to time."""
    seat, _, action = next_action(match, BOTS[BOT])
    expected = match.version
    return partial(commands.act, matches, match.id, SERVICE, seat, action, expected_version=expected, at=now())


def act_after_long(matches: Matches, meter: CommitMetrics) -> None:
    """Time the storing of a long unfinished match, and an action after reading it from the store."""
    entries = next(matches_of_600())[:ENTRIES]
    log = examine_log(log_of(entries), matches.titles, at=now())
    meter.measure(f"store {ENTRIES} entries of a file", lambda: add_log(matches, log, by="service", at=now()))
    command = act(matches, log.line)
    matches.lines.clear_caches()
    meter.measure(f"act after {ENTRIES} entries, cold cache", command)
