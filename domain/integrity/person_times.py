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


def kind_of(match: MeasuredMatch) -> MatchKind:
    """Return the kind of a match."""
    return MatchKind(match.title, len(match.seats), match.clock)


def paces_by_person(matches: Iterable[MeasuredMatch]) -> dict[MatchKind, dict[Actor, list[Figures]]]:
    """Return the figures of every match, by kind and person; seats without a person or pace are left out."""
    by_kind: dict[MatchKind, dict[Actor, list[Figures]]] = {}
    for match in matches:
        people = by_kind.setdefault(kind_of(match), {})
        for seat in match.seats:
            if seat.person is not None and seat.pace is not None:
                people.setdefault(seat.person, []).append(seat.pace.figures)
    return by_kind


def medians(figures: Sequence[Figures]) -> dict[Measure, int]:
    """Return the median over matches of each measure that enough of them have."""
    by_measure = {measure: [each[measure] for each in figures if measure in each] for measure in TIMES}
    return {measure: median_low(values) for measure, values in by_measure.items() if len(values) >= MATCHES_MIN}


def times_by_person(matches: Iterable[MeasuredMatch]) -> tuple[PersonTimes, ...]:
    """Return the median times of people with enough matches of a kind, if enough others have them."""
    rows: list[PersonTimes] = []
    for kind, people in paces_by_person(matches).items():
        medians_by_person = {person: figures for person, each in people.items() if (figures := medians(each))}
        base_rates: Mapping[Measure, BaseRate] = bases_of(medians_by_person.values())
        for person, figures in medians_by_person.items():
            standings = compare_figures(base_rates, figures, (figures,))
            if standings:
                rows.append(PersonTimes(person, kind, len(people[person]), standings))
    return tuple(rows)


def match_times(matches: Sequence[MeasuredMatch], match: MeasuredMatch) -> tuple[MatchTimes, ...]:
    """Compare the times of a match with all matches of its kind by other people, seat by seat.

    Left out: people with fewer than `MATCHES_MIN` matches of the kind, and people without enough others to
    compare.
    """
    people = paces_by_person(matches).get(kind_of(match), {})
    base_rates = bases_of(figures for each in people.values() for figures in each)
    rows: list[MatchTimes] = []
    for seat in match.seats:
        own_figures = people.get(seat.person or "", [])
        if seat.person is not None and seat.pace is not None and len(own_figures) >= MATCHES_MIN:
            standings = compare_figures(base_rates, seat.pace.figures, own_figures)
            if standings:
                rows.append(MatchTimes(seat.person, seat.pace.decisions, standings))
    return tuple(rows)
