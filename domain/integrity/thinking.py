"""Thinking times: a fold of the log that records decisions, and measures of a match's decisions."""

from statistics import median_low
from typing import Any, Final

from domain.integrity.base_rates import Measure
from domain.kernel.rules import Seat
from domain.kernel.values import Value
from domain.matches.aggregate import Match, legal_actions, seats_to_act
from domain.matches.facts import ActionTaken, Fact, MatchStarted, TakenBack, is_live
from domain.matches.log.entries import microseconds
from domain.matches.seats.starters import is_person

CHOICES_MIN: Final = 2
"""Minimum number of legal actions for a decision."""
CHOICES_MANY: Final = 5
"""Number of legal actions from which the best one cannot be seen at a glance."""
QUICK_MS: Final = 1_000
DECISIONS_MIN: Final = 10
"""Minimum number of decisions in a match for a measure."""
HALF_SECOND: Final = 500
"""Milliseconds added to times before spreads are compared, so that short times do not count as uneven."""
PER_MILLE: Final = 1_000
MS: Final = 1_000
"""Microseconds in a millisecond."""


class Decision(Value, frozen=True, array_like=True):
    """The first action of a seat that was waited for: its entry, time and number of legal actions."""

    seat: int
    version: int
    ms: int
    choices: int


class Wait(Value, frozen=True, array_like=True):
    """A seat that has to act: since when (microseconds of 1970), and its number of legal actions.

    -1: the time is meaningless, because the seat continues its own turn or was interrupted.
    """

    seat: int
    since: int
    choices: int


class Notes(Value, frozen=True, array_like=True):
    """The decisions of a line so far."""

    waits: tuple[Wait, ...] = ()
    decisions: tuple[Decision, ...] = ()


def is_timed(match: Match) -> bool:
    """Return whether times are meaningful: a live clock, people who started together, and a match that counts."""
    return is_live(match.table.clock) and is_watched(match)


def is_watched(match: Match) -> bool:
    """Return whether a match counts and was started by at least two people; forks only if made by a ruling."""
    return match.table.counts and not match.is_fork and sum(is_person(starter.actor) for starter in match.starters) > 1


def is_own(match: Match, seat: int) -> bool:
    """Return whether the original player still has the seat and is no bot."""
    starter = match.starters[seat].actor
    return is_person(starter) and match.seats[seat].actor == starter


def add_entry(notes: Notes, match: Match, version: int, fact: Fact) -> Notes:
    """Return the notes after one more entry of a timed line; `match` is the state after it.

    An action of the original player adds a decision if there were at least `CHOICES_MIN` choices; take-backs
    remove later decisions. Times of waits count only after actions of others and the start.
    """
    at, decisions = microseconds(match.timestamp), notes.decisions
    earlier_waits = {wait.seat: wait for wait in notes.waits}
    acting_seat = fact.seat if isinstance(fact, ActionTaken) else None
    if isinstance(fact, ActionTaken):
        wait = earlier_waits.get(fact.seat)
        if (
            wait is not None
            and wait.since >= 0
            and is_own(match, fact.seat)
            and fact.by == match.seats[fact.seat].actor
        ):
            decision = Decision(fact.seat, version, (at - wait.since) // MS, wait.choices)
            decisions += (decision,) if wait.choices >= CHOICES_MIN else ()
    elif isinstance(fact, TakenBack):
        decisions = tuple(each for each in decisions if each.version <= fact.to_version)
    continues = isinstance(fact, ActionTaken | MatchStarted)
    waits = tuple(
        next_wait(match, seat, earlier_waits.get(seat), at, counts=continues and seat != acting_seat)
        for seat in seats_to_act(match)
        if seat >= 0 and is_own(match, seat)
    )
    return Notes(waits, decisions)


def next_wait(match: Match, seat: Seat, before: Wait | None, at: int, *, counts: bool) -> Wait:
    """Return the seat's wait, begun at `at` unless it had begun before; without `counts` its time is meaningless."""
    if not counts:
        return Wait(seat, -1, 0)
    return before or Wait(seat, at, len(legal_actions(match, seat)))


class Pace(Value, frozen=True):
    """The times of a seat in a match in milliseconds, and shares per mille; None if not measurable.

    `spread`: between the quartiles, relative to the median, half a second added to each time. `quick`: decisions under
    a second among those with many choices. `fit`: pairs of decisions in which the one with more choices took longer.
    """

    decisions: int
    median: int
    spread: int
    quick: int | None
    fit: int | None

    @property
    def figures(self) -> dict[Measure, int]:
        """The measures that could be determined, by name."""
        values: dict[Measure, int | None] = {
            "median": self.median,
            "spread": self.spread,
            "quick": self.quick,
            "fit": self.fit,
        }
        return {measure: value for measure, value in values.items() if value is not None}


def pace_of(decisions: tuple[Decision, ...]) -> Pace | None:
    """Return the measures of a seat's decisions in a match; None with fewer than `DECISIONS_MIN`.

    The median is in milliseconds, all others per mille; `quick` is None with too few decisions among many choices.
    """
    if len(decisions) < DECISIONS_MIN:
        return None
    times = sorted(each.ms for each in decisions)
    middle, quarter = median_low(times), len(times) // 4
    many_choices = [each.ms for each in decisions if each.choices >= CHOICES_MANY]
    return Pace(
        decisions=len(times),
        median=middle,
        spread=(times[-1 - quarter] - times[quarter]) * PER_MILLE // (middle + HALF_SECOND),
        quick=sum(ms < QUICK_MS for ms in many_choices) * PER_MILLE // len(many_choices)
        if len(many_choices) >= DECISIONS_MIN
        else None,
        fit=fit_of(decisions),
    )


def fit_of(decisions: tuple[Decision, ...]) -> int | None:
    """Return the share, per mille, of pairs of decisions in which more choices took longer; ties count half.

    Pairs with equal numbers of choices are left out; None if fewer than `DECISIONS_MIN` pairs remain.
    """
    longer = pairs = 0
    for index, one in enumerate(decisions):
        for other in decisions[:index]:
            if one.choices != other.choices:
                more, fewer = (one, other) if one.choices > other.choices else (other, one)
                longer += 2 if more.ms > fewer.ms else 1 if more.ms == fewer.ms else 0
                pairs += 2
    return longer * PER_MILLE // pairs if pairs >= 2 * DECISIONS_MIN else None


def paces_of(match: Match, decisions: tuple[Any, ...]) -> tuple[Pace | None, ...]:
    """Return the measures by seat."""
    return tuple(pace_of(tuple(each for each in decisions if each.seat == seat)) for seat in range(len(match.seats)))
