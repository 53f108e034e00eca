"""The state of the people in a contest, which tournaments and leagues hold in one field."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from domain.contests.absences import Absences, AbsencesStated, absences_after
from domain.contests.fact_base import ContestFact
from domain.kernel.values import Value, replace


class ContestPeople(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The people of a contest, by the facts that both subjects share."""

    absences: Mapping[str, Absences] = {}
    """The absences of each player, by `absence_key`."""


EVOLVE: Final[Mapping[type[ContestFact], Callable[[ContestPeople, Any, datetime], ContestPeople]]] = {
    AbsencesStated: lambda people, fact, _: replace(people, absences=absences_after(people.absences, fact)),
}
"""The fold of each shared fact; the last argument is the time of its record."""


def people_after(people: ContestPeople, fact: ContestFact, at: datetime) -> ContestPeople:
    """Return the people after a shared fact, which a subject records as its own subclass."""
    return EVOLVE[type(fact).__mro__[1]](people, fact, at)
