"""What happens to ratings as a whole: since when the rules of fair play hold. Everything else is a fold of results."""

from datetime import datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import Value, tagger
from domain.matches.application import Matches
from domain.matches.batch import Batch
from domain.matches.facts import SERVICE, Actor
from domain.matches.records import Kind, Record

RATINGS_STREAM: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000003")


class FairPlayBegan(Value, frozen=True, tag_field="type", tag=tagger("ratings"), omit_defaults=True):
    """Matches that start from now on are rated by the rules of fair play; what was rated before stays as it is."""

    by: Actor


class RatingRules(Value, frozen=True):
    """The rules that ratings are made by."""

    fair_since: datetime


def evolve(rules: RatingRules | None, record: Record, _: FairPlayBegan) -> RatingRules:
    return rules or RatingRules(record.timestamp)


RATINGS: Final[Kind[FairPlayBegan, RatingRules]] = Kind("ratings", FairPlayBegan, evolve)


def begin_fair_play(matches: Matches, *, at: datetime) -> RatingRules:
    """The date is recorded once, when a service with these rules first runs."""

    def compose(batch: Batch) -> RatingRules:
        known = batch.find(RATINGS, RATINGS_STREAM) or batch.record(RATINGS, RATINGS_STREAM, FairPlayBegan(SERVICE))
        return known.state

    return matches.transact(compose, at=at)
