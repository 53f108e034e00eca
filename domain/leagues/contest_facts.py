"""Facts of a league that tournaments share (`domain.contests`), with the tags of its records."""

from domain.contests import absences
from domain.leagues.fact_base import LeagueFact


class AbsencesStated(absences.AbsencesStated, LeagueFact, frozen=True):
    """A player of a season stated when they are away."""


SharedFact = AbsencesStated
