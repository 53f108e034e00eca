"""Tournaments built fact by fact without a store, and results by match id."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.log.records import Record
from domain.matches.seats.acceptance import needs_acceptance
from domain.matches.seats.event_tables import seat_player
from domain.pairing.methods import pair_round
from domain.standings.contest import NEWEST_RULE, Stage
from domain.standings.results import TableResult
from domain.titles import TITLES
from domain.tournaments import facts, registration, rounds, substitutes
from domain.tournaments.commands import TournamentStream
from domain.tournaments.invitation_facts import PersonInvited
from domain.tournaments.plan import Plan
from domain.tournaments.state import TOURNAMENT, Tournament, evolve

AT = datetime(2026, 1, 1, tzinfo=UTC)
EVENT = UUID(int=7)
BY = "olga"


def plan_with(**changes: Any) -> Plan:
    """Return a plan as requests send it, with options left out."""
    fields: dict[str, Any] = {"name": "Cup", "title": "la_granja", "stages": (Stage("swiss", 3),), "seed": 1}
    return Plan(**{**fields, **changes})


def stated_plan(**changes: Any) -> Plan:
    """Return the plan in its stored form: with every option, and the latest rule of counting."""
    plan = plan_with(**changes)
    return replace(plan, options=dict(TITLES[plan.title].rules.options(plan.options).chosen), standings=NEWEST_RULE)


def taking_part(state: Tournament, **details: Any) -> facts.EntryMade | PersonInvited:
    """Enter an account by its own act, a bot or a name by the organiser's."""
    actor = details.get("actor", "")
    return registration.enter(state, actor if needs_acceptance(BY, actor) else BY, **details)


def seat_substitute_for(matches: Matches, entry: str, actor: str = "sue", *, at: datetime = AT) -> TournamentStream:
    """Name a substitute for round 1, who accepts."""
    substitutes.name_substitute(matches, EVENT, 1, entry, actor, BY, "Ill.", at=at)
    return substitutes.accept(matches, EVENT, 1, entry, actor, at=at)


class Story:
    """A tournament with its facts."""

    def __init__(self, count: int = 0, *, rule: Any = NEWEST_RULE, **plan: Any) -> None:
        self.results: dict[UUID, TableResult] = {}
        self.version = 0
        self.at = AT
        self.state: Tournament
        opened = registration.open_tournament(TITLES, plan_with(**plan), BY)
        self.take(replace(opened, plan=replace(opened.plan, standings=rule)))
        for number in range(1, count + 1):
            self.enter(f"p{number}")

    def take(self, *new_facts: Any) -> "Story":
        """Add facts, each through its stored form."""
        for fact in new_facts:
            self.version += 1
            body = msgspec.Raw(msgspec.json.encode(fact))
            record = Record(
                originator_id=EVENT, originator_version=self.version, timestamp=self.at, previous=bytes(32), body=body
            )
            self.state = evolve(getattr(self, "state", None), record, TOURNAMENT.read(record))
        return self

    def enter(self, actor: str, **details: Any) -> "Story":
        return self.take(taking_part(self.state, actor=actor, **details))

    def pair(self, **options: Any) -> "Story":
        """Request and propose the next round."""
        self.take(rounds.ask_pairing(self.state, self.results, BY, **options))
        last = self.state.rounds[-1]
        pairing, reasons = pair_round(last.problem, last.way)
        return self.take(rounds.answer_pairing(self.state, last.number, pairing, reasons))

    def set(self, *tables: tuple[str, ...], byes: tuple[str, ...] = ()) -> "Story":
        """Pair the next round as given, and publish it."""
        self.take(rounds.ask_pairing(self.state, self.results, BY))
        number = self.state.rounds[-1].number
        proposal = facts.PairingProposed(number, tables, byes, (), tuple(() for _ in tables), "tables")
        return self.take(proposal).publish()

    def publish(self) -> "Story":
        number = self.state.rounds[-1].number
        return self.take(rounds.publish(self.state, number, self.results, BY), facts.RoundOpened(number))

    def result(self, table: int, *scores: int, places: tuple[int, ...] = (), number: int = 0) -> "Story":
        """End the match of a table; without places the higher score is better."""
        round_table = self.state.rounds[(number or len(self.state.rounds)) - 1].tables[table - 1]
        assert round_table.match is not None
        ranking = places or tuple(1 + sum(other > score for other in scores) for score in scores)
        self.results[round_table.match] = TableResult(ranking, scores)
        return self

    def close(self) -> "Story":
        last = self.state.rounds[-1]
        return self.take(*rounds.close_round(self.state, last.number, self.results, (), BY))

    def play(self) -> "Story":
        """Play the next round; the higher entry number wins."""
        self.pair().publish()
        for number, table in enumerate(self.state.rounds[-1].tables, start=1):
            self.result(number, *(int(name.removeprefix("e")) for name in table.entries))
        return self.close()

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        return tuple(table.entries for table in self.state.rounds[-1].tables)


def seat_entrants(matches: Matches, match_id: UUID, *actors: Actor, at: datetime) -> None:
    """Seat people at a match in order, as a tournament or league does."""

    def sit(batch: Batch) -> None:
        for seat, actor in enumerate(actors):
            seat_player(batch, batch.match(match_id), seat, actor, "")

    matches.transact(sit, at=at)
