"""The clock of a service is the one it was composed with, and no client or operator moves it."""

import ast
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
import pytest
from litestar.testing import TestClient

from api.matches.service import MATCHES
from projections.platform.clock import CLOCK, now, system_clock
from projections.platform.settings import VARIABLES
from tests.api.service import SERVICE_TOKEN, behind_sockets, settings_in
from tests.seeding import entropy
from tests.service_app import create_app
from tests.test_tidy import ROOT, SOURCES, nodes

START: Final = datetime(2031, 5, 1, 12, tzinfo=UTC)
COMPOSITIONS: Final = {"api/http/application.py"}
"""The files that set the clock of their context."""
LATER: Final = "2040-01-01T00:00:00Z"


class Hands:
    """A clock that tests set by hand."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at


def test_a_match_follows_the_clock_of_its_service_and_no_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Hands(START)
    for variable in ("ESPORLES_CLOCK", "ESPORLES_NOW", "FAKETIME", "SOURCE_DATE_EPOCH"):
        monkeypatch.setenv(variable, LATER)
    with behind_sockets(tmp_path, clock=clock) as sockets:
        people = [sockets.people.create_guest(START) for _ in range(2)]
        ann, ben = (sockets.people.access.issue_token(person, "", START)[1] for person in people)
        plan = {"title": "la_granja", "seats": 2, "table": {"clock": {"kind": "per_move", "seconds": 3600}}}
        path = f"/matches/{sockets.ask('POST', '/matches', plan, ann)[1]['matchId']}"
        for seat, token in enumerate((ann, ben)):
            assert sockets.ask("POST", f"{path}/seats", {"seat": seat}, token)[0] == 201
        for token in (ann, ben):
            assert sockets.ask("POST", f"{path}/ready", {}, token)[0] == 201
        match = sockets.ask("GET", path)[1]
        report = {"expectedVersion": match["version"], "seat": match["toAct"][0]}

        def report_time_out(query: str = "") -> int:
            with closing(sockets.connection(private=True)) as connection:
                headers = {"Authorization": f"Bearer {SERVICE_TOKEN}", "Date": LATER, "X-Now": LATER}
                connection.request("POST", f"/api{path}/time-outs{query}", msgspec.json.encode(report), headers)
                return connection.getresponse().status

        clock.at += timedelta(minutes=59)
        assert report_time_out() == 409
        assert report_time_out(f"?now={LATER}") in (400, 409)
        clock.at += timedelta(minutes=2)
        assert report_time_out() == 201
        stored = MATCHES.of(sockets.app).writer.matches.get(UUID(path.rpartition("/")[2])).timestamp

    assert stored == clock.at


def test_threads_of_a_request_have_its_clock(tmp_path: Path) -> None:
    clock = Hands(START)
    with TestClient(create_app(settings_in(tmp_path), entropy(), clock=clock)) as client:
        writer = MATCHES.of(client).writer

        async def read_times() -> list[datetime]:
            CLOCK.set(clock)
            return [
                now(),
                await writer.execute(lambda _: now()),
                await writer.compute(lambda _: now()),
                await writer.read_log(lambda _: now()),
                await writer.read_model(lambda _: now()),
            ]

        with client.portal() as portal:
            assert portal.call(read_times) == [START] * 5
    assert CLOCK.get() is system_clock, "nothing outside the application is affected"


def test_only_a_composition_sets_the_clock() -> None:
    setting = {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "tests" not in path.relative_to(ROOT).parts
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "set" and ast.unparse(node.value).endswith("CLOCK")
    }
    assert setting == COMPOSITIONS
    assert not [name for name in VARIABLES if "CLOCK" in name or "NOW" in name or "TIME_OF_DAY" in name]
