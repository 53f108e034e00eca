"""A person's thinking times over all matches of a kind, compared with everyone else's."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median_low
from typing import Final

from domain.integrity.base_rates import MATCHES_MIN, BaseRate, Comparison, Figures, Measure, bases_of, compare_figures
from domain.integrity.measured_matches import MeasuredMatch
from domain.kernel.values import Value
from domain.matches.facts import Actor, Clock

TIMES: Final[tuple[Measure, ...]] = ("median", "spread", "quick", "fit")


class MatchKind(Value, frozen=True):
    """Matches with comparable times: a title at tables of one size under the same clock."""

    title: str
    seats: int
    clock: Clock


class PersonTimes(Value, frozen=True):
    """A person's times over their matches of a kind; each is the median over matches."""

    person: Actor
    kind: MatchKind
    matches: int
    standings: tuple[Comparison, ...]


class MatchTimes(Value, frozen=True):
    """A person's times in one match, compared with all other people in matches of the kind."""

    person: Actor
    decisions: int
    standings: tuple[Comparison, ...]


def kind_of(played: MeasuredMatch) -> MatchKind:
    """Return the kind of a match."""
    return MatchKind(played.title, len(played.seats), played.clock)


def paces_by_person(matches: Iterable[MeasuredMatch]) -> dict[MatchKind, dict[Actor, list[Figures]]]:
    """Return the figures of every match, by kind and person; seats without a person or pace are left out."""
    found: dict[MatchKind, dict[Actor, list[Figures]]] = {}
    for played in matches:
        people = found.setdefault(kind_of(played), {})
        for seat in played.seats:
            if seat.person is not None and seat.pace is not None:
                people.setdefault(seat.person, []).append(seat.pace.figures)
    return found


def medians(figures: Sequence[Figures]) -> dict[Measure, int]:
    """Return the median over matches of each measure that enough of them have."""
    taken = {measure: [each[measure] for each in figures if measure in each] for measure in TIMES}
    return {measure: median_low(values) for measure, values in taken.items() if len(values) >= MATCHES_MIN}


def times_by_person(matches: Iterable[MeasuredMatch]) -> tuple[PersonTimes, ...]:
    """Return the median times of people with enough matches of a kind, if enough others have them."""
    found: list[PersonTimes] = []
    for kind, people in paces_by_person(matches).items():
        known = {person: figures for person, each in people.items() if (figures := medians(each))}
        bases: Mapping[Measure, BaseRate] = bases_of(known.values())
        for person, figures in known.items():
            standings = compare_figures(bases, figures, (figures,))
            if standings:
                found.append(PersonTimes(person, kind, len(people[person]), standings))
    return tuple(found)


def match_times(matches: Sequence[MeasuredMatch], played: MeasuredMatch) -> tuple[MatchTimes, ...]:
    """Compare the times of a match with all matches of its kind by other people, seat by seat.

    Left out: people with fewer than `MATCHES_MIN` matches of the kind, and people without enough others to
    compare.
    """
    people = paces_by_person(matches).get(kind_of(played), {})
    bases = bases_of(figures for each in people.values() for figures in each)
    found: list[MatchTimes] = []
    for seat in played.seats:
        own = people.get(seat.person or "", [])
        if seat.person is not None and seat.pace is not None and len(own) >= MATCHES_MIN:
            standings = compare_figures(bases, seat.pace.figures, own)
            if standings:
                found.append(MatchTimes(seat.person, seat.pace.decisions, standings))
    return tuple(found)
