"""Facts of a deadline: it was extended, or a table was left to bots."""

from datetime import datetime

from domain.matches.facts import Actor
from domain.signatures.acts import Signed
from domain.tournaments.fact_base import Text, TournamentFact


class DeadlineExtended(TournamentFact, frozen=True):
    """Tables without a result got more time at the deadline of a round; later rounds move if they would overlap."""

    by: Actor
    round: int
    deadline: datetime
    reason: Text
    signed: Signed | None = None


class TableLeftToBots(TournamentFact, frozen=True):
    """Bots play on at a table without a result; `until`: when the scores decide if they have not."""

    by: Actor
    round: int
    table: int
    until: datetime
    reason: Text
    signed: Signed | None = None
