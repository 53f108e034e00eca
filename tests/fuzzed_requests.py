"""Random forms, valid and invalid, and requests and streams that are cut off."""

from __future__ import annotations

import random
import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlencode

import httpx
from litestar import Litestar
from litestar.routes import HTTPRoute
from msgspec import inspect

from api.http.cookies import FORMS, SESSION
from api.http.forms import BUTTON, TOKEN, Form
from api.http.guards import API_PATH
from ops.dev.bench.floods import Flood, send

DEPTH_MAX: Final = 4
KEYS: Final = ("short", "0", "1", "")
TEXTS: Final = ("", " ", "a", "Ana", "é" * 50, "two\r\nlines", "\u202eana", "\x00", "x" * 5_000, "<b>", "{{ 1 }}", "%s")
NUMBERS: Final = ("0", "1", "-1", "2", "1.5", "", "many", "9" * 30, "+7", " 3 ", "٣")
MOMENTS: Final = ("2030-01-01", "2030-01-01T10:00", "0000-00-00", "9999-12-31", "never", "")
NAMES: Final = ("extra", "a.b.c.d.e.f.g.h", "lines.99999999.x", "options.", ".", "", "x\x00y", "é", TOKEN, "__proto__")
WRONG_KINDS: Final = ("multipart/form-data", "text/plain", "application/json", "", "multipart/form-data; boundary=x")
MANY: Final = (30, 300, 3_000)

Field = tuple[str, str]


class Page:
    """The path of a page that accepts a form, and the forms of its module."""

    def __init__(self, path: str, forms: Sequence[Form[Any]]) -> None:
        self.path = path
        self.forms = forms


def pages_of(app: Litestar) -> list[Page]:
    """Return the paths of pages that accept forms."""
    found = []
    for route in app.routes:
        if not isinstance(route, HTTPRoute) or route.path_format.startswith(API_PATH):
            continue
        for method, (handler, _) in route.route_handler_map.items():
            if method == "POST":
                known = vars(handler.fn).get("__globals__") or handler.fn.__globals__
                forms = [value for value in known.values() if isinstance(value, Form)]
                found.append(Page(route.path_format, forms or [BUTTON]))
    return sorted(found, key=lambda page: page.path)


def fields_of(kind: inspect.Type, known: Sequence[str], luck: random.Random, name: str = "") -> Iterator[Field]:
    """Yield a value for each field of a form of this type, mostly valid ones."""
    if name.count(".") > DEPTH_MAX:
        return
    if isinstance(kind, inspect.Metadata):
        yield from fields_of(kind.type, known, luck, name)
    elif isinstance(kind, inspect.UnionType):
        yield from fields_of(luck.choice(kind.types), known, luck, name)
    elif isinstance(kind, inspect.StructType):
        if kind.tag is not None:
            yield below(name, str(kind.tag_field)), str(kind.tag)
        for each in kind.fields:
            if each.required or luck.random() < 0.5:
                yield from fields_of(each.type, known, luck, below(name, each.encode_name))
    elif isinstance(kind, inspect.DictType):
        yield from fields_of(kind.value_type, known, luck, below(name, luck.choice(KEYS)))
    elif isinstance(kind, inspect.VarTupleType | inspect.ListType):
        for index in range(luck.choice((0, 1, 2, 5))):
            numbered = below(name, str(index)) if luck.random() < 0.5 else name
            yield from fields_of(kind.item_type, known, luck, numbered)
    else:
        yield name, value_of(kind, known, luck)


def below(name: str, step: str) -> str:
    return f"{name}.{step}" if name else step


def value_of(kind: inspect.Type, known: Sequence[str], luck: random.Random) -> str:
    """Return a text for a field, sometimes of another type."""
    kinds: list[Sequence[str]] = [TEXTS, NUMBERS, MOMENTS, known, ("true", "on", "maybe", "false")]
    if luck.random() < 0.1:
        return luck.choice(luck.choice(kinds))
    if isinstance(kind, inspect.LiteralType):
        return str(luck.choice(kind.values))
    if isinstance(kind, inspect.EnumType):
        return str(luck.choice(list(kind.cls)).value)
    if isinstance(kind, inspect.IntType | inspect.FloatType | inspect.DecimalType):
        return luck.choice(NUMBERS)
    if isinstance(kind, inspect.BoolType):
        return "true"
    if isinstance(kind, inspect.DateTimeType | inspect.DateType):
        return luck.choice(MOMENTS)
    if isinstance(kind, inspect.UUIDType):
        return luck.choice(known)
    return luck.choice((*TEXTS, *known)) if luck.random() < 0.5 else "Ana"


