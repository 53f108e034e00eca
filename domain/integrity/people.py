"""How long somebody thinks over all their matches of a kind, beside everybody else who plays that kind."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median_low
from typing import Final

from domain.integrity.base import MATCHES_MIN, Base, Figures, Measure, Standing, bases_of, standings_of
from domain.integrity.played import Played
from domain.kernel.values import Value
from domain.matches.facts import Actor, Clock

TIMES: Final[tuple[Measure, ...]] = ("median", "spread", "quick", "fit")


class Kind(Value, frozen=True):
    """Whose times can be compared: a title at tables of one size under the same clock."""

    title: str
    seats: int
    clock: Clock


class Thinker(Value, frozen=True):
    """Somebody's times over their matches of a kind, each the median over matches."""

    person: Actor
    kind: Kind
    matches: int
    standings: tuple[Standing, ...]


class Sitting(Value, frozen=True):
    """Somebody's times in one match, beside those of all other people in matches of the kind."""

    person: Actor
    decisions: int
    standings: tuple[Standing, ...]


def kind_of(played: Played) -> Kind:
    return Kind(played.title, len(played.seats), played.clock)


def paces_by_person(matches: Iterable[Played]) -> dict[Kind, dict[Actor, list[Figures]]]:
    """The figures of every match, by kind and person."""
    found: dict[Kind, dict[Actor, list[Figures]]] = {}
    for played in matches:
        people = found.setdefault(kind_of(played), {})
        for seat in played.seats:
            if seat.person is not None and seat.pace is not None:
                people.setdefault(seat.person, []).append(seat.pace.figures)
    return found


def medians(figures: Sequence[Figures]) -> dict[Measure, int]:
    """Of each measure the median over matches, where enough of them have it."""
    taken = {measure: [each[measure] for each in figures if measure in each] for measure in TIMES}
    return {measure: median_low(values) for measure, values in taken.items() if len(values) >= MATCHES_MIN}


def thinkers(matches: Iterable[Played]) -> tuple[Thinker, ...]:
    """Everybody of whom enough matches of a kind are known, where enough others are."""
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
    """The people of one match who have played enough of its kind, beside the sittings of all others, where those are
    enough."""
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
