"""Whole matches through the store's commands, as the writer's thread executes them, and how long each took."""

import gc
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Final
from uuid import uuid4

from api.http.commits import Held, Meter
from api.http.guards import Caller
from api.matches import commands
from api.matches.wire import OpenMatch
from domain.eventstore.application import Matches
from domain.eventstore.log_files import add_log
from domain.kernel.title import AnyTitle
from domain.matches.aggregate import Match
from domain.matches.log.file import log_of
from domain.matches.log.importing import examine_log
from domain.titles import TITLES
from ops.dev.bench.logs import next_action, store
from ops.dev.bench.positions import matches_of_600
from workers.bots import BOTS

MATCHES: Final = 4
"""Of each title; they differ in their luck and their number of players."""
FORGET_EVERY: Final = 10
"""After so many actions nothing of the match is in memory, as after a start of the service."""
ENTRIES: Final = 600
BOT: Final = "random"
SERVICE: Final = Caller(is_service=True)


def whole_matches(matches: int = MATCHES) -> dict[str, Held]:
    """The slowest command of each kind in so many whole matches of every title, and in a long match that is read from
    the store."""
    meter = Meter()
    # As the service does at its start: what has been imported by then is not walked in the middle of a command.
    gc.collect()
    gc.freeze()
    for title in TITLES.values():
        with store() as played:
            for number in range(matches):
                options = title.rules.options({})
                play(played, meter, title, max(options.seats_min, options.seats_max - number))
    with store() as stored:
        act_after_long(stored, meter)
    return meter.longest


def now() -> datetime:
    return datetime.now(UTC)


def play(matches: Matches, meter: Meter, title: AnyTitle, seats: int) -> None:
    """A match of bots from the opening to its end."""
    match_id = uuid4()

    def measure(name: str, command: Callable[[], Match]) -> Match:
        return meter.measure(f"{title.name}: {name}", command)

    wanted = OpenMatch(title=title.name, seats=seats)
    match = measure("open", partial(commands.open_match, matches, match_id, wanted, SERVICE, None, None, at=now()))
    for seat in range(seats):
        match = measure("sit down", partial(matches.take_seat, match_id, seat, BOTS[BOT].actor, at=now()))
    acted = 0
    while not match.is_over:
        acted += 1
        command, is_cold = act(matches, match), acted % FORGET_EVERY == 0
        if is_cold:
            matches.lines.forget()
        match = measure("act, nothing in memory" if is_cold else "act", command)


def act(matches: Matches, match: Match) -> Callable[[], Match]:
    """The next action of a match, chosen before it is timed."""
    seat, _, action = next_action(match, BOTS[BOT])
    expected = match.version
    return partial(commands.act, matches, match.id, SERVICE, seat, action, expected_version=expected, at=now())


def act_after_long(matches: Matches, meter: Meter) -> None:
    """A match of many entries that goes on, read from the store for its next action."""
    entries = next(matches_of_600())[:ENTRIES]
    examined = examine_log(log_of(entries), matches.titles, at=now())
    meter.measure(f"store {ENTRIES} entries of a file", lambda: add_log(matches, examined, by="service", at=now()))
    command = act(matches, examined.line)
    matches.lines.forget()
    meter.measure(f"act after {ENTRIES} entries, nothing in memory", command)
