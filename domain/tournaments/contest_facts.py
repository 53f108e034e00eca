"""Facts of a tournament that leagues share (`domain.contests`), with the tags of its records."""

from typing import Final

from domain.contests import absences
from domain.contests.fact_base import bases_of
from domain.tournaments.fact_base import TournamentFact


class AbsencesStated(absences.AbsencesStated, TournamentFact, frozen=True):
    """An entry stated when it is away."""


SharedFact = AbsencesStated
SHARED: Final = bases_of([AbsencesStated])
"""The shared facts of tournaments, by the fact that each extends."""
