"""Facts about ratings as a whole: the dates of the rules. Everything else is folded from results."""

from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import Value, replace, tagger
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Kind, Record
from domain.matches.transaction import MatchWriter, Transaction
from domain.ratings.rules import UNRESTRICTED, RatingRules

RATINGS_STREAM: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000003")


class FairPlayBegan(Value, frozen=True, tag_field="type", tag=tagger("ratings"), omit_defaults=True):
    """Matches that start after this are rated by the rules of fair play; earlier ratings are unchanged."""

    by: Actor


class FairPlayRevised(Value, frozen=True, tag_field="type", tag=tagger("ratings"), omit_defaults=True):
    """Matches that start after this are rated by the second edition of these rules; earlier matches keep the first."""

    by: Actor


RatingsFact = FairPlayBegan | FairPlayRevised


def evolve(rules: RatingRules | None, record: Record, fact: RatingsFact) -> RatingRules:
    """Apply a dated fact; the first date of each kind counts."""
    current = rules or UNRESTRICTED
    if isinstance(fact, FairPlayBegan):
        return replace(current, fair_since=current.fair_since or record.timestamp)
    return replace(current, revised_since=current.revised_since or record.timestamp)


RATINGS: Final[Kind[RatingsFact, RatingRules]] = Kind("ratings", RatingsFact, evolve)


def begin_fair_play(matches: MatchWriter, *, at: datetime) -> RatingRules:
    """Record the date of each edition, unless it is recorded, and return the rules; called at each start."""

    def compose(batch: Transaction) -> RatingRules:
        stream = batch.find(RATINGS, RATINGS_STREAM) or batch.record(RATINGS, RATINGS_STREAM, FairPlayBegan(SERVICE))
        if stream.state.revised_since is None:
            stream = batch.record(RATINGS, RATINGS_STREAM, FairPlayRevised(SERVICE))
        return stream.state

    return matches.transact(compose, at=at)
