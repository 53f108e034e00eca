"""Matches of the toy title in a store."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.title import Titles
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import SERVICE, Table
from tests.domain.matches import toy
from tests.domain.matches.match_helpers import TOY
from tests.seeding import entropy

TITLES: Final[Titles] = {toy.TITLE: TOY}
START: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECOND: Final = timedelta(seconds=1)
BOT: Final = "bot:random@1"


def at(seconds: float) -> datetime:
    """Return the time this many seconds after the first entry."""
    return START + timedelta(seconds=seconds)


def match_id(number: int) -> UUID:
    return UUID(int=number)


@contextmanager
def matches_in(database: Path | str, titles: Titles = TITLES) -> Iterator[Matches]:
    matches = open_store(store_env(database), titles=titles, entropy=entropy())
    try:
        yield matches
    finally:
        matches.close()


def open_started_match(
    matches: Matches, number: int, players: tuple[str, ...], table: Table | None = None, by: str | None = None
) -> Match:
    """Open a match that has started, by the player of the first seat unless `by` names another opener."""
    opener = players[0] if by is None else by
    match = matches.open(match_id(number), title="toy", seats=len(players), by=opener, at=at(0), table=table)
    for seat, player in enumerate(players):
        match = matches.take_seat(match.id, seat, player, at=at(0))
    for seat, player in enumerate(players):
        if not player.startswith("bot:"):
            match = matches.ready(match.id, seat, player, at=at(0))
    return match


def take_action(matches: Matches, match: Match, seat: int, seconds: float, index: int = 0) -> Match:
    """Take a legal action of the seat as its player."""
    actor = SERVICE if seat == SERVICE_SEAT else match.seats[seat].actor
    assert actor is not None
    action = legal_actions(match, seat)[index]
    return matches.act(match.id, seat, actor, action, expected_version=match.version, at=at(seconds))


def play_match(matches: Matches, match: Match, actions_max: int = 1_000) -> Match:
    """Play to the end, or this many actions: everyone takes the last legal action, one per second."""
    for number in range(actions_max):
        if match.is_over:
            break
        match = take_action(matches, match, seats_to_act(match)[0], number + 1, -1)
    return match
