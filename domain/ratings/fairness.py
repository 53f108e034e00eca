"""What a rated match counts: which matches, whose, and with which weight (docs/play/fair-play.md)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.rulings.outcome import Outcome

ROUNDS_MIN: Final = 2
"""A match counts once every seat has acted in so many rounds."""
FULL_MATCHES: Final = 3
"""So many matches of two players with each other within the window count in full; each further one half of the last."""
WINDOW: Final = timedelta(days=30)
KNOWN_MATCHES: Final = 10
"""A player lifts others in full after so many rated matches at tables where those others did not sit."""
UNKNOWN_SHARE: Final = 0.1
"""What a player counts for others who has never played without them."""
KEPT: Final = 10
"""More meetings within the window than this need not be told apart: the next would count less than a hundredth."""


class Together(Value, frozen=True):
    """How often two players have met at tables of one pool, and when of late."""

    matches: int = 0
    recent: tuple[datetime, ...] = ()


class Met(Value, frozen=True):
    """The same as one of the two sees it: whom they met."""

    player: Actor
    matches: int
    recent: tuple[datetime, ...]

    @property
    def together(self) -> Together:
        return Together(self.matches, self.recent)


STRANGERS: Final = Together()


def all_met(known: Iterable[Met], player: Actor, table: Iterable[Actor]) -> tuple[Met, ...]:
    """Everybody else at a table as the player sees them, in the order of ids; `known`: those they had met."""
    found = {met.player: met for met in known}
    others = sorted({*table} - {player})
    return tuple([found.get(other) or Met(other, STRANGERS.matches, STRANGERS.recent) for other in others])


def is_admissible(outcome: Outcome) -> bool:
    """Return whether a rated match is public, has a clock and was started without guests."""
    return outcome.public and outcome.clocked and all(began.standing != "guest" for began in outcome.began)


def is_played(rounds: Sequence[int], *, ruled: bool) -> bool:
    """Return whether a match counts by the first edition; `rounds`: in how many the starter of each seat has acted."""
    return ruled or all(count >= ROUNDS_MIN for count in rounds)


def met_weight(known: Together | Met, at: datetime) -> float:
    """What one more match of two players counts, after those of the window before it."""
    if len(known.recent) < FULL_MATCHES:
        return 1.0
    since = at - WINDOW
    before = sum(since < then <= at for then in known.recent)
    return 1.0 if before < FULL_MATCHES else 0.5 ** (before - FULL_MATCHES + 1)


def known_share(matches: int, known: Together | Met) -> float:
    """How far somebody with so many rated matches is known, seen by a player: what they played without that player."""
    return max(UNKNOWN_SHARE, min(1.0, (matches - known.matches) / KNOWN_MATCHES))


def met_again(known: Together, at: datetime) -> Together:
    """After one more match, the last of all: what can still count later is kept."""
    if not known.recent:
        return Together(known.matches + 1, (at,))
    since = at - WINDOW
    recent = (*[then for then in known.recent if since < then], at)
    return Together(known.matches + 1, recent[-KEPT:])
