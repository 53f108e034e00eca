"""A fuzzer of the API, forms, live streams and partial requests, with checks of every response.

`ops/fuzz MINUTES [SEED]` runs it for some minutes; `tests/api/http/test_openapi.py` and `test_fuzzed.py` send a few.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta
from functools import cached_property, partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx
import msgspec
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ops.dev.bench.floods import floods
from projections.platform.settings import Settings
from tests.api.service import (
    PATIENCE_SECONDS,
    SERVICE_TOKEN,
    Person,
    Sockets,
    behind_sockets,
    catch_up,
    make_operator,
    session_of,
    settings_in,
    start_match,
)
from tests.fuzzed_requests import (
    ENDED,
    SENT_AGAIN,
    STREAM,
    Browser,
    Page,
    Transport,
    cut_request,
    open_stream,
    pages_of,
    pour,
    streams_of,
)
from tests.seeding import SEED, derive_number

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
SLOW: Final = {"/api/accounts", "/api/me/password", "/api/tokens"}
"""Operations that hash passwords, requested less often."""
LAST: Final = {"/api/me", "/api/me/sessions"}
"""Operations that invalidate the caller's token."""
ROUND: Final = 10
"""Requests to an operation before the next one."""
FORMS_EACH: Final = 6
PIECES_EACH: Final = 4
SLOW_PAGES: Final = {"/sign-in", "/sign-up", "/account/password"}
"""The forms that hash passwords."""
LAST_PAGES: Final = {"/account/erase"}
PLAN: Final = {"name": "Cup", "title": "la_granja", "table": {}}
REPORTS: Final = Path("var/fuzz")


@schemathesis.serializer("application/jsonl", "text/csv")
def as_lines(_: Any, value: Any) -> bytes:
    """Serialise an invalid file."""
    return str(value).encode(errors="replace")


class Distant(httpx.Client):
    """A client of a service behind sockets with access to the application, like a test client."""

    def __init__(self, sockets: Sockets) -> None:
        url = f"http://127.0.0.1:{sockets.port}"
        super().__init__(base_url=url, timeout=PATIENCE_SECONDS, transport=Transport())
        self.app = sockets.app
        self.sockets = sockets


