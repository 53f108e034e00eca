"""The job that brings holidays to tables: issued after changes and regularly, and safe to repeat."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from domain.eventstore.application import Matches
from projections.catalogue import PROJECTIONS
from projections.loop import FollowerLoop
from projections.platform.clock import now
from projections.platform.store import ReadStore
from tests.api.full_service import FullService, run_full_service
from tests.projections.tables import START, matches_in, open_started_match
from workers.holidays import AFTER_CHANGES, EVERY, HolidayDuties
from workers.jobs import build_jobs
from workers.matches.bot_turn import PLAYERS
from workers.queues import APPLY_HOLIDAYS

DAY: Final = 86_400
SECOND: Final = timedelta(seconds=1)


class Queue:
    """A queue in which the job may wait."""

    def __init__(self) -> None:
        self.jobs = 0
        self.is_waiting = False

    def apply_holidays(self) -> bool:
        self.jobs += not self.is_waiting
        return not self.is_waiting


def follow(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, tuple(PROJECTIONS.values())).catch_up()


def test_the_job_is_issued_soon_after_changes_and_regularly(tmp_path: Path) -> None:
    store, queue = ReadStore(f"sqlite:///{tmp_path / 'reads.db'}"), Queue()
    with matches_in(tmp_path / "log.db") as matches:
        open_started_match(matches, 1, ("anna", "bela"))
        follow(matches, store)
        duties = HolidayDuties(store, queue)
        assert [duties.issue(START + each) for each in (0 * SECOND, SECOND, AFTER_CHANGES)] == [1, 0, 0]
        open_started_match(matches, 2, ("anna", "bela"))
        follow(matches, store)
        assert [duties.issue(START + each) for each in (5 * SECOND, AFTER_CHANGES, EVERY)] == [0, 1, 0]
        assert duties.issue(START + AFTER_CHANGES + EVERY) == 1
        assert duties.issue(START) == 1, "the clock was set back"
        queue.is_waiting = True
        assert duties.issue(START + EVERY) == 0
    store.close()


def start_table(service: FullService, *tokens: str) -> str:
    """Start a correspondence match of two people, and return its id."""
    terms = {"title": "la_granja", "seats": 2, "table": {"clock": {"kind": "correspondence", "seconds": 3 * DAY}}}
    match_id = str(service.ask("POST", "/matches", terms, tokens[0])[1]["matchId"])
    for seat, token in enumerate(tokens):
        assert service.ask("POST", f"/matches/{match_id}/seats", {"seat": seat}, token)[0] == 201
    for token in tokens:
        assert service.ask("POST", f"/matches/{match_id}/ready", {}, token)[0] == 201
    return match_id


def test_the_job_brings_a_holiday_to_a_later_table_once(tmp_path: Path) -> None:
    with run_full_service(tmp_path) as service:
        (_, anna), (_, bea) = service.guest(), service.guest()
        start_table(service, anna, bea)
        first = int(now().timestamp()) + DAY
        wanted: dict[str, Any] = {"begins": first, "ends": first + 5 * DAY}
        assert service.ask("POST", "/me/holidays", wanted, anna)[0] == 201
        later = start_table(service, anna, bea)
        job = build_jobs(PLAYERS)[APPLY_HOLIDAYS]

        assert [job(service.service), job(service.service)] == [1, 0]
        assert len(service.log.get(UUID(later)).absences) == 1
