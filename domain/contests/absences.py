"""Absences that players state in advance, by round and by date."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Final, TypeVar

import msgspec

from domain.contests.errors import ContestRefused
from domain.contests.fact_base import ContestFact, Text
from domain.contests.times import Moment, RoundTime, join_intervals, moment_in_utc, require_order
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.signatures.acts import Signed

PERIODS_MAX: Final = 20
ROUNDS_MAX: Final = 120

Rounds = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MAX)], ...], msgspec.Meta(max_length=ROUNDS_MAX)]


class Period(Value, frozen=True):
    """A time in which a player is away."""

    starts: Moment
    ends: Moment


Periods = Annotated[tuple[Period, ...], msgspec.Meta(max_length=PERIODS_MAX)]


class Absences(Value, frozen=True, omit_defaults=True):
    """The rounds and the periods in which a player is away."""

    rounds: Rounds = ()
    periods: Periods = ()

    def cover(self, number: int, time: RoundTime) -> bool:
        """Return whether the player is away in a round.

        By date: for at least half of it, or without a deadline at its start. A round without a start has no date.
        """
        if number in self.rounds:
            return True
        starts, ends = time.starts, time.deadline
        if starts is None:
            return False
        if ends is None or ends <= starts:
            return any(each.starts <= starts < each.ends for each in self.periods)
        away = sum((overlap(each, starts, ends) for each in self.periods), timedelta(0))
        return 2 * away >= ends - starts


NOT_AWAY: Final = Absences()


class AbsencesStated(ContestFact, frozen=True):
    """A player stated when they are away; it replaces everything stated before.

    `player`: the id of an entry in a tournament, the account in a season. `season` is 0 in a tournament.
    """

    by: Actor
    player: str
    rounds: Rounds = ()
    periods: Periods = ()
    season: int = 0
    reason: Text = ""
    signed: Signed | None = None


S = TypeVar("S", bound=AbsencesStated)
"""The statement of a subject."""


def overlap(period: Period, starts: datetime, ends: datetime) -> timedelta:
    """Return the length of the part of a period between two times."""
    return max(min(period.ends, ends) - max(period.starts, starts), timedelta(0))


def absence_key(season: int, player: str) -> str:
    """Return the key of the absences of a player."""
    return f"{season}/{player}"


def absences_after(absences: Mapping[str, Absences], fact: AbsencesStated) -> Mapping[str, Absences]:
    """Return the absences after a statement; an empty one is removed."""
    others = {key: each for key, each in absences.items() if key != absence_key(fact.season, fact.player)}
    stated = Absences(fact.rounds, fact.periods)
    return others if stated == NOT_AWAY else {**others, absence_key(fact.season, fact.player): stated}


def away_in(
    absences: Mapping[str, Absences], season: int, players: Iterable[str], number: int, time: RoundTime
) -> frozenset[str]:
    """Return the players who are away in a round."""
    return frozenset(
        player for player in players if absences.get(absence_key(season, player), NOT_AWAY).cover(number, time)
    )


def state_absences(
    absences: Mapping[str, Absences], stated: S, *, next_round: int, last_round: int, at: datetime
) -> tuple[S, ...]:
    """Return the statement in its stored form: sorted, disjoint, in UTC, and without rounds and periods that are over.

    Nothing is returned if it repeats the former one. An empty statement takes the former one back. `last_round` 0: the
    number of rounds is not known yet. Raise `ContestRefused` for an empty statement without a former one, for a round
    that does not exist, and for a round before `next_round` or a period before `at` that was not stated before;
    `PlanRefused` for a period without length or out of bounds.
    """
    before = absences.get(absence_key(stated.season, stated.player), NOT_AWAY)
    if not (stated.rounds or stated.periods) and before == NOT_AWAY:
        raise ContestRefused("state the rounds or the dates of the absence")
    stored = {Period(moment_in_utc(each.starts), moment_in_utc(each.ends)) for each in stated.periods}
    periods = sorted(stored, key=lambda each: (each.starts, each.ends))
    for period in periods:
        require_order("an absence", period.starts, period.ends)
        if period.ends <= at and period not in before.periods:
            raise ContestRefused(f"the absence until {period.ends.isoformat()} is over")
    for number in stated.rounds:
        if number < next_round and number not in before.rounds:
            raise ContestRefused(f"round {number} has started, so an absence concerns rounds from {next_round} on")
        if last_round and number > last_round:
            raise ContestRefused(f"there is no round {number}; the last one is round {last_round}")
    rounds = tuple(sorted({number for number in stated.rounds if number >= next_round}))
    joined = join_intervals((each.starts, each.ends) for each in periods if each.ends > at)
    away = Absences(rounds, tuple(Period(*each) for each in joined))
    return () if away == before else (replace(stated, rounds=away.rounds, periods=away.periods),)
