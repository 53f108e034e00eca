"""Measure the longest time that one request blocks the event loop: a body at its limit, or a flood of headers.

A separate connection sends health checks without a pause; their response times show when the loop was blocked.
The bodies are worst cases for parsers and for readers of forms, files and lists, for every operation and every form.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode, urlsplit
from uuid import UUID

import msgspec
from litestar.routes import HTTPRoute
from msgspec import inspect

from api.app import create_app
from api.http.guards import API_PATH
from api.http.limits import TEXT_BYTES_MAX
from domain.kernel.title import default_title
from domain.titles import TITLES
from ops.console import Finding
from ops.dev.bench.figures import Figure, Section, milliseconds
from ops.dev.bench.floods import Flood, floods, send
from ops.dev.bench.samples import bodies, body_limits, with_lists
from ops.service_client import ServiceAddress, fetch, find_address
from ops.temporary_service import service_in
from projections.platform.settings import Settings
from workers.unix_http import UnixConnection

BUDGET: Final = 0.100
TRIES: Final = 5
"""Number of attempts for a body above the budget. The shortest counts, because other processes disturb single runs."""
SHOWN: Final = 5
SECONDS_MAX: Final = 60.0
ITEMS_MAX: Final = 4_000
TOKEN: Final = re.compile(rb'name="_csrf_token" value="([0-9a-f]+)"')
PASSWORD: Final = "a password of the benchmark"  # noqa: S105 - of an account in a folder that is thrown away
FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"
MULTIPART: Final = "multipart/form-data; boundary=b"
LEAST_BYTES: Final = 1_000
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Body(msgspec.Struct, frozen=True):
    """A request: method, path, content type and body."""

    name: str
    method: str
    path: str
    kind: str
    content: bytes


class HoldMeasurement(msgspec.Struct, frozen=True):
    """Time the loop was blocked, time until the response, and the response's status."""

    seconds: float
    answered: float
    status: int


class Pings:
    """A thread that sends health checks without a pause."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url)
        self._longest = 0.0
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Pings":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        """Send health checks on one connection until the end, and record the longest."""
        connection = HTTPConnection(self._address.hostname or "", self._address.port, timeout=SECONDS_MAX)
        while not self._is_over.is_set():
            started = time.perf_counter()
            connection.request("GET", "/api/health")
            connection.getresponse().read()
            with self._lock:
                self._longest = max(self._longest, time.perf_counter() - started)
        connection.close()

    def take(self) -> float:
        """Return the longest wait in seconds since the last call; wait first for the check in progress."""
        time.sleep(0.02)
        with self._lock:
            longest, self._longest = self._longest, 0.0
        return longest


class Sender:
    """A user with an operator's role who sends requests with cookies or a token, or as the service itself."""

    def __init__(self, url: str, service: ServiceAddress) -> None:
        self._address, self._service = urlsplit(url), service
        account = {"name": "Bench", "password": PASSWORD}
        person = msgspec.json.decode(fetch(service, "POST", "/api/accounts", msgspec.json.encode(account)))
        self.token = msgspec.json.decode(fetch(service, "POST", "/api/tokens", msgspec.json.encode(account)))["secret"]
        role = {"person": person["id"], "role": "operator"}
        fetch(service, "POST", "/api/roles", msgspec.json.encode(role))
        self.cookies = dict[str, str]()
        self._sign_in(account)

    @property
    def address(self) -> tuple[str, int]:
        """The public address of the service."""
        return self._address.hostname or "", self._address.port or 80

    def _sign_in(self, account: Mapping[str, str]) -> None:
        """Sign in with cookies and store the form token of the session; raise `Finding` if it is refused."""
        self.form_token = self._page("/sign-in")
        content = urlencode({"_csrf_token": self.form_token, **account}).encode()
        status, _ = self.send(Body("", "POST", "/sign-in", FORM, content))
        if status >= 400:
            raise Finding(f"the benchmark cannot sign in: {status}")
        self.form_token = self._page("/account")

    def _page(self, path: str) -> str:
        """Return the form token of a page; raise `Finding` if it has no form."""
        _, page = self.send(Body("", "GET", path, "", b""))
        found = TOKEN.search(page)
        if found is None:
            raise Finding(f"the page {path} has no form")
        return found[1].decode()

    def send(self, body: Body, *, private: bool = False) -> tuple[int, bytes]:
        """Send a request, to the API with a token and to pages with cookies, and return status and content.

        Cookies of the response are stored. A cut connection counts as 413. `private` sends it as the service.
        """
        connection: HTTPConnection = (
            UnixConnection(self._service.socket, SECONDS_MAX)
            if private
            else HTTPConnection(self._address.hostname or "", self._address.port, timeout=SECONDS_MAX)
        )
        headers = {"Content-Type": body.kind} if body.kind else {}
        if body.path.startswith(API_PATH):
            headers["Authorization"] = f"Bearer {self._service.token if private else self.token}"
        else:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(body.method, body.path, body.content or None, headers)
            response = connection.getresponse()
            for name, value in response.getheaders():
                if name.lower() == "set-cookie":
                    cookie, _, cookie_value = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = cookie_value
            return response.status, response.read()
        except OSError as broken:
            # The service may answer and cut the connection before a body above its limit was sent.
            return 413, str(broken).encode()
        finally:
            connection.close()

    def make(self, path: str, content: object, name: str) -> str:
        """Create an object and return the field `name` of the response; raise `Finding` unless it is created."""
        status, content_received = self.send(Body("", "POST", path, JSON, msgspec.json.encode(content)))
        if status != 201:
            raise Finding(f"POST {path} returned {status}")
        return str(msgspec.json.decode(content_received)[name])


