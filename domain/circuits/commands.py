"""Commands about circuits in the store, each one transaction."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from domain.circuits import decisions
from domain.circuits.acts import record_act
from domain.circuits.fact_base import ContestKey
from domain.circuits.facts import CircuitExcluded, CircuitIncluded, Fact
from domain.circuits.plan import CircuitPlan
from domain.circuits.points import FULL_WEIGHT
from domain.circuits.state import CIRCUIT, Circuit
from domain.leagues.state import LEAGUE
from domain.matches.errors import NoSuchStream
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchWriter, Transaction
from domain.tournaments.state import TOURNAMENT


def open_circuit(
    matches: MatchWriter, circuit_id: UUID, by: Actor, plan: CircuitPlan, *, at: datetime
) -> Stream[Circuit]:
    """Open a circuit; the same id again returns the existing one. Raise `CircuitRefused` for a bad plan."""
    fact = decisions.open_circuit(by, plan)

    def compose(batch: Transaction) -> Stream[Circuit]:
        return batch.find(CIRCUIT, circuit_id) or batch.record(CIRCUIT, circuit_id, fact)

    return matches.transact(compose, at=at)


def execute(
    matches: MatchWriter,
    circuit_id: UUID,
    decide: Callable[[Circuit], Fact],
    *,
    at: datetime,
    expected_version: int | None = None,
) -> Stream[Circuit]:
    """Record the fact that `decide` returns for the circuit, with its act in the audit trail."""

    def compose(batch: Transaction) -> Stream[Circuit]:
        fact = decide(batch.get(CIRCUIT, circuit_id).state)
        return record_act(batch, circuit_id, fact, expected_version=expected_version)

    return matches.transact(compose, at=at)


def add_contest(
    matches: MatchWriter, circuit_id: UUID, by: Actor, key: ContestKey, weight: int = FULL_WEIGHT, *, at: datetime
) -> Stream[Circuit]:
    """Let a contest count; raise `CircuitRefused` as the decision, and `NoSuchStream` if it is unknown.

    A circuit records that it is included, so that it knows the circuits around it, and that one of two transactions
    fails that would include two circuits in each other at the same time.
    """

    def compose(batch: Transaction) -> Stream[Circuit]:
        state = batch.get(CIRCUIT, circuit_id).state
        require_contest(batch, key)
        if key.kind != "circuit":
            return record_act(batch, circuit_id, decisions.add_contest(state, by, key, weight, inside=()))
        inside = depths_inside(batch, key.id, {})
        depth = count_outer(batch, circuit_id) + inside[key.id]
        fact = decisions.add_contest(state, by, key, weight, inside=inside, depth=depth)
        stream = record_act(batch, circuit_id, fact)
        batch.record(CIRCUIT, key.id, CircuitIncluded(by, circuit_id))
        return stream

    return matches.transact(compose, at=at)


def withdraw_contest(
    matches: MatchWriter, circuit_id: UUID, by: Actor, key: ContestKey, reason: str, *, at: datetime
) -> Stream[Circuit]:
    """Let a contest no longer count; raise `CircuitRefused` as the decision, and without a reason."""

    def compose(batch: Transaction) -> Stream[Circuit]:
        state = batch.get(CIRCUIT, circuit_id).state
        stream = record_act(batch, circuit_id, decisions.withdraw_contest(state, by, key, reason))
        if key.kind == "circuit":
            batch.record(CIRCUIT, key.id, CircuitExcluded(by, circuit_id))
        return stream

    return matches.transact(compose, at=at)


def name_final(
    matches: MatchWriter, circuit_id: UUID, by: Actor, key: ContestKey | None, *, at: datetime
) -> Stream[Circuit]:
    """Name the final; raise `CircuitRefused` as the decision, and `NoSuchStream` if it is unknown."""

    def compose(batch: Transaction) -> Stream[Circuit]:
        state = batch.get(CIRCUIT, circuit_id).state
        if key is not None:
            require_contest(batch, key)
        return record_act(batch, circuit_id, decisions.name_final(state, by, key))

    return matches.transact(compose, at=at)


def require_contest(batch: Transaction, key: ContestKey) -> None:
    """Raise `NoSuchStream` unless a contest exists; the next season of a league need not be open yet."""
    if key.kind == "tournament":
        batch.get(TOURNAMENT, key.id)
    elif key.kind == "circuit":
        batch.get(CIRCUIT, key.id)
    else:
        league = batch.get(LEAGUE, key.id).state
        if key.season > len(league.seasons) + 1:
            raise NoSuchStream(f"league {key.id} has no season {key.season}")


def depths_inside(batch: Transaction, circuit_id: UUID, known: dict[UUID, int]) -> dict[UUID, int]:
    """Return a circuit and all circuits that it contains, with the number of circuits below each other from it on."""
    if circuit_id not in known:
        keys = [each.key for each in batch.get(CIRCUIT, circuit_id).state.active_contests]
        inner = [key.id for key in keys if key.kind == "circuit"]
        known[circuit_id] = 1 + max((depths_inside(batch, each, known)[each] for each in inner), default=0)
    return known


def count_outer(batch: Transaction, circuit_id: UUID) -> int:
    """Return the largest number of circuits that contain each other down to this one, which counts too."""
    outer = batch.get(CIRCUIT, circuit_id).state.outer
    return 1 + max((count_outer(batch, each) for each in outer), default=0)
