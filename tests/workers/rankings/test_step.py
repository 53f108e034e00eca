"""The duty that freezes the month of a ranking list, once, whatever is late, repeated or killed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from domain.rankings import commands
from domain.rankings.facts import ListDefined
from domain.rankings.rule import RankingRule, ranking_id
from domain.rankings.state import RANKING, Ranking
from domain.ratings.filters import ResultFilter
from domain.ratings.ladder import RatedResult
from projections.platform.clock import now
from projections.ratings import ladders
from tests.api.full_service import FullService, run_full_service
from workers.event_duties import LONG_STEPS, PAIR_LEASE, lease
from workers.queues import RANKING_STEP
from workers.rankings import ranking_step

RULE = RankingRule("Toy", ResultFilter("el_grande", seats=3))
PLAYED = datetime(2026, 1, 20, tzinfo=UTC)
BEGUN = datetime(2026, 1, 5, tzinfo=UTC)


@pytest.fixture(scope="module")
def running_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FullService]:
    """Start a service with a result of the past January, before the first list is defined."""
    with run_full_service(tmp_path_factory.mktemp("rankings")) as running_service:
        assert running_service.ask("GET", "/health")[0] == 200, "the log begins with the records of the service"
        result = RatedResult(UUID(int=1), "el_grande", PLAYED, ("bot:a@1", "bot:b@1", "bot:c@1"), (1, 2, 3))
        with running_service.store.transaction() as transaction:
            ladders.note(transaction, str(result.match_id), result, head="1" * 64, clock="standard")
        yield running_service


def define(running_service: FullService, key: str) -> str:
    """Define a list in January; return its id."""
    fact = ListDefined("olga", key, RULE)
    commands.define_list(running_service.log, fact, {"el_grande": (2, 3, 4, 5)}, at=BEGUN)
    return str(ranking_id(key))


def state(running_service: FullService, list_id: str) -> tuple[int, Ranking]:
    stream = running_service.log.streams.get(RANKING, UUID(list_id))
    return stream.version, stream.state


def test_all_months_that_are_over_are_frozen_in_order(running_service: FullService) -> None:
    list_id = define(running_service, "late")

    steps = running_service.settle()

    _, ranking = state(running_service, list_id)
    assert steps == ["freeze"] * len(ranking.closings)
    assert [closing.number for closing in ranking.closings] == list(range(1, 1 + len(ranking.closings)))
    assert ranking.closings[0].month == "2026-01"
    assert (ranking.closings[0].lines, ranking.closings[0].results) == (3, 1)
    assert ranking.first_period == now().year * 12 + now().month - 1
    running_service.duties.issue(now() + timedelta(minutes=20))
    assert running_service.wanted.steps == [], "the current month is due after its end"


def test_a_repeated_late_or_unknown_step_changes_nothing(running_service: FullService) -> None:
    list_id = define(running_service, "twice")
    running_service.follow()

    assert ranking_step(running_service.service, list_id, "freeze", 1)
    version, ranking = state(running_service, list_id)
    assert not ranking_step(running_service.service, list_id, "freeze", 1)
    assert not ranking_step(running_service.service, list_id, "shuffle", version)
    assert not ranking_step(running_service.service, str(UUID(int=404)), "freeze", 1)
    assert state(running_service, list_id) == (version, ranking)
    running_service.wanted.steps.clear()


def test_a_step_that_was_killed_after_storing_lines_is_taken_again(running_service: FullService) -> None:
    killed, whole = define(running_service, "killed"), define(running_service, "whole")
    running_service.follow()
    assert ranking_step(running_service.service, whole, "freeze", 1)

    running_service.follow()
    assert ranking_step(running_service.service, killed, "freeze", 1), "the same lines are stored already"
    assert state(running_service, killed)[1].closings[0].list == state(running_service, whole)[1].closings[0].list
    running_service.wanted.steps.clear()


def test_a_job_is_leased_longer_than_it_may_take(running_service: FullService) -> None:
    define(running_service, "leased")
    running_service.follow()
    running_service.duties.issue(now())

    jobs = [step for step in running_service.wanted.steps if step[1] == str(ranking_id("leased"))]
    assert jobs == [(RANKING_STEP, str(ranking_id("leased")), "freeze", 1)]
    assert "freeze" in LONG_STEPS
    assert lease("freeze", 1) == PAIR_LEASE
