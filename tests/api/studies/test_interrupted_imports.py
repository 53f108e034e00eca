"""Imports of studies that a failing store interrupts between two parts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from domain.studies.commands import FACTS_PER_COMMAND
from domain.studies.facts import CommentWritten, StudyOpened, StudyPlace
from domain.studies.file import study_bytes, study_file
from domain.studies.state import STUDY
from tests.api.disputes.test_dispute_pages import Reader
from tests.api.service import Person, catch_up, settings_in, start_match
from tests.seeding import entropy
from tests.service_app import create_app

COMMENTS: Final = FACTS_PER_COMMAND + 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("interrupted")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[TestClient[Any]]:
    """Return a service that answers 500 to a fault, as its server does, and does not raise it in the test."""
    with TestClient(create_app(settings_in(folder), entropy()), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def match_id(ann: Person, ben: Person) -> str:
    match_id = start_match(ann, ben)
    ann.post(f"/matches/{match_id}/resignation", {})
    return match_id


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Let the database refuse every record after the first part of a study."""
    refuse = (
        f"CREATE TRIGGER full BEFORE INSERT ON stored_events WHEN NEW.originator_version > {FACTS_PER_COMMAND}"
        " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    )
    log = settings_in(folder).log_file
    assert log is not None
    with closing(sqlite3.connect(log)) as database:
        database.execute(refuse)
        yield
        database.execute("DROP TRIGGER full")


def long_study(client: TestClient[Any], author: Person, match_id: str, study_id: UUID) -> bytes:
    """Return the file of a study that is stored in two parts."""
    matches = MATCHES.of(client).writer.matches
    (first,) = matches.entries(UUID(match_id), 0, 1)
    at: datetime = first.timestamp
    shown = author.post(f"/matches/{match_id}/annotations", {"title": "Long"})[1]
    opened = StudyOpened(
        by=author.id, match=UUID(match_id), head=shown["matchHead"], entries=shown["entries"], title="Long"
    )
    records = [STUDY.seal(study_id, None, opened, at)]
    stream = STUDY.apply(None, records[0])
    for number in range(1, COMMENTS + 1):
        fact = CommentWritten(by=author.id, comment=number, at=StudyPlace(1), text="x")
        records.append(STUDY.seal(study_id, stream, fact, at))
        stream = STUDY.apply(stream, records[-1])
    return study_bytes(study_file(tuple(records)))


def own(client: TestClient[Any], person: Person) -> list[tuple[str, int]]:
    """Return the ids of the person's studies, each with the number of its comments."""
    catch_up(client)
    studies = person.get("/studies?mine=true")[1]["studies"]
    return sorted((each["id"], len(person.get(f"/studies/{each['id']}")[1]["comments"])) for each in studies)


@pytest.mark.parametrize("is_page", [False, True])
def test_an_interrupted_import_continues_when_the_file_is_sent_again(
    client: TestClient[Any], ann: Person, match_id: str, folder: Path, is_page: bool
) -> None:
    reader = Person(client)
    content = long_study(client, ann, match_id, UUID(int=0xA0 + is_page, version=4))

    def send(expected: int) -> None:
        if is_page:
            Reader(client, reader).uploads("/studies", "/studies/import", content, expected if expected >= 400 else 200)
        else:
            response = client.post("/api/studies", content=content, headers=reader.headers)
            assert response.status_code == expected, response.text

    with full_disk(folder):
        send(500)
    ((half, stored),) = own(client, reader)
    send(201)

    assert stored == FACTS_PER_COMMAND - 1
    assert own(client, reader) == [(half, COMMENTS)]
    send(201)
    assert own(client, reader) == [(half, COMMENTS)]
