"""Responses about circuits, built from the domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from api.accounts.display_names import Names
from api.circuits.present import PresentCircuit, PresentFinal
from api.circuits.schemas import (
    CircuitActShown,
    CircuitContestShown,
    CircuitLineShown,
    CircuitListed,
    CircuitResultShown,
    CircuitShown,
    FinalPlaceShown,
    FinalShown,
    RankChangeShown,
    ReleasedPlaceShown,
)
from api.matches.responses import show_player
from domain.circuits.acts import CircuitAct
from domain.circuits.counting import CircuitLine, ContestStandings, CountedResult, has_quorum
from domain.circuits.fact_base import ContestKey, ContestKind
from domain.circuits.plan import CircuitPlan
from domain.circuits.state import Circuit, InvitedPerson
from domain.matches.facts import Actor
from domain.standings.points import points_text
from projections.circuits import CircuitAround, CircuitRow

PLACES: Final[Mapping[ContestKind, str]] = {"tournament": "events", "season": "leagues", "circuit": "circuits"}
"""The first part of the path of a contest's page."""


def actors_of(present: PresentCircuit) -> set[Actor]:
    """Return all actors that a response about a circuit names."""
    state = present.circuit
    lines = {line.actor for line in present.shown_lines}
    return {state.organiser, *lines, *(each.actor for each in state.invited_to_final)}


def actors_in_acts(acts: Iterable[CircuitAct]) -> set[Actor]:
    """Return all actors that acts name."""
    found = set[Actor]()
    for act in acts:
        found |= {act.by, *act.people, *(each.actor for each in act.released), *(each.actor for each in act.changes)}
    return found


def path_of(key: ContestKey) -> str:
    """Return the path of the page of a contest; for a season, which may not be open yet, the page of its league."""
    return f"/{PLACES[key.kind]}/{key.id}"


def show_row(row: CircuitRow, names: Names) -> CircuitListed:
    """Return a circuit in a list."""
    return CircuitListed(
        circuit_id=row.circuit_id,
        name=row.name,
        contests=row.contests,
        is_settled=row.is_settled,
        first=show_player(row.first, names) if row.first else None,
    )


def show_around(around: CircuitAround, names: Names) -> CircuitListed:
    """Return a circuit in a list for one contest."""
    shown = show_row(around.circuit, names)
    return msgspec.structs.replace(shown, part=around.part, season=around.season)


def show_contest(contest: ContestStandings, plan: CircuitPlan, withdrawn: str = "") -> CircuitContestShown:
    """Return a contest of a circuit."""
    key = contest.key
    return CircuitContestShown(
        kind=key.kind,
        id=key.id,
        season=key.season,
        name=contest.name or key.name,
        title=contest.title,
        path=path_of(key),
        status=contest.status,
        size=contest.size,
        weight=contest.weight,
        counts=has_quorum(plan, contest),
        withdrawn=withdrawn,
    )


def show_result(result: CountedResult) -> CircuitResultShown:
    """Return the result of a person in a contest."""
    points = points_text(result.points)
    return CircuitResultShown(result.contest, result.place, result.size, points, result.counts, result.is_final)


def show_line(line: CircuitLine, present: PresentCircuit, names: Names) -> CircuitLineShown:
    """Return a row of the standings."""
    circuit = present.circuit
    return CircuitLineShown(
        rank=line.rank,
        player=show_player(line.actor, names),
        points=points_text(line.points),
        wins=line.wins,
        best_rank=None if circuit.is_settled else present.best.get(line.actor, 0),
        qualifies=0 < line.rank <= circuit.plan.qualify,
        results=tuple(show_result(result) for result in line.results),
    )


def show_final(final: PresentFinal, circuit: Circuit, names: Names) -> FinalShown:
    """Return the final with its places."""
    places = tuple(show_place(each, final, names) for each in circuit.invited_to_final)
    held = sum(place.has_place for place in places)
    return FinalShown(
        contest=show_contest(final.contest, circuit.plan),
        places=places,
        free=max(0, circuit.plan.qualify - held),
        takes_invitations=final.takes_invitations,
    )


def show_place(invited: InvitedPerson, final: PresentFinal, names: Names) -> FinalPlaceShown:
    """Return a person invited to the final, with the answer."""
    answer = invited.released or final.answers.get(invited.actor, "withdrawn")
    has_place = invited.released is None and answer in ("invited", "entered")
    return FinalPlaceShown(show_player(invited.actor, names), answer, invited.until, has_place)


def show_circuit(present: PresentCircuit, around: tuple[CircuitListed, ...], names: Names) -> CircuitShown:
    """Return a circuit for a response."""
    stream, circuit, plan = present.stream, present.circuit, present.circuit.plan
    return CircuitShown(
        circuit_id=stream.id,
        version=stream.version,
        head=stream.head,
        organiser=show_player(circuit.organiser, names),
        plan=plan,
        is_settled=circuit.is_settled,
        settled_at=circuit.settled_at,
        is_outdated=present.is_outdated,
        contests=tuple(show_contest(each, plan) for each in present.contests),
        withdrawn=tuple(show_contest(each, plan, reason) for each, reason in present.withdrawn),
        standings=tuple(show_line(line, present, names) for line in present.shown_lines),
        final=None if present.final is None else show_final(present.final, circuit, names),
        around=around,
    )


def show_act(act: CircuitAct, present: PresentCircuit, names: Names) -> CircuitActShown:
    """Return an act with the names of its people and its contest."""
    return CircuitActShown(
        version=act.version,
        at=act.at,
        by=show_player(act.by, names),
        kind=act.kind,
        reason=act.reason,
        contest=None if act.contest is None else contest_of_act(act.contest, act.weight, present),
        people=tuple(show_player(actor, names) for actor in act.people),
        released=tuple(ReleasedPlaceShown(show_player(each.actor, names), each.why) for each in act.released),
        changes=tuple(
            RankChangeShown(
                show_player(each.actor, names),
                each.was_rank,
                each.rank,
                points_text(each.was_points),
                points_text(each.points),
            )
            for each in act.changes
        ),
    )


def contest_of_act(key: ContestKey, weight: int, present: PresentCircuit) -> CircuitContestShown:
    """Return the contest of an act; without a part in the circuit, its name is its id."""
    final = () if present.final is None else (present.final.contest,)
    known = {each.key: each for each in (*present.contests, *(each for each, _ in present.withdrawn), *final)}
    found = known.get(key) or ContestStandings(key=key)
    shown = show_contest(found, present.circuit.plan)
    return msgspec.structs.replace(shown, weight=weight) if weight else shown
