"""The fact of an extended deadline."""

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
