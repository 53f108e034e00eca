"""Slow work runs outside the writer thread, which only stores the results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event, current_thread
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.http.guards import OPERATOR
from api.http.notifier import Notifier
from api.http.writer import OneWriter
from api.matches.service import MATCHES
from domain.eventstore.application import Matches
from domain.eventstore.batch import Batch
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import Titles
from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import SERVICE
from domain.roles.audit import AUDIT, AUDIT_STREAM, AuditRead
from domain.roles.commands import change_role
from domain.titles import TITLES
from projections.platform.store import ReadStore
from tests.api.service import PATIENCE_SECONDS, Person, settings_in, start_match
from tests.domain.matches.match_helpers import START
from tests.seeding import entropy
from tests.service_app import create_app

TITLE: Final = "la_granja"


class ObservedRules:
    """Rules that record the threads of their decisions, and can be held at the next decision."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self.threads = list[str]()
        self.folding = set[str]()
        self.begun, self.may_go_on = Event(), Event()
        self.may_go_on.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def decide(self, *args: Any) -> Any:
        self.threads.append(current_thread().name.partition("_")[0])
        self.begun.set()
        # Without a timeout a wait for this thread would never end.
        self.may_go_on.wait(PATIENCE_SECONDS)
        return self._rules.decide(*args)

    def evolve(self, *args: Any) -> Any:
        self.folding.add(current_thread().name.partition("_")[0])
        return self._rules.evolve(*args)

    def hold(self) -> None:
        self.threads.clear()
        self.begun.clear()
        self.may_go_on.clear()


@pytest.fixture
def rules() -> ObservedRules:
    return ObservedRules(TITLES[TITLE].rules)


@pytest.fixture
def titles(rules: ObservedRules) -> Titles:
    return {TITLE: replace(TITLES[TITLE], rules=rules)}


@pytest.fixture
def operator(titles: Titles, tmp_path: Path) -> Iterator[Person]:
    """Return an operator of a service with watched rules."""
    with TestClient(create_app(settings_in(tmp_path / "watched"), entropy(), titles)) as client:
        person = Person(client)
        PEOPLE.of(client).set_role(person.id, OPERATOR)
        yield person


@pytest.fixture
def log(ann: Person, ben: Person) -> bytes:
    """Return the log of a match with two actions."""
    match_id = start_match(ann, ben)
    for _ in range(2):
        match = ann.get(f"/matches/{match_id}")[1]
        assert (ann, ben)[match["toAct"][0]].acts(match_id)[0] == 201
    assert ben.post(f"/matches/{match_id}/resignation", {})[0] == 201
    return ann.client.get(f"/api/matches/{match_id}/log", headers=ann.headers).content


@pytest.fixture
def raised_dispute(operator: Person) -> str:
    """Return the match of a dispute between two others."""
    ann, ben = Person(operator.client), Person(operator.client)
    match_id = start_match(ann, ben)
    for _ in range(2):
        match = ann.get(f"/matches/{match_id}")[1]
        assert (ann, ben)[match["toAct"][0]].acts(match_id)[0] == 201
    version = ann.get(f"/matches/{match_id}")[1]["version"]
    assert operator.post("/roles", {"person": operator.id, "role": "arbiter"})[0] == 200
    status, dispute = ann.post(f"/matches/{match_id}/disputes", {"entry": version, "reason": "That was wrong."})
    assert status == 201, dispute
    return str(dispute["id"])


def imports(operator: Person, log: bytes) -> int:
    return operator.client.post("/api/logs", content=log, headers=operator.headers).status_code


def test_other_requests_are_answered_while_an_imported_log_is_audited(
    operator: Person, rules: ObservedRules, log: bytes
) -> None:
    rules.hold()
    with ThreadPoolExecutor(1) as other:
        imported = other.submit(imports, operator, log)
        assert rules.begun.wait(PATIENCE_SECONDS)

        opened = operator.opens()
        read = operator.get(f"/matches/{opened}")[0]
        is_audited_still = not imported.done()

        rules.may_go_on.set()
        assert (read, is_audited_still, imported.result()) == (200, True, 201)
    assert set(rules.threads) == {"examiner"}