def create_objects(sender: Sender) -> dict[str, str]:
    """Create a tournament, a league and a match, and return values for all path parameters by name.

    Objects of other kinds do not exist. Raises `Finding` if one is refused.
    """
    title = default_title(TITLES).name
    plan = {"name": "Bench", "title": title, "size": 3}
    ids = dict.fromkeys(("dispute_id", "study_id", "challenge_id", "photo", "about_id"), str(UUID(int=7)))
    ids |= {
        "event_id": sender.make("/api/tournaments", {"plan": plan}, "eventId"),
        "league_id": sender.make("/api/leagues", {"plan": plan}, "leagueId"),
        "match_id": sender.make("/api/matches", {"title": title, "seats": 2}, "matchId"),
        "what": "players",
        "kind": "players",
        "title": title,
    }
    sender.make(f"/api/leagues/{ids['league_id']}/seasons", {"name": "One"}, "leagueId")
    return ids


def repeat_to_limit(head: bytes, item: bytes, tail: bytes, limit: int) -> bytes:
    """Repeat an item up to the limit."""
    return head + item * ((limit - len(head) - len(tail)) // len(item)) + tail


def json_bodies(limit: int, kind: object) -> Iterator[tuple[str, bytes]]:
    """Yield (name, body) at the limit: unknown fields and lists, escapes, and every list of the type.

    Lists have at most their own bound or `ITEMS_MAX` items.
    """
    fields = ",".join(f'"k{number:06}":0' for number in range((limit - 10) // 12))
    yield "unknown fields", f"{{{fields}}}".encode()
    yield "lists", repeat_to_limit(b'{"a":[[]', b",[]", b"]}", limit)
    yield "escapes", repeat_to_limit(b'{"a":"', rb"\u0041", b'"}', limit)
    for label, count_max, make_list in with_lists(inspect.type_info(kind)):
        size_of_ten, size_of_twenty = (len(msgspec.json.encode(make_list(count))) for count in (10, 20))
        count = min(
            (limit - 2 * size_of_ten) // max(1, (size_of_twenty - size_of_ten) // 10), count_max or ITEMS_MAX, ITEMS_MAX
        )
        yield f"list {label}", msgspec.json.encode(make_list(max(1, count)))


def file_bodies(limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield (name, file) at the limit: rows, empty and broken ones, and text that resembles JSON."""
    yield "rows", repeat_to_limit(b"name\n", b"a\n", b"", limit)
    yield "own rows", b"name\n" + b"".join(b"P%06d\n" % number for number in range((limit - 5) // 8))[: limit - 5]
    yield "quotes", repeat_to_limit(b"name\n", b'"', b"", limit)
    yield "commas", repeat_to_limit(b"name\n", b",", b"", limit)
    yield "lists", repeat_to_limit(b"[[]", b",[]", b"]", limit)
    yield "objects", repeat_to_limit(b'[{"name":"P"}', b',{"name":"P"}', b"]", limit)
    yield "lines", repeat_to_limit(b"", b"{}\n", b"", limit)


def form_bodies(limit: int, token: str) -> Iterator[tuple[str, str, bytes]]:
    """Yield (name, content type, form) at the limit: many fields, one long field in several encodings, and parts.

    All have the form token.
    """
    head = f"_csrf_token={token}".encode()
    yield "unknown fields", FORM, head + b"".join(b"&f%05d=1" % number for number in range((limit - 90) // 9))
    yield "empty fields", FORM, repeat_to_limit(head, b"&a", b"", limit)
    yield "escapes", FORM, repeat_to_limit(head + b"&what=players&text=name%0A", b"%41", b"", limit)
    yield "rows", FORM, repeat_to_limit(head + b"&what=players&text=name%0A", b"a%0A", b"", limit)
    part = b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    first = part % (b"_csrf_token", token.encode())
    yield "parts", MULTIPART, repeat_to_limit(first, part % (b"a", b"1"), b"--b--\r\n", limit)
    yield (
        "one part",
        MULTIPART,
        repeat_to_limit(first + (part % (b"text", b""))[:-2], b"\r\n-", b"\r\n--b--\r\n", limit),
    )


def all_bodies(settings: Settings, sender: Sender) -> Iterator[Body]:
    """Yield every body for every operation and form of the service, after creating objects for their paths."""
    app, ids = create_app(settings), create_objects(sender)
    limits, kinds = body_limits(app), {(method, path): kind for method, path, kind in bodies(app)}
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        path = re.sub(r"\{(\w+)\}", lambda parameter: ids.get(parameter[1], "1"), route.path_format)
        for method, (handler, _) in route.route_handler_map.items():
            operation, limit = (method, route.path_format), limits.get((method, route.path_format), TEXT_BYTES_MAX)
            name = f"{method} {route.path_format}"
            if operation in kinds:
                for label, content in json_bodies(limit, kinds[operation]):
                    yield Body(f"{name}: {label}", method, path, JSON, content)
            elif "body" in handler.parsed_fn_signature.parameters:
                for label, content in file_bodies(limit):
                    yield Body(f"{name}: {label}", method, path, "text/csv", content)
            elif method == "POST" and not path.startswith(API_PATH):
                for label, kind, content in form_bodies(limit, sender.form_token):
                    yield Body(f"{name}: {label}", method, path, kind, content)


def measure_hold(sender: Sender, pings: Pings, body: Body) -> HoldMeasurement:
    """Send a body and return the time the loop was held; send it again as the service if the API refuses the user."""
    pings.take()
    started = time.perf_counter()
    status, _ = sender.send(body)
    response_seconds, longest = time.perf_counter() - started, pings.take()
    if status in {401, 403} and body.path.startswith(API_PATH):
        started = time.perf_counter()
        status, _ = sender.send(body, private=True)
        response_seconds, longest = time.perf_counter() - started, pings.take()
    return HoldMeasurement(longest, response_seconds, status)


def measure_flood_hold(sender: Sender, pings: Pings, flood: Flood) -> HoldMeasurement:
    """Send a flood and return the time the loop was held; the status is 500 if a flood to be refused was not."""
    pings.take()
    started = time.perf_counter()
    sent = send(sender.address, flood)
    status = 400 if sent.is_refused or not flood.is_refused else 500
    return HoldMeasurement(pings.take(), time.perf_counter() - started, status)


def shortest_hold(measure: Callable[[], HoldMeasurement]) -> HoldMeasurement:
    """Measure, up to `TRIES` times until one is within the budget; return the shortest hold."""
    shortest = measure()
    for _ in range(TRIES - 1):
        if shortest.seconds < BUDGET:
            break
        shortest = min(shortest, measure(), key=lambda each: each.seconds)
    return shortest


def rows_of(measurements: Mapping[str, HoldMeasurement]) -> tuple[Figure, ...]:
    """Return the longest hold, the `SHOWN` longest ones by name, and the bodies answered with a fault (5xx)."""
    slowest = sorted(measurements.items(), key=lambda each: -each[1].seconds)
    faults = [name for name, measurement in measurements.items() if measurement.status >= 500]
    longest = slowest[0][1].seconds
    label = f"{len(measurements):,} bodies at the limits and floods, longest block of the event loop"
    first = Figure(label, milliseconds(longest), "≤ 100 ms", longest <= BUDGET, f"{longest / BUDGET:.2f}×")
    failures = Figure("responses with a server error", ", ".join(faults) or "none", "none", not faults)
    return (
        first,
        *(Figure(name, milliseconds(measurement.seconds)) for name, measurement in slowest[:SHOWN]),
        failures,
    )


def section() -> Section:
    """Run `serve` with SQLite and send every body of `LEAST_BYTES` or more and every flood, one after the other."""
    measurements = dict[str, HoldMeasurement]()
    with (
        TemporaryDirectory() as folder,
        TemporaryDirectory() as unused_folder,
        service_in(Path(folder), workers=1) as service,
    ):
        service_address = find_address(Path(folder))
        assert service_address is not None
        sender = Sender(service.url, service_address)
        with Pings(service.url) as pings:
            for body in all_bodies(Settings(data=Path(unused_folder)), sender):
                if len(body.content) >= LEAST_BYTES:
                    measurements[body.name] = shortest_hold(partial(measure_hold, sender, pings, body))
            for flood in floods():
                measurements[f"a flood: {flood.name}"] = shortest_hold(
                    partial(measure_flood_hold, sender, pings, flood)
                )
    return Section("Request bodies at the limits (SQLite, one web process)", rows_of(measurements))
