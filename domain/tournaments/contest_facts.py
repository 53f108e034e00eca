"""Facts of a tournament that leagues share (`domain.contests`), with the tags of its records."""

from domain.contests import absences
from domain.tournaments.fact_base import TournamentFact


class AbsencesStated(absences.AbsencesStated, TournamentFact, frozen=True):
    """An entry stated when it is away."""


SharedFact = AbsencesStated
