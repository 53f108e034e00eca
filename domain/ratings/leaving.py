"""Who stayed to the end of a match and who left it: a fold of its log, and the share of the last fifty matches."""

from collections.abc import Iterable
from itertools import islice
from typing import Final, Literal

from msgspec import UNSET

from domain.kernel.values import Value
from domain.matches.aggregate import Match, Starter
from domain.matches.facts import Actor, Table
from domain.matches.rulings.ruling import set_result
from domain.matches.seats.starters import is_person, never_came
from domain.ratings.errors import LeavesTooOften
from domain.ratings.fairness import ROUNDS_MIN

COUNTED: Final = 50
"""The last so many matches make the habit."""
FEW: Final = 5
"""Nobody is judged by fewer matches than this."""
PER_CENT: Final = 100

Leaving = Literal["", "timed_out", "resigned", "no_show", "abandoned"]
"""How somebody left a match: out of time, resigned before everybody's minimum of rounds, did not come, let a bot play
on. Empty: stayed."""


class Stay(Value, frozen=True):
    """A match that counts for somebody's habit."""

    player: Actor
    leaving: Leaving


class LeavingHabit(Value, frozen=True):
    """Of somebody's last matches with other people, how many they left, and how."""

    matches: int = 0
    timed_out: int = 0
    resigned: int = 0
    no_show: int = 0
    abandoned: int = 0

    @property
    def left(self) -> int:
        return self.timed_out + self.resigned + self.no_show + self.abandoned

    @property
    def share(self) -> int:
        """Per cent, rounded up: what is above a bound is shown above it."""
        return -(-self.left * PER_CENT // self.matches) if self.matches else 0


def leaving_of(starter: Starter) -> Leaving:
    """How who began at a seat left the match, which is over."""
    if starter.left in ("timed_out", "replaced") and never_came(starter):
        return "no_show"
    if starter.left == "timed_out":
        return "timed_out"
    if starter.left in ("replaced", "handed_over"):
        return "abandoned"
    return "resigned" if starter.left == "resigned" and starter.rounds < ROUNDS_MIN else ""


def stays_of(match: Match) -> tuple[Stay, ...]:
    """For whose habit a line counts, in the order of ids: those who began it with other people, and who did not come.

    For nobody's where it is not over, is a fork or on one device, or a ruling has set its result or voided it.
    """
    is_fork = match.origin is not None and not match.docket.ruling
    is_played = match.status == "ended" and set_result(match) is None
    # A table that comes to nothing before the start is no match, but whoever did not come has let the others wait.
    is_dissolved = match.status == "void" and match.started_version is None
    if is_fork or match.table.is_one_device or not (is_played or is_dissolved):
        return ()
    began = {starter.actor: starter for starter in match.starters if starter.actor and is_person(starter.actor)}
    absent = {*match.unready, *match.absent} - began.keys()
    found = {player: leaving_of(starter) for player, starter in began.items() if len(began) > 1}
    found |= {player: "no_show" for player in absent if {*match.docket.sat} - {player}}
    return tuple(Stay(player, found[player]) for player in sorted(found))


def habit_of(leavings: Iterable[Leaving]) -> LeavingHabit:
    """The habit that matches make, the newest first; what is older than the last fifty is forgotten."""
    counted = tuple(islice(leavings, COUNTED))
    return LeavingHabit(
        len(counted),
        timed_out=counted.count("timed_out"),
        resigned=counted.count("resigned"),
        no_show=counted.count("no_show"),
        abandoned=counted.count("abandoned"),
    )


def require_staying(table: Table, player: Actor, habit: LeavingHabit) -> None:
    """`LeavesTooOften` for who leaves a greater share of their matches than the opener of the table wants."""
    most = table.leaving_max
    if most is UNSET or table.event_id or habit.matches < FEW:
        return
    if habit.left * PER_CENT > most * habit.matches:
        raise LeavesTooOften(
            f"{player!r} left {habit.left} of the last {habit.matches} matches, {habit.share} %;"
            f" this table asks for at most {most} %",
            {"left": habit.left, "matches": habit.matches, "share": habit.share, "most": most},
        )
