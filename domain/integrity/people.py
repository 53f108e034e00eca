"""A person's thinking times over all matches of a kind, compared with everyone else's."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median_low
from typing import Final

from domain.integrity.base import MATCHES_MIN, Base, Figures, Measure, Standing, bases_of, standings_of
from domain.integrity.played import Played
from domain.kernel.values import Value
from domain.matches.facts import Actor, Clock

TIMES: Final[tuple[Measure, ...]] = ("median", "spread", "quick", "fit")


class Kind(Value, frozen=True):
    """Matches with comparable times: a title at tables of one size under the same clock."""

    title: str
    seats: int
    clock: Clock


class Thinker(Value, frozen=True):
    """A person's times over their matches of a kind; each is the median over matches."""

    person: Actor
    kind: Kind
    matches: int
    standings: tuple[Standing, ...]


class Sitting(Value, frozen=True):
    """A person's times in one match, compared with all other people in matches of the kind."""

    person: Actor
    decisions: int
    standings: tuple[Standing, ...]


def kind_of(played: Played) -> Kind:
    """Return the kind of a match."""
    return Kind(played.title, len(played.seats), played.clock)


def paces_by_person(matches: Iterable[Played]) -> dict[Kind, dict[Actor, list[Figures]]]:
    """Return the figures of every match, by kind and person."""
    found: dict[Kind, dict[Actor, list[Figures]]] = {}
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


def thinkers(matches: Iterable[Played]) -> tuple[Thinker, ...]:
    """Return the times of people with enough matches of a kind, if enough others have them."""
    found: list[Thinker] = []
    for kind, people in paces_by_person(matches).items():
        known = {person: figures for person, each in people.items() if (figures := medians(each))}
        bases: Mapping[Measure, Base] = bases_of(known.values())
        for person, figures in known.items():
            standings = standings_of(bases, figures, (figures,))
            if standings:
                found.append(Thinker(person, kind, len(people[person]), standings))
    return tuple(found)


def sittings(matches: Sequence[Played], played: Played) -> tuple[Sitting, ...]:
    """Return the people of a match with enough matches of its kind, compared with all others, if enough."""
    people = paces_by_person(matches).get(kind_of(played), {})
    bases = bases_of(figures for each in people.values() for figures in each)
    found: list[Sitting] = []
    for seat in played.seats:
        own = people.get(seat.person or "", [])
        if seat.person is not None and seat.pace is not None and len(own) >= MATCHES_MIN:
            standings = standings_of(bases, seat.pace.figures, own)
            if standings:
                found.append(Sitting(seat.person, seat.pace.decisions, standings))
    return tuple(found)