class Used:
    """A service with matches in every state, events, a study and a dispute.

    Callers are a player, an operator who plays too, and an unknown person.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self.people = (Person(client), Person(client))
        player, operator = self.people
        make_operator(client, operator.id)
        ended = start_match(*self.people)
        operator.post(f"/matches/{ended}/resignation", {})
        running = start_match(*self.people)
        disputed = {"entry": player.get(f"/matches/{running}")[1]["version"], "reason": "That was wrong."}
        self.known: Mapping[str, list[str]] = {
            "match_id": [player.opens(2), running, start_match(*self.people), ended],
            "league_id": [player.post("/leagues", {"plan": PLAN})[1]["leagueId"]],
            "event_id": [player.post("/tournaments", {"plan": PLAN})[1]["eventId"]],
            "study_id": [player.post(f"/matches/{ended}/annotations", {"title": "Close"})[1]["id"]],
            "dispute_id": [player.post(f"/matches/{running}/disputes", disputed)[1]["id"]],
            "title": ["la_granja", "el_grande"],
            "name": [player.get("/me")[1]["person"]["name"], "bot:greedy@2"],
            "what": ["players.csv", "results.json", "standings.csv", "crosstable.json"],
        }
        study = self.known["study_id"][0]
        players = b"player,seeding\nbot:greedy@2,1500\n"
        self.files: Mapping[str, bytes] = {
            "/api/logs": client.get(f"/api/matches/{ended}/log", headers=player.headers).content,
            "/api/studies": client.get(f"/api/studies/{study}/file", headers=player.headers).content,
            "/api/leagues/{league_id}/files/players": players,
            "/api/leagues/{league_id}/files/results": b"group,round,table,player,score,place\n1,1,1,a,3,1\n",
            "/api/tournaments/{event_id}/files/{what}": players,
        }
        catch_up(client)

    @cached_property
    def pages(self) -> list[Page]:
        """The paths that accept forms."""
        return pages_of(self.client.app)

    @cached_property
    def streams(self) -> list[str]:
        """The paths of live streams."""
        return streams_of(self.client.app)

    def sessions(self) -> tuple[str, ...]:
        """Start sessions of the player, the operator and a new guest: forms may have ended earlier ones."""
        return tuple(session_of(self.client, person.id) for person in (*self.people, Person(self.client)))

    def faults(self) -> set[str]:
        """Return the routes with server errors in the metrics, including responses that no client read."""
        connection = self.client.sockets.connection(private=True)
        connection.request("GET", "/api/metrics", headers={"Authorization": f"Bearer {SERVICE_TOKEN}"})
        text = connection.getresponse().read().decode()
        connection.close()
        return {line.rpartition(" ")[0] for line in text.splitlines() if 'status="5' in line}

    def operations(self) -> dict[str, Any]:
        """Return the operations of the OpenAPI document, by method and path."""
        document = self.client.get("/api/schema/openapi.json").json()
        found = [
            result.ok()
            for result in schemathesis.openapi.from_dict(document).get_all_operations()
            if isinstance(result, Ok)
        ]
        return {f"{operation.method.upper()} {operation.path}": operation for operation in found}

    def send(self, case: Any, luck: random.Random) -> httpx.Response:
        """Send the request of a case, mostly about existing objects, as one of the people or unknown."""
        operation = case.operation
        for name in case.path_parameters or ():
            if name in self.known and luck.random() < 0.8:
                case.path_parameters[name] = luck.choice(self.known[name])
        sent = case.as_transport_kwargs(base_url=str(self.client.base_url).rstrip("/"))
        # No client sends a header that ends in a space.
        generated_headers = {name: str(value).strip() for name, value in (sent.get("headers") or {}).items()}
        headers = {**generated_headers, **self._caller(operation, luck)}
        content = sent.get("data") if isinstance(sent.get("data"), bytes) else None
        file = self.files.get(operation.path)
        if case.method == "POST" and file is not None and luck.random() < 0.8:
            content = spoil(file, luck)
        body: dict[str, Any] = {"content": content} if content is not None else {}
        if content is None and sent.get("json") is not None:
            body = {"json": sent["json"]}
        request = self.client.build_request(
            sent["method"], sent["url"], params=sent.get("params"), headers=headers, **body
        )
        if "json" in body and luck.random() < 0.1:
            garbled = {
                "content": spoil(request.content, luck),
                "headers": {**headers, "Content-Type": "application/json"},
            }
            request = self.client.build_request(sent["method"], sent["url"], params=sent.get("params"), **garbled)
        return self._answer(request)

    def _caller(self, operation: Any, luck: random.Random) -> dict[str, str]:
        if operation.method == "delete" and operation.path in LAST:
            # A new person erases the account or signs out, because other requests need the others.
            return Person(self.client).headers
        person = luck.choice((*self.people, None))
        return {} if person is None else person.headers

    def _answer(self, request: httpx.Request) -> httpx.Response:
        """Return the response, or the first chunk of an endless stream."""
        answer: httpx.Response = self.client.send(request, stream=True)
        try:
            if not answer.headers.get("content-type", "").startswith(STREAM):
                answer.read()
                return answer
            piece = next(answer.iter_raw(), b"")
            beginning = httpx.Response(answer.status_code, headers=answer.headers, content=piece, request=request)
            beginning.elapsed = timedelta(0)
            return beginning
        finally:
            answer.close()


def spoil(file: bytes, luck: random.Random) -> bytes:
    """Return the file unchanged, or corrupted in a random way."""
    if not file:
        return b"\xff"
    offset = luck.randrange(len(file))
    kinds = (
        file,
        file[:offset],
        file[:offset] + bytes([luck.randrange(256)]) + file[offset + 1 :],
        file[:offset] + b"\xff\xfe\x00" + file[offset:],
        file[:offset] + str(10 ** luck.randrange(30)).encode() + file[offset:],
        file + file,
        luck.randbytes(offset % 100),
    )
    return luck.choice(kinds)


def checks_of(answer: httpx.Response) -> list[Any]:
    """Return the checks of a response; a partial stream has fewer."""
    is_stream = answer.headers.get("content-type", "").startswith(STREAM)
    return CHECKS[:-1] if is_stream else CHECKS


def sampled_settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


class Hunt:
    """A long run over all operations that records each kind of failure and continues."""

    def __init__(self, used: Used, report: Path) -> None:
        self.used = used
        self.report = report
        self.requests = 0
        self.found: dict[str, str] = {}

    def round(self, number: int, until: float) -> None:
        self.send_forms(number, until)
        self.send_pieces(number, until)
        for name, operation in sorted(self.used.operations().items()):
            if time.monotonic() < until:
                self.ask(name, operation, 2 if operation.path in SLOW else ROUND, derive_number(f"{number}/{name}"))
        catch_up(self.used.client)

    def ask(self, name: str, operation: Any, examples: int, luck: int) -> None:
        @seeded(luck)
        @sampled_settings(examples)
        @given(case=operation.as_strategy(), number=st.integers(0, 2**32))
        def fuzz(case: Any, number: int) -> None:
            self.requests += 1
            try:
                answer = self.used.send(case, random.Random(number))
            except ENDED as ended:
                self.note_text(f"{name}: {ended}", f"{ended.request.url}\n{ended.request.content!r}")
                return
            if answer.status_code == HTTPStatus.REQUEST_TIMEOUT:
                # The connection was slower than this service allows; no operation responds so.
                return
            try:
                case.validate_response(answer, checks=checks_of(answer))
            except FailureGroup as group:
                for failure in group.exceptions:
                    self.note(name, str(failure), answer)

        fuzz()

    def send_forms(self, number: int, until: float) -> None:
        """Send the forms of every page, as the player, as the operator and as a stranger."""
        with ExitStack() as stack:
            url, sessions = str(self.used.client.base_url), (*self.used.sessions(), "")
            browsers = [stack.enter_context(Browser(url, session, PATIENCE_SECONDS)) for session in sessions]
            for page in self.used.pages:
                luck = random.Random(derive_number(f"{number}/form/{page.path}"))
                for _ in range(1 if page.path in SLOW_PAGES else FORMS_EACH):
                    if time.monotonic() > until:
                        return
                    self.requests += 1
                    # Only the guest may be erased, because others are needed in later rounds.
                    browser = browsers[2] if page.path in LAST_PAGES else luck.choice(browsers)
                    try:
                        answer = browser.send(page, self.used.known, luck)
                    except ENDED as ended:
                        self.note_text(f"POST {page.path}: {ended}", repr(ended.request.content))
                        continue
                    if answer.status_code >= 500:
                        self.note(f"POST {page.path}", "a form met a fault of the service", answer)

    def send_pieces(self, number: int, until: float) -> None:
        """Open and drop streams, and send partial requests; then check whether the service recorded a fault."""
        url = self.used.client.base_url
        address, known = (url.host, url.port or 80), self.used.known
        for path in self.used.streams:
            luck = random.Random(derive_number(f"{number}/stream/{path}"))
            for _ in range(PIECES_EACH):
                person = luck.choice(self.used.people)
                headers = [f"{name}: {value}" for name, value in person.headers.items()] if luck.random() < 0.7 else []
                self.note_piece(path, partial(open_stream, address, path, known, headers, luck))
        luck = random.Random(derive_number(f"{number}/cut"))
        for _ in range(PIECES_EACH * 10):
            if time.monotonic() < until:
                self.note_piece("a part of a request", partial(cut_request, address, luck))
        for flood in floods():
            if time.monotonic() < until:
                self.note_piece(f"a flood: {flood.name}", partial(pour, address, flood))
        for line in self.used.faults():
            self.note_text(line, "the figures of the service")

    def note_piece(self, name: str, send: Callable[[], tuple[bytes, bytes]]) -> None:
        self.requests += 1
        try:
            sent, answer = send()
        except TimeoutError:
            self.note_text(f"{name}: neither answered nor ended", "")
            return
        if answer.startswith(b"HTTP/1.1 5"):
            self.note_text(f"{name}: {answer[:40]!r}", f"{sent!r}\n{answer[:2_000]!r}")

    def note(self, name: str, failure: str, answer: httpx.Response) -> None:
        """Record the first request of each kind of failure, so that it can be repeated."""
        request = answer.request
        self.note_text(
            f"{name}: {failure.splitlines()[0]} ({answer.status_code})",
            f"{request.method} {request.url}\n{request.content!r}\n{answer.text[:2_000]}\n{failure}",
        )

    def note_text(self, key: str, text: str) -> None:
        """Record a kind of failure once."""
        if key in self.found:
            return
        self.found[key] = text
        with self.report.open("a", encoding="utf-8") as report:
            report.write(f"## {key}\n{self.found[key]}\n\n")
        sys.stdout.write(f"{key}\n")


def impatient(folder: Path) -> Settings:
    """Return settings of a service that closes half-sent requests early."""
    return msgspec.structs.replace(settings_in(folder), header_seconds=0.3, body_seconds=0.3)


def main(minutes: str) -> int:
    """Run for some minutes; the exit status is 1 if a failure was found."""
    if not minutes.isdecimal() or not int(minutes):
        sys.stderr.write(f"esporles: {minutes!r} is not a number of minutes from 1\n")
        return 2
    REPORTS.mkdir(parents=True, exist_ok=True)
    report = REPORTS / f"{SEED}.txt"
    report.write_text(f"seed {SEED}, {minutes} minutes\n\n", encoding="utf-8")
    sys.stdout.write(f"seed {SEED}; report in {report}\n")
    with (
        TemporaryDirectory() as folder,
        behind_sockets(Path(folder), impatient(Path(folder))) as sockets,
        Distant(sockets) as client,
    ):
        hunt = Hunt(Used(client), report)
        until, number = time.monotonic() + 60 * int(minutes), 0
        while time.monotonic() < until:
            hunt.round(number, until)
            number += 1
    summary = f"{hunt.requests} requests, {len(hunt.found)} kinds of failure, {len(SENT_AGAIN)} sent again"
    with report.open("a", encoding="utf-8") as lines:
        lines.write("".join(f"{line}\n" for line in (summary, *SENT_AGAIN)))
    sys.stdout.write(f"{summary}\n")
    return 1 if hunt.found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2] or [""]))
