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
KEPT: Final = 10
"""The number of recent meetings stored; more make the weight less than a hundredth."""


class Together(Value, frozen=True):
    """The meetings of two players at tables of a pool: their number and recent times."""

    matches: int = 0
    recent: tuple[datetime, ...] = ()


class Met(Value, frozen=True):
    """The meetings of two players from one player's view."""

    player: Actor
    matches: int
    recent: tuple[datetime, ...]

    @property
    def together(self) -> Together:
        """Return the meetings without the player."""
        return Together(self.matches, self.recent)


STRANGERS: Final = Together()


def all_met(known: Iterable[Met], player: Actor, table: Iterable[Actor]) -> tuple[Met, ...]:
    """Return the others at a table with their earlier meetings, sorted by id; missing ones are strangers."""
    found = {met.player: met for met in known}
    others = sorted({*table} - {player})
    return tuple([found.get(other) or Met(other, STRANGERS.matches, STRANGERS.recent) for other in others])


def is_admissible(outcome: Outcome) -> bool:
    """Return whether a rated match is public, has a clock and was started without guests."""
    return outcome.public and outcome.clocked and all(began.standing != "guest" for began in outcome.began)


def is_played(rounds: Sequence[int], *, ruled: bool) -> bool:
    """Return whether a match counts by the first edition, given the number of rounds each starter acted in."""
    return ruled or all(count >= ROUNDS_MIN for count in rounds)


def met_weight(known: Together | Met, at: datetime) -> float:
    """Return the weight of another match of two players.

    It is 1, halved for each match above `FULL_MATCHES` within the window.
    """
    if len(known.recent) < FULL_MATCHES:
        return 1.0
    since = at - WINDOW
    before = sum(since < then <= at for then in known.recent)
    return 1.0 if before < FULL_MATCHES else 0.5 ** (before - FULL_MATCHES + 1)


def known_share(matches: int, known: Together | Met) -> float:
    """Return the weight of an opponent: its share of `KNOWN_MATCHES` without this player, `UNKNOWN_SHARE` to 1."""
    return max(UNKNOWN_SHARE, min(1.0, (matches - known.matches) / KNOWN_MATCHES))


def met_again(known: Together, at: datetime) -> Together:
    """Return the meetings after another match, without times that can no longer matter."""
    if not known.recent:
        return Together(known.matches + 1, (at,))
    since = at - WINDOW
    recent = (*[then for then in known.recent if since < then], at)
    return Together(known.matches + 1, recent[-KEPT:])
