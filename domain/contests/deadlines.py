"""Deadlines of rounds: reminders before them, and the outcome of a table that has no result when they pass."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec

from domain.contests.times import Reminders
from domain.kernel.rules import SERVICE_SEAT
from domain.kernel.values import Value
from domain.matches.aggregate import Match
from domain.matches.facts import Actor
from domain.matches.play.clocks import time_left
from domain.matches.seats.lots import places_by_lot
from domain.standings.results import places_by_score

Consequence = Literal["organiser", "lots", "score", "overdue", "bots"]
"""The outcome of a table without a result at the deadline.

The organiser decides, places are drawn by lot, the current scores decide, they do with overdue players last, or bots
play on from the position (`domain.contests.adjudication`).
"""
EXTENSION_DAYS_MAX: Final = 60
ORGANISER_DAYS_MAX: Final = 60

ExtensionDays = Annotated[int, msgspec.Meta(ge=0, le=EXTENSION_DAYS_MAX)]
OrganiserDays = Annotated[int, msgspec.Meta(ge=1, le=ORGANISER_DAYS_MAX)]
LOTS: Final = b"esporles.lots/1\x00"
BY_LOT: Final = "the deadline is over; by lot"
BY_SCORE: Final = "the deadline is over; by the scores as they stood"
BY_OVERDUE: Final = "the deadline is over; by the scores as they stood, overdue players last"
BY_BOTS: Final = "the deadline is over; by the median points of five lines in which bots played on"
LEFT_TO_BOTS: Final = "the deadline is over; bots play on from the last position"
EXTENDED: Final = "tables without a result get {days} more days"
NO_ORGANISER: Final = "the deadline is over, and no organiser has decided"
ASKED_AGAIN: Final = timedelta(days=1)
"""The time after which tables that wait for the ruling on a dispute are examined again."""


class DeadlineRule(Value, frozen=True, kw_only=True, omit_defaults=True):
    """What happens at the deadline of a round to tables without a result.

    They get `extension_days` more, once; then the consequence follows. If the organiser does not decide for
    `organiser_days`, the current scores do.
    """

    consequence: Consequence = "organiser"
    extension_days: ExtensionDays = 0
    organiser_days: OrganiserDays = 7
    reminders: Reminders = (1440, 60)

    def decides_from(self, deadline: datetime) -> datetime:
        """Return when the service decides tables without a result, which is after the days of the organiser."""
        is_by_organiser = self.consequence == "organiser"
        return deadline + timedelta(days=self.organiser_days) if is_by_organiser else deadline


class Verdict(Value, frozen=True):
    """The outcome of a table at its deadline, by seat.

    `drawn`: the places follow from the luck of its match. `overdue`: the seats in the last places for owing a
    decision, the longest overdue first. `bot`, `lines`: the bot that played on, and the points of each line by seat.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    drawn: bool = False
    overdue: tuple[int, ...] = ()
    bot: Actor = ""
    lines: tuple[tuple[int, ...], ...] = ()


def decide_unfinished(
    rule: DeadlineRule, match: Match | None, at: datetime, lots: Callable[[], tuple[int, ...]]
) -> Verdict:
    """Return the outcome that a plan prescribes, or what replaces it: the scores, and without scores lots.

    By lot all scores are 0. Lots follow from the luck of the match, which stays hidden until it is over: a player who
    could compute them might win by not playing. A table without a match has no such luck; `lots` draws its places.
    """
    if rule.consequence == "overdue" and match is not None and (verdict := place_overdue_last(match, at)):
        return verdict
    is_late = rule.consequence == "organiser"
    if rule.consequence != "lots" and match is not None and match.state is not None:
        scores = match.definition.rules.open_scores(match.state)
        return Verdict(places_by_score(scores), scores, f"{NO_ORGANISER}; by the scores" if is_late else BY_SCORE)
    reason = f"{NO_ORGANISER}; by lot" if is_late else BY_LOT
    if match is not None and (places := places_by_lot(match)) is not None:
        return Verdict(places, (0,) * len(places), reason, drawn=True)
    places = lots()
    return Verdict(places, (0,) * len(places), reason)


def place_overdue_last(match: Match, at: datetime) -> Verdict | None:
    """Return places by the current scores with overdue seats last; None if no player owes a decision.

    A seat is overdue if its player owes a decision in the position. The longest overdue seat, with the least time left
    on its clock, gets the last place; scores decide between equal seats.
    """
    if match.state is None or match.is_retired:
        return None
    rules = match.definition.rules
    owing = [seat for seat in rules.seats_to_act(match.state) if seat != SERVICE_SEAT and match.seats[seat].is_person]
    if not owing:
        return None
    scores = rules.open_scores(match.state)
    left = {int(seat): time_left(match, seat, at) if match.clocks else 0 for seat in owing}
    worth = [(0, left[seat], score) if seat in left else (1, 0, score) for seat, score in enumerate(scores)]
    places = tuple(1 + sum(other > own for other in worth) for own in worth)
    return Verdict(places, scores, BY_OVERDUE, overdue=tuple(sorted(left, key=lambda seat: worth[seat])))


def are_places_with_overdue(places: Sequence[int], scores: Sequence[int], overdue: Sequence[int]) -> bool:
    """Return whether overdue seats, the longest overdue first, are behind the others, who are placed by score."""
    seats = range(len(scores))
    present = [seat for seat in seats if seat not in overdue]
    if not overdue or len({*overdue}) < len(overdue) or not {*overdue} <= {*seats} or len(places) != len(seats):
        return False
    by_score = places_by_score([scores[seat] for seat in present])
    late = [places[seat] for seat in overdue]
    is_behind = min(late) == len(present) + 1 and late == sorted(late, reverse=True)
    return is_behind and by_score == tuple(places[seat] for seat in present)


def find_next_examination(rule: DeadlineRule, deadline: datetime, at: datetime) -> datetime:
    """Return when tables that have no result after an enforced deadline are decided, or examined again."""
    decides_from = rule.decides_from(deadline)
    return decides_from if at < decides_from else at + ASKED_AGAIN


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
