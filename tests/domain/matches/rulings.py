"""Rulings for tests: as facts, given to a match in a store; and a line put in the place of another."""

from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.matches.aggregate import Match
from domain.matches.fact_base import Authority
from domain.matches.facts import RulingGiven
from domain.matches.forks import forking
from domain.matches.rulings import ruling
from domain.matches.rulings.measures import LineResumed, Measure
from tests.domain.matches.world import START

ARBITER = "arbiter"


def given(
    name: str,
    *measures: Measure,
    appeal_of: str = "",
    upheld: bool = False,
    at: int = 1,
    authority: Authority = "",
) -> RulingGiven:
    return RulingGiven(
        ruling=name,
        dispute="dispute",
        by=ARBITER,
        at=at,
        rule="3.1",
        reasons="It was so.",
        measures=measures,
        appeal_of=appeal_of,
        upheld=upheld,
        authority=authority,
    )


def rules(matches: Matches, match_id: UUID, fact: RulingGiven) -> Match:
    """The ruling, given to the match."""
    return matches.transact(lambda batch: batch.append(match_id, lambda match: ruling.rule(match, fact)), at=START)


def resumes(matches: Matches, match_id: UUID, version: int, new_id: UUID, name: str = "resumed") -> Match:
    """The match goes on from an entry, as a line that takes its place."""
    fact = given(name, LineResumed(version, str(new_id)))

    def compose(batch: Batch) -> Match:
        batch.append(match_id, lambda match: ruling.rule(match, fact))
        base = matches.at(match_id, version)
        forking.check_position(base, version)
        batch.fork(base, forking.replacement(base, ruling=name, clocks=(), seed=bytes(range(32))), new_id)
        return batch.append(new_id, lambda match: ruling.rule(match, fact))

    return matches.transact(compose, at=START)