def spoil_fields(fields: list[Field], luck: random.Random) -> list[Field]:
    """Return the fields unchanged, or with a mistake of a browser or attacker."""
    if not fields:
        fields = [("extra", "1")] if luck.random() < 0.3 else []
    kinds = (
        fields,
        fields[:-1],
        fields + fields,
        [*fields, (luck.choice(NAMES), luck.choice(TEXTS))],
        [(f"{name}.{luck.choice(KEYS)}", value) for name, value in fields],
        [*fields, *((f"f{number}", "") for number in range(luck.choice(MANY)))],
        [*fields, *((name, value) for name, value in fields[:1] for _ in range(luck.choice(MANY)))],
        luck.sample(fields, len(fields)),
    )
    return list(luck.choice(kinds))


def body_of(fields: list[Field], luck: random.Random) -> tuple[bytes, str]:
    """Return the form and its content type: URL-encoded or multipart, rarely malformed or of another type."""
    if luck.random() < 0.6:
        content, kind = urlencode(fields).encode(), "application/x-www-form-urlencoded"
    else:
        boundary = "b" * luck.choice((1, 30, 70))
        parts = [part_of(name, value, luck) for name, value in fields]
        content = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
        content, kind = content + b"--%s--\r\n" % boundary.encode(), f"multipart/form-data; boundary={boundary}"
    if luck.random() < 0.1:
        content = content[: luck.randrange(len(content) + 1)]
    if luck.random() < 0.05:
        kind = luck.choice(WRONG_KINDS)
    return content, kind


def part_of(name: str, value: str, luck: random.Random) -> bytes:
    """Return a part of a form, sometimes as a file."""
    quoted = name.replace('"', "%22").replace("\r", "").replace("\n", "")
    file = '; filename="a.csv"\r\nContent-Type: text/csv' if luck.random() < 0.2 else ""
    return f'Content-Disposition: form-data; name="{quoted}"{file}\r\n\r\n{value}'.encode(errors="replace")


REUSED_SOON: Final = httpx.Limits(keepalive_expiry=2.0)
"""Maximum idle time of reused connections: the service closes them after 5 s, even as a request arrives."""
TRIES: Final = 4
ENDED: Final = (httpx.RemoteProtocolError, httpx.NetworkError)
"""A connection that closed without a response; a reset if the service had not read the whole request."""
SENT_AGAIN: Final[list[str]] = []
"""Method and path of requests whose connection closed without a response. Few are expected; many are a finding."""


class Transport(httpx.HTTPTransport):
    """Connections to a service that closes connections whose headers take over 0.3 s, as on a busy machine."""

    def __init__(self) -> None:
        super().__init__(limits=REUSED_SOON)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, again if its connection closed without a response."""
        for _ in range(TRIES - 1):
            with suppress(*ENDED):
                return super().handle_request(request)
            SENT_AGAIN.append(f"{request.method} {request.url.path}")
        return super().handle_request(request)


class Browser:
    """A browser of a person or stranger, with cookies for session and forms."""

    def __init__(self, url: str, session: str, seconds: float) -> None:
        cookies = {SESSION: session} if session else {}
        self._client = httpx.Client(base_url=url, timeout=seconds, cookies=cookies, transport=Transport())
        self._client.get("/")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def send(self, page: Page, known: Mapping[str, Sequence[str]], luck: random.Random) -> httpx.Response:
        """Send one of the page's forms."""
        ids = [each for values in known.values() for each in values]
        path = page.path
        for name in known:
            path = path.replace(f"{{{name}}}", luck.choice(known[name]))
        path = "/".join(luck.choice(ids) if part.startswith("{") else part for part in path.split("/"))
        form = luck.choice(page.forms)
        fields = list(fields_of(form.shape, ids, luck))
        if luck.random() < 0.5:
            fields = spoil_fields(fields, luck)
        if luck.random() < 0.95:
            fields = [(TOKEN, self._client.cookies.get(FORMS) or ""), *fields]
        content, kind = body_of(fields, luck)
        headers = {"Content-Type": kind, **({"HX-Request": "true"} if luck.random() < 0.2 else {})}
        return self._client.post(path.replace(" ", "%20"), content=content, headers=headers)


