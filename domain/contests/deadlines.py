"""Deadlines of rounds: reminders before them, and the outcome of a table that has no result when they pass."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec

from domain.contests.times import Reminders
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.seats.lots import places_by_lot
from domain.standings.results import places_by_score

Consequence = Literal["organiser", "lots", "score"]
"""The outcome of a table without a result at the deadline.

The organiser decides, places are drawn by lot, or the current scores decide.
"""
EXTENSION_DAYS_MAX: Final = 60
LOTS: Final = b"esporles.lots/1\x00"
BY_LOT: Final = "the deadline is over; by lot"
BY_SCORE: Final = "the deadline is over; by the scores as they stood"


class DeadlineRule(Value, frozen=True, kw_only=True, omit_defaults=True):
    """What happens at the deadline of a round to tables without a result.

    They get `extension_days` more, once; then the consequence follows.
    """

    consequence: Consequence = "organiser"
    extension_days: Annotated[int, msgspec.Meta(ge=0, le=EXTENSION_DAYS_MAX)] = 0
    reminders: Reminders = (1440, 60)


class Verdict(Value, frozen=True):
    """The outcome of a table at its deadline, by seat; `drawn`: the places follow from the luck of its match."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    drawn: bool = False


def decide_unfinished(
    consequence: Consequence, match: Match | None, lots: Callable[[], tuple[int, ...]]
) -> Verdict | None:
    """Return the outcome that a plan prescribes; None if the organiser decides or no scores exist.

    By lot all scores are 0. Lots follow from the luck of the match, which stays hidden until it is over: a player who
    could compute them might win by not playing. A table without a match has no such luck; `lots` draws its places.
    """
    if consequence == "lots":
        if match is not None and (places := places_by_lot(match)) is not None:
            return Verdict(places, (0,) * len(places), BY_LOT, drawn=True)
        places = lots()
        return Verdict(places, (0,) * len(places), BY_LOT)
    if consequence == "score" and match is not None and match.state is not None:
        scores = match.definition.rules.open_scores(match.state)
        return Verdict(places_by_score(scores), scores, BY_SCORE)
    return None


def lots_after(previous: bytes, entries: Sequence[str]) -> tuple[int, ...]:
    """Return the places by lot of a table without a match, from the digest of the record before the ruling."""
    return places_in_order(entries, lambda entry: sha256(LOTS + previous + entry.encode()).digest())


def places_in_order(entries: Sequence[str], lot: Callable[[str], bytes]) -> tuple[int, ...]:
    """Return the place of each entry when they are sorted by their lots."""
    order = sorted(entries, key=lot)
    return tuple(order.index(entry) + 1 for entry in entries)


def next_reminder(reminders: Iterable[int], deadline: datetime, since: datetime, last_sent: int | None) -> int | None:
    """Return the minutes before a deadline of the next reminder, or None.

    `reminders`: the earliest first. Those before `since`, the start of the round, are skipped, and those up to
    `last_sent` were given for this deadline.
    """
    for minutes in reminders:
        if (last_sent is None or minutes < last_sent) and deadline - timedelta(minutes=minutes) > since:
            return minutes
    return None