def test_the_evidence_of_a_dispute_is_examined_on_an_examiner_thread(
    operator: Person, rules: ObservedRules, raised_dispute: str
) -> None:
    rules.threads.clear()

    status, evidence = operator.get(f"/disputes/{raised_dispute}/position")

    assert (status, evidence["audit"]["isGood"]) == (200, True)
    assert set(rules.threads) == {"examiner"}


def test_variations_of_a_study_are_played_outside_the_writer(
    operator: Person, rules: ObservedRules, log: bytes
) -> None:
    match = operator.client.post("/api/logs", content=log, headers=operator.headers).json()
    status, study = operator.post(f"/matches/{match['matchId']}/annotations", {"title": "Another way"})
    assert status == 201, study
    entry = match["version"] - 4
    position = MATCHES.of(operator.client).writer.matches.at(UUID(match["matchId"]), entry)
    seat = seats_to_act(position)[0]
    action = msgspec.to_builtins(legal_actions(position, seat)[0], str_keys=True)
    rules.threads.clear()

    step = {"entry": entry, "variation": 0, "step": 0, "steps": [{"seat": int(seat), "action": action}]}
    status, varied = operator.post(f"/studies/{study['id']}/variations", step)
    file = operator.client.get(f"/api/studies/{study['id']}/file", headers=operator.headers).content
    brought = operator.client.post("/api/studies", content=file, headers=operator.headers)

    assert (status, len(varied["variations"]), brought.status_code) == (201, 1, 201)
    assert set(rules.threads) == {"examiner"}


def test_shared_entries_of_a_fork_are_folded_outside_the_writer(
    operator: Person, rules: ObservedRules, log: bytes
) -> None:
    """After a start nothing is in memory, and forks of forks consist of many lines."""
    line = operator.client.post("/api/logs", content=log, headers=operator.headers).json()
    match_id, at = line["matchId"], line["version"] - 4
    for _ in range(2):
        status, fork = operator.post(f"/matches/{match_id}/forks", {"at": at, "luck": "fresh"})
        assert status == 201, fork
        match_id, at = fork["matchId"], fork["version"]
        assert operator.post(f"/matches/{match_id}/seats/0/player", {})[0] == 201
        status, over = operator.post(f"/matches/{match_id}/resignation", {})
        assert (status, over["status"]) == (201, "ended"), over
    MATCHES.of(operator.client).writer.matches.lines.clear_caches()
    rules.folding.clear()

    status, _ = operator.post(f"/matches/{match_id}/forks", {"at": at, "luck": "fresh"})

    assert (status, rules.folding) == (201, {"reader"})


def with_writer(folder: Path, story: Callable[[OneWriter], Any]) -> Any:
    """Run a story with a separate writer and return its result."""

    async def run_story() -> Any:
        matches, reads = open_store(store_env(folder / "log.db"), entropy=entropy()), ReadStore(folder / "reads.db")
        writer = OneWriter(matches, reads, Notifier(asyncio.get_running_loop()))
        try:
            return await story(writer)
        finally:
            writer.close()
            reads.close()
            matches.close()

    return asyncio.run(run_story())


def test_a_conflicting_command_is_composed_again(tmp_path: Path) -> None:
    """The writer answers others in the meantime, and the store detects the conflict."""
    threads, versions = list[str](), list[int]()

    async def story(writer: OneWriter) -> int:
        loop = asyncio.get_running_loop()

        def plan(_: Matches) -> Callable[[Batch], int]:
            def compose(batch: Batch) -> int:
                threads.append(current_thread().name.partition("_")[0])
                known = batch.find(AUDIT, AUDIT_STREAM)
                versions.append(0 if known is None else known.version)
                if len(versions) == 1:
                    other = writer.execute(change_role, "anna", "arbiter", by=SERVICE, granted=True, at=START)
                    asyncio.run_coroutine_threadsafe(other, loop).result(PATIENCE_SECONDS)
                fact = AuditRead(by=SERVICE, role="operator", upto=versions[-1] + 1)
                return batch.record(AUDIT, AUDIT_STREAM, fact).version

            return compose

        return await writer.execute_composed(plan)

    assert with_writer(tmp_path, story) == 2
    assert (threads, versions) == (["examiner", "examiner"], [0, 1])
