"""Facts of a league that tournaments share (`domain.contests`), with the tags of its records."""

from typing import Final

from domain.contests import absences
from domain.contests.fact_base import bases_of
from domain.leagues.fact_base import LeagueFact


class AbsencesStated(absences.AbsencesStated, LeagueFact, frozen=True):
    """A player of a season stated when they are away."""


SharedFact = AbsencesStated
SHARED: Final = bases_of([AbsencesStated])
"""The shared facts of leagues, by the fact that each extends."""
