"""The record of matches left or finished: per match from its log, and the share over the last fifty."""

from collections.abc import Iterable
from itertools import islice
from typing import Final, Literal

from msgspec import UNSET

from domain.kernel.values import Value
from domain.matches.aggregate import Match, Starter
from domain.matches.facts import Actor, Table
from domain.matches.rulings.ruling import find_set_result
from domain.matches.seats.starters import is_person, never_came
from domain.ratings.errors import LeavesTooOften
from domain.ratings.fairness import ROUNDS_MIN

MATCHES_COUNTED_MAX: Final = 50
"""The number of latest matches that count."""
LIMITED_MATCHES_MIN: Final = 5
"""The minimum number of matches before a limit applies."""
PER_CENT: Final = 100

Leaving = Literal["", "timed_out", "resigned", "no_show", "abandoned"]
"""The kind of leaving: `resigned` only before the minimum of rounds, `abandoned` by a bot; empty: stayed."""


class Stay(Value, frozen=True):
    """A match in a player's record."""

    player: Actor
    leaving: Leaving


class LeavingHabit(Value, frozen=True):
    """The number of latest matches with other people, and of those left, by kind."""

    matches: int = 0
    timed_out: int = 0
    resigned: int = 0
    no_show: int = 0
    abandoned: int = 0

    @property
    def left_count(self) -> int:
        """Return the number of matches left."""
        return self.timed_out + self.resigned + self.no_show + self.abandoned

    @property
    def share(self) -> int:
        """Return the percentage left, rounded up so that a share above a limit never displays as equal."""
        return -(-self.left_count * PER_CENT // self.matches) if self.matches else 0


def leaving_of(starter: Starter) -> Leaving:
    """Return how the starter of a seat left the match, which is over; empty if they stayed.

    Resigning counts only before `ROUNDS_MIN` rounds.
    """
    if starter.left in ("timed_out", "replaced") and never_came(starter):
        return "no_show"
    if starter.left == "timed_out":
        return "timed_out"
    if starter.left in ("replaced", "handed_over"):
        return "abandoned"
    return "resigned" if starter.left == "resigned" and starter.rounds < ROUNDS_MIN else ""


def stays_of(match: Match) -> tuple[Stay, ...]:
    """Return the records of a match, sorted by player: starters with other people, and players who did not appear.

    Empty if the match is not over, is a fork, is played on one device, or a ruling set its result or voided it.
    A table dissolved before the start counts for players who did not appear.
    """
    is_fork = match.origin is not None and not match.docket.ruling
    is_played = match.status == "ended" and find_set_result(match) is None
    # A table dissolved before the start is no match, but absent players have kept others waiting.
    is_dissolved = match.status == "void" and match.started_version is None
    if is_fork or match.table.is_one_device or not (is_played or is_dissolved):
        return ()
    starters = {starter.actor: starter for starter in match.starters if starter.actor and is_person(starter.actor)}
    absent = {*match.unready, *match.absent} - starters.keys()
    leavings = {player: leaving_of(starter) for player, starter in starters.items() if len(starters) > 1}
    leavings |= {player: "no_show" for player in absent if {*match.docket.sat} - {player}}
    return tuple(Stay(player, leavings[player]) for player in sorted(leavings))


def habit_of(leavings: Iterable[Leaving]) -> LeavingHabit:
    """Return the counts of matches by leaving, latest first; only the first `MATCHES_COUNTED_MAX` count."""
    counted = tuple(islice(leavings, MATCHES_COUNTED_MAX))
    return LeavingHabit(
        len(counted),
        timed_out=counted.count("timed_out"),
        resigned=counted.count("resigned"),
        no_show=counted.count("no_show"),
        abandoned=counted.count("abandoned"),
    )


def require_staying(table: Table, player: Actor, habit: LeavingHabit) -> None:
    """Raise `LeavesTooOften` if the player's share exceeds the limit of the table's opener.

    Nothing is limited at event tables, or with fewer than `LIMITED_MATCHES_MIN` matches.
    """
    percent_max = table.leaving_max
    if percent_max is UNSET or table.event_id or habit.matches < LIMITED_MATCHES_MIN:
        return
    if habit.left_count * PER_CENT > percent_max * habit.matches:
        raise LeavesTooOften(
            f"{player!r} left {habit.left_count} of the last {habit.matches} matches, {habit.share} %;"
            f" this table allows at most {percent_max} %",
            {"left": habit.left_count, "matches": habit.matches, "share": habit.share, "most": percent_max},
        )
