"""The weight of rated matches and the conditions for counting (docs/play/fair-play.md)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.rulings.outcome import Outcome

ROUNDS_MIN: Final = 2
"""The number of rounds every seat must act in before a match counts."""
FULL_MATCHES: Final = 3
"""The number of matches of two players within the window that count in full; each further one counts half."""
WINDOW: Final = timedelta(days=30)
KNOWN_MATCHES: Final = 10
"""A player counts in full for opponents after this many rated matches without them."""
UNKNOWN_SHARE: Final = 0.1
"""The weight of a player who has never played without these opponents."""
MEETINGS_STORED_MAX: Final = 10
"""The number of recent meetings stored; more make the weight less than a hundredth."""


class Meetings(Value, frozen=True):
    """The meetings of two players at tables of a pool: their number and recent times."""

    matches: int = 0
    recent: tuple[datetime, ...] = ()


class OpponentMeetings(Value, frozen=True):
    """The meetings of two players from one player's view."""

    player: Actor
    matches: int
    recent: tuple[datetime, ...]

    @property
    def meetings(self) -> Meetings:
        """Return the meetings without the player."""
        return Meetings(self.matches, self.recent)


STRANGERS: Final = Meetings()


def opponents_met(
    meetings: Iterable[OpponentMeetings], player: Actor, table: Iterable[Actor]
) -> tuple[OpponentMeetings, ...]:
    """Return the others at a table with their earlier meetings, sorted by id; missing ones are strangers."""
    by_player = {each.player: each for each in meetings}
    others = sorted({*table} - {player})
    return tuple(
        [by_player.get(other) or OpponentMeetings(other, STRANGERS.matches, STRANGERS.recent) for other in others]
    )


def is_admissible(outcome: Outcome) -> bool:
    """Return whether a rated match is public, has a clock and was started without guests."""
    return outcome.public and outcome.clocked and all(starter.standing != "guest" for starter in outcome.began)


def is_played(rounds: Sequence[int], *, ruled: bool) -> bool:
    """Return whether a match counts by the first edition, given the number of rounds each starter acted in."""
    return ruled or all(count >= ROUNDS_MIN for count in rounds)


def repeat_weight(meetings: Meetings | OpponentMeetings, at: datetime) -> float:
    """Return the weight of another match of two players.

    It is 1 below `FULL_MATCHES` matches within the window, then halved with each further match.
    """
    if len(meetings.recent) < FULL_MATCHES:
        return 1.0
    since = at - WINDOW
    before = sum(since < time <= at for time in meetings.recent)
    return 1.0 if before < FULL_MATCHES else 0.5 ** (before - FULL_MATCHES + 1)


def known_share(matches: int, meetings: Meetings | OpponentMeetings) -> float:
    """Return the weight of an opponent: its share of `KNOWN_MATCHES` without this player, `UNKNOWN_SHARE` to 1."""
    return max(UNKNOWN_SHARE, min(1.0, (matches - meetings.matches) / KNOWN_MATCHES))


def add_meeting(meetings: Meetings, at: datetime) -> Meetings:
    """Return the meetings after another match, without times before the window, and at most `MEETINGS_STORED_MAX`."""
    if not meetings.recent:
        return Meetings(meetings.matches + 1, (at,))
    since = at - WINDOW
    recent = (*[time for time in meetings.recent if since < time], at)
    return Meetings(meetings.matches + 1, recent[-MEETINGS_STORED_MAX:])
