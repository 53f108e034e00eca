"""The dates of the rules of rating, and matches rated before each of them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import Value
from domain.matches.facts import SERVICE
from domain.matches.rulings.outcome import Outcome
from domain.proofs.event import verify_event
from domain.ratings.counting import result_of
from domain.ratings.facts import RATINGS, RATINGS_STREAM, FairPlayBegan, begin_fair_play
from domain.ratings.ladder import Rated, RatedResult
from domain.ratings.models import BASE, model_of
from domain.ratings.recount import ladders_of
from domain.ratings.rules import UNRESTRICTED, Edition, RatingRules
from tests.domain.matches.match_helpers import ALL_TITLES

GOLDEN: Final = Path(__file__).parents[2] / "golden" / "fair-play-1"
START: Final = datetime(2026, 1, 15, tzinfo=UTC)
DAY: Final = timedelta(days=1)


class Counts(Value, frozen=True):
    """The header of `ratings.jsonl`: the number of lines of each kind, and the date of the rules."""

    fair_since: datetime
    outcomes: int
    results: int
    ratings: int


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    matches = open_store(store_env(tmp_path / "log.db"))
    yield matches
    matches.close()


def test_the_dates_of_the_rules_are_recorded_once(matches: Matches) -> None:
    first = begin_fair_play(matches, at=START)
    again = begin_fair_play(matches, at=START + DAY)

    assert first == again == RatingRules(START, START)
    assert matches.streams.get(RATINGS, RATINGS_STREAM).version == 2


def test_a_service_that_has_the_first_edition_records_the_second_when_it_next_starts(matches: Matches) -> None:
    matches.transact(lambda batch: batch.record(RATINGS, RATINGS_STREAM, FairPlayBegan(SERVICE)), at=START)

    assert begin_fair_play(matches, at=START + DAY) == RatingRules(START, START + DAY)


def test_a_match_keeps_the_edition_in_force_when_it_started() -> None:
    rules = RatingRules(START, START + DAY)

    days = (-1, 0, 0.5, 1, 2)
    assert [rules.edition(START + day * DAY) for day in days] == [
        Edition.UNRESTRICTED,
        Edition.FAIR,
        Edition.FAIR,
        Edition.REVISED,
        Edition.REVISED,
    ]
    assert rules.edition(None) == UNRESTRICTED.edition(START) == Edition.UNRESTRICTED
    assert RatingRules(START).edition(START + DAY) == Edition.FAIR


def test_matches_from_before_the_second_edition_are_rated_as_then() -> None:
    """The outcomes, results and ratings were stored by the version before the second edition."""
    first, *lines = (GOLDEN / "ratings.jsonl").read_bytes().splitlines()
    counts = msgspec.json.decode(first, type=Counts)
    ends = counts.outcomes, counts.outcomes + counts.results
    outcomes = [msgspec.json.decode(line, type=Outcome) for line in lines[: ends[0]]]
    results = [msgspec.json.decode(line, type=RatedResult) for line in lines[ends[0] : ends[1]]]
    ratings = [msgspec.json.decode(line, type=Rated) for line in lines[ends[1] :]]
    rules = RatingRules(counts.fair_since, max(outcome.ended_at or START for outcome in outcomes))

    found = [result for outcome in outcomes if (result := result_of(outcome, rules))]
    ladders = ladders_of(model_of(BASE), found)

    assert sorted(found, key=lambda result: result.key) == results
    assert [ladders[pool].rated[name] for pool in sorted(ladders) for name in sorted(ladders[pool].rated)] == ratings
    assert len(ratings) == counts.ratings


def test_the_proof_of_a_tournament_from_before_the_second_edition_verifies() -> None:
    report = verify_event((GOLDEN / "cup.event").read_bytes(), titles=ALL_TITLES)

    assert report.is_good, report.fault
    assert (report.matches, report.ratings_checked) == (4, 6)
