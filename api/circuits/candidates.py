"""Events that an organiser opened, as choices for a circuit."""

from __future__ import annotations

from typing import Final

import msgspec

from domain.circuits.fact_base import ContestKey
from domain.matches.facts import Actor
from projections import circuits, leagues
from projections.platform.store import ReadStore
from projections.tournaments import listing

OFFERED_MAX: Final = 50
"""Offered events of each kind, the latest ones."""


class Candidate(msgspec.Struct, frozen=True):
    """An event that may count for a circuit, or be its final; the next season of a league need not be open yet."""

    key: ContestKey
    name: str


def list_candidates(store: ReadStore, person: Actor) -> tuple[Candidate, ...]:
    """Return the latest events that a person opened: tournaments, seasons of leagues, and circuits, latest first."""
    found = []
    for event, _ in reversed(listing.tournaments_opened_by(store, person)[-OFFERED_MAX:]):
        if (tournament := listing.get(store, event)) is not None:
            found.append(Candidate(ContestKey("tournament", event), tournament.name))
    for event, _ in reversed(leagues.leagues_opened_by(store, person)[-OFFERED_MAX:]):
        if (league := leagues.get(store, event)) is not None:
            names = [season.name for season in league[1].seasons]
            for number, name in reversed([*enumerate([*names, str(len(names) + 1)], 1)]):
                found.append(Candidate(ContestKey("season", event, number), f"{league[1].plan.name}, {name}"))
    for event, _ in reversed(circuits.circuits_opened_by(store, person)[-OFFERED_MAX:]):
        if (circuit := circuits.find_row(store, event)) is not None:
            found.append(Candidate(ContestKey("circuit", event), circuit.name))
    return tuple(found)
