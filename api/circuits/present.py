"""The present state of a circuit: the places in its contests, its standings and its final."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from domain.circuits.best_places import best_places
from domain.circuits.counting import CircuitLine, ContestStandings, circuit_standings
from domain.circuits.decisions import settled_lines
from domain.circuits.fact_base import ContestKey
from domain.circuits.final import FinalAnswer
from domain.circuits.final_answers import answers_in, find_final, takes_invitations
from domain.circuits.present_places import circuit_places, missing_contest, season_places, tournament_places
from domain.circuits.state import CIRCUIT, Circuit
from domain.kernel.values import replace
from domain.leagues.state import LEAGUE
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchReader
from domain.standings.results import Results
from domain.tournaments.state import TOURNAMENT
from projections.matches.results import table_results
from projections.platform.store import ReadStore

ResultsByEvent = Mapping[UUID, Results]


@dataclass(frozen=True)
class PresentFinal:
    """The final of a circuit, with the answers of the people invited or entered."""

    contest: ContestStandings
    answers: Mapping[Actor, FinalAnswer]
    takes_invitations: bool


@dataclass(frozen=True)
class PresentCircuit:
    """A circuit at present; `contests` are the active ones, in their order.

    `lines`: by the present places. `withdrawn`: contests that no longer count, with their reasons.
    """

    stream: Stream[Circuit]
    contests: tuple[ContestStandings, ...]
    lines: tuple[CircuitLine, ...]
    best: Mapping[Actor, int]
    withdrawn: tuple[tuple[ContestStandings, str], ...]
    final: PresentFinal | None

    @property
    def circuit(self) -> Circuit:
        """The state of the circuit."""
        return self.stream.state

    @property
    def is_outdated(self) -> bool:
        """Whether the official standings differ from the present ones."""
        return self.circuit.is_settled and self.circuit.settled != settled_lines(self.lines)

    @property
    def shown_lines(self) -> tuple[CircuitLine, ...]:
        """The rows of the official standings with the present results; without them, the present rows."""
        if not self.circuit.is_settled:
            return self.lines
        results = {line.actor: line.results for line in self.lines}
        return tuple(
            CircuitLine(line.actor, line.rank, line.points, results.get(line.actor, ()))
            for line in self.circuit.settled
        )


def events_in(matches: MatchReader, circuit_id: UUID) -> frozenset[UUID]:
    """Return the tournaments and leagues of a circuit, also of the circuits in it; raise `NoSuchStream`."""
    state = matches.streams.get(CIRCUIT, circuit_id).state
    keys = [*(each.key for each in state.contests), *(() if state.final is None else (state.final,))]
    inner = [events_in(matches, key.id) for key in keys if key.kind == "circuit"]
    return frozenset(key.id for key in keys if key.kind != "circuit").union(*inner)


def results_of(store: ReadStore, events: Iterable[UUID]) -> ResultsByEvent:
    """Return the results of tournaments and leagues."""
    return {event: table_results(store, event) for event in events}


def read_circuit(matches: MatchReader, circuit_id: UUID, results: ResultsByEvent) -> PresentCircuit:
    """Return a circuit at present; raise `NoSuchStream` if it is unknown."""
    stream = matches.streams.get(CIRCUIT, circuit_id)
    state = stream.state
    contests = count_contests(matches, state, results)
    lines = circuit_standings(state.id, state.plan, contests)
    return PresentCircuit(
        stream,
        contests,
        lines,
        {} if state.is_settled else best_places(state.plan, contests, lines),
        tuple(
            (replace(count_contest(matches, each.key, results), weight=each.weight), each.withdrawn)
            for each in state.contests
            if each.withdrawn
        ),
        None if state.final is None else read_final(matches, state.final, results),
    )


def count_contests(matches: MatchReader, circuit: Circuit, results: ResultsByEvent) -> tuple[ContestStandings, ...]:
    """Return the present places in the contests that count for a circuit."""
    return tuple(
        replace(count_contest(matches, each.key, results), weight=each.weight) for each in circuit.active_contests
    )


def count_contest(matches: MatchReader, key: ContestKey, results: ResultsByEvent) -> ContestStandings:
    """Return the present places in a contest; one that cannot be found is missing."""
    streams = matches.streams
    if key.kind == "tournament":
        event = streams.find(TOURNAMENT, key.id)
        return missing_contest(key) if event is None else tournament_places(key, event.state, results.get(key.id, {}))
    if key.kind == "season":
        league = streams.find(LEAGUE, key.id)
        return missing_contest(key) if league is None else season_places(key, league.state, results.get(key.id, {}))
    found = streams.find(CIRCUIT, key.id)
    if found is None:
        return missing_contest(key)
    inner = found.state
    contests = () if inner.is_settled else count_contests(matches, inner, results)
    return circuit_places(key, inner, circuit_standings(inner.id, inner.plan, contests))


def read_final(matches: MatchReader, key: ContestKey, results: ResultsByEvent) -> PresentFinal:
    """Return the final of a circuit."""
    event = find_final(matches.streams, key)
    contest = count_contest(matches, key, results)
    if event is None:
        return PresentFinal(contest, {}, takes_invitations=False)
    return PresentFinal(contest, answers_in(event, key), takes_invitations(event, key))