STREAM: Final = "text/event-stream"
CURSORS: Final = ("", "0", "1", "2", "-1", "999999999999999999999", "abc", "1,2", "é", "a" * 5_000, "0x1", " 1")
QUERIES: Final = ("", "after=0", "after=-1", "after=9999999999", "have=1", "have=x&own=y", "held=1", "after=1&after=2")
HEAD: Final = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
JSON: Final = b'{"name": "x", "password": "y"}'
REQUESTS: Final = (
    b"GET /api/health" + HEAD + b"\r\n",
    b"GET /tables" + HEAD + b"Accept: text/html\r\n\r\n",
    b"POST /api/accounts" + HEAD + b"Content-Type: application/json\r\nContent-Length: 30\r\n\r\n" + JSON,
    b"POST /language" + HEAD + b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\nx=y&z",
    b"POST /api/logs" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
    b"POST /api/guests" + HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
)
FLOOD_BYTES: Final = 8 * 1024 * 1024
RESET: Final = struct.pack("ii", 1, 0)


def streams_of(app: Litestar) -> list[str]:
    """Return the paths of live streams."""
    return sorted(
        route.path_format
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler, _ in route.route_handler_map.values()
        if str(handler.media_type) == STREAM
    )


def open_stream(
    address: tuple[str, int], path: str, known: Mapping[str, Sequence[str]], headers: Sequence[str], luck: random.Random
) -> tuple[bytes, bytes]:
    """Open a stream with an odd cursor and drop it; return the request and the start of its response."""
    for name in known:
        path = path.replace(f"{{{name}}}", luck.choice(known[name]))
    ids = [each for values in known.values() for each in values]
    path = "/".join(luck.choice((*ids, "x")) if part.startswith("{") else part for part in path.split("/"))
    lines = [f"GET {path.replace(' ', '%20')}?{luck.choice(QUERIES)} HTTP/1.1", "Host: localhost", *headers]
    lines += [f"Last-Event-ID: {luck.choice(CURSORS)}"] if luck.random() < 0.7 else []
    lines += ["Accept-Encoding: gzip"] if luck.random() < 0.3 else []
    request = "\r\n".join(lines).encode() + b"\r\n\r\n"
    return request, send_and_drop(address, request, luck, is_whole=True)


def cut_request(address: tuple[str, int], luck: random.Random) -> tuple[bytes, bytes]:
    """Send a part of a request, or a corrupted one, and drop the connection or wait for its end."""
    request = luck.choice(REQUESTS)
    offset = luck.randrange(len(request) + 1)
    spoiled = (
        request[:offset],
        request[:offset],
        request + request[:offset],
        request[:offset] + bytes([luck.randrange(256)]) + request[offset + 1 :],
        request[:offset] + luck.randbytes(20),
        request[:offset] + b"x" * 70_000 + request[offset:],
        request.replace(b"Content-Length: ", b"Content-Length: -"),
        request.replace(b"\r\n", b"\n"),
    )
    sent = luck.choice(spoiled)
    return sent, send_and_drop(address, sent, luck, is_whole=False)


def pour(address: tuple[str, int], flood: Flood) -> tuple[bytes, bytes]:
    """Send an endless request; return its start and the start of a response.

    Raise `TimeoutError` if the service does not close the connection.
    """
    sent = send(address, flood, FLOOD_BYTES)
    if flood.is_refused and not sent.is_refused:
        raise TimeoutError
    return flood.head + flood.piece[:80], sent.response


def send_and_drop(address: tuple[str, int], request: bytes, luck: random.Random, *, is_whole: bool) -> bytes:
    """Send bytes; read the first chunk of a response, all of it or nothing; then drop the connection.

    Raise `TimeoutError` if the service neither responds nor closes the connection.
    """
    with socket.create_connection(address, 60.0) as connection:
        answer, reads = b"", luck.choice(("nothing", "piece", "piece", "end"))
        with suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(request)
            if reads == "piece" and is_whole:
                answer = connection.recv(65_536)
            elif reads != "nothing" and not is_whole:
                while piece := connection.recv(65_536):
                    answer += piece
        if luck.random() < 0.3:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        elif luck.random() < 0.3:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
        return answer
