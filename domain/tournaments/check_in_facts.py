"""Facts about the check-in before the first round."""

from domain.matches.facts import Actor
from domain.signatures.acts import Signed
from domain.tournaments.fact_base import TournamentFact


class CheckedIn(TournamentFact, frozen=True):
    """An entry checked in, or an organiser checked it in."""

    by: Actor
    entry: str
    signed: Signed | None = None


class CheckInUndone(TournamentFact, frozen=True):
    """A check-in was undone."""

    by: Actor
    entry: str
    signed: Signed | None = None


class CheckInClosed(TournamentFact, frozen=True):
    """The check-in closed; the withdrawals of absent entries follow in the same transaction."""

    by: Actor
    signed: Signed | None = None
