"""A whole service in a temporary folder on a free loopback port, for tests that kill parts of it."""

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit

import msgspec

from ops.accounts import open_people
from ops.supervisor import Restarted, Started
from projections.platform.settings import Settings
from tests.seeding import HEADER, next_name

SEEDED: Final = "tests.launching"
"""The service process with chance derived from the tests' seed."""
ROOT: Final = Path(__file__).parent.parent.parent
PATIENCE_SECONDS: Final = 180.0
"""Longer than any response or event of a working service takes, even on a busy machine."""
DEADLINE_SECONDS: Final = 300.0
"""Longer than whole matches of bots take, including all followers."""
QUIET_BEATS_MAX: Final = 30
"""Heartbeats of a stream without an entry after which a match counts as stuck.

They are `api.matches.stream.HEARTBEAT_SECONDS` apart; the longest lease of a duty is over several times by then.
"""

ENDS_MAX: Final = 3
"""Consecutive streams of one match that end without an entry."""

RUN: Final = """
import os, sys, msgspec
from projections.platform.settings import Settings
from ops.supervisor import Programs, serve

def tell(what):
    sys.stdout.write(msgspec.json.encode(what).decode() + "\\n")
    sys.stdout.flush()

settings, (count, service) = Settings.from_environment(os.environ), sys.argv[1:]
programs = Programs((service,))
sys.exit(serve(settings, worker_count=int(count), on_ready=tell, on_restart=tell, programs=programs))
"""


class Client:
    """A client of a person.

    The chance of the objects it creates follows from its name, or from the test and the request.
    """

    def __init__(self, url: str, token: str = "", name: str = "") -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._address = (parts.hostname, parts.port)
        self._name = name
        self._fixed_headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )

    @property
    def _headers(self) -> dict[str, str]:
        """Return the headers of a request: the token and the source of chance."""
        return self._fixed_headers | {HEADER: self._name or next_name("request")}

    def ask(self, method: str, path: str, request_body: object = None) -> tuple[int, Any]:
        """Send a request; return status and decoded response."""
        status, body = self.fetch(method, path, request_body)
        return status, json.loads(body) if body else None

    def fetch(self, method: str, path: str, request_body: object = None) -> tuple[int, bytes]:
        """Send a request; return status and raw response."""
        connection = HTTPConnection(*self._address, timeout=PATIENCE_SECONDS)
        try:
            connection.request(
                method, f"/api{path}", None if request_body is None else json.dumps(request_body), self._headers
            )
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def send(self, path: str, body: bytes) -> tuple[int, Any]:
        """Post raw bytes; return status and decoded response."""
        connection = HTTPConnection(*self._address, timeout=PATIENCE_SECONDS)
        try:
            connection.request("POST", f"/api{path}", body, self._headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        status, response = self.ask("GET", path)
        assert status == 200, response
        return response

    def post(self, path: str, body: object) -> Any:
        status, response = self.ask("POST", path, body)
        assert status in {200, 201, 204}, response
        return response

    def versions(self, match_id: str, after: int = 0) -> Iterator[int]:
        """Yield the versions of a match from its stream; fail when it is stuck.

        Heartbeats keep a quiet stream open, so they are counted. A stream that ends, because the reader is slow or the
        process stops, is resumed after the last version, as browsers do.
        """
        seen, ends = after, 0
        while ends <= ENDS_MAX:
            with closing(self._versions_until_it_ends(match_id, seen)) as versions:
                for version in versions:
                    assert version > seen, f"the stream of {match_id} tells version {version} after {seen}"
                    seen, ends = version, 0
                    yield seen
            ends += 1
        raise AssertionError(f"the stream of {match_id} broke off after version {seen}, and so did those after it")

    def _versions_until_it_ends(self, match_id: str, after: int) -> Generator[int]:
        connection = HTTPConnection(*self._address, timeout=PATIENCE_SECONDS)
        try:
            try:
                response = self._open_stream(connection, match_id, after)
            except ConnectionError:
                # The service was killed during the request: send it to its successor.
                connection.close()
                response = self._open_stream(connection, match_id, after)
            assert response.status == 200, response.read()
            seen, heartbeats = after, 0
            while line := response.readline():
                if line.startswith(b"id:"):
                    seen, heartbeats = int(line.removeprefix(b"id:")), 0
                    yield seen
                elif line.startswith(b":"):
                    heartbeats += 1
                    assert heartbeats <= QUIET_BEATS_MAX, self.standstill(match_id, seen, heartbeats)
        finally:
            connection.close()

    def _open_stream(self, connection: HTTPConnection, match_id: str, after: int) -> HTTPResponse:
        connection.request("GET", f"/api/matches/{match_id}/stream?after={after}", headers=self._headers)
        return connection.getresponse()

    def standstill(self, match_id: str, seen: int, heartbeats: int) -> str:
        """Describe a match whose stream is stuck."""
        match = self.get(f"/matches/{match_id}")
        seats = [seat["player"] and seat["player"]["name"] for seat in match["seats"]]
        return (
            f"the stream of {match_id} told version {seen} and then nothing for {heartbeats} heartbeats: the match is"
            f" {match['status']} at version {match['version']}, seats {match['toAct']} of {seats} owe a decision"
        )

    def wait_for_version(self, match_id: str, version: int) -> int:
        """Return the first version at or after this one."""
        return next(seen for seen in self.versions(match_id) if seen >= version)

    def wait_for_end(self, match_id: str) -> Any:
        """Return the match when it is over."""
        for version in self.versions(match_id):
            if version < 8:
                continue
            entry = self.get(f"/matches/{match_id}/entries?after={version - 1}&limit=1")["entries"][0]
            if entry["body"]["type"] == "match_ended":
                break
        return self.get(f"/matches/{match_id}?atLeast={version}")


class OutputReader:
    """The output of a supervisor by line, read by a thread so that waiting can time out."""

    def __init__(self, lines: IO[str]) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._listen, args=(lines,))
        self._thread.start()

    def _listen(self, lines: IO[str]) -> None:
        for line in lines:
            self._lines.put(line)
        self._lines.put("")

    def line(self) -> str:
        """Return the next line; fail if the supervisor has exited or is silent."""
        try:
            line = self._lines.get(timeout=PATIENCE_SECONDS)
        except queue.Empty:
            raise AssertionError(f"the supervisor said nothing for {PATIENCE_SECONDS:.0f} s") from None
        assert line, "the supervisor has ended"
        return line

    def lines_so_far(self) -> Iterator[str]:
        """Yield the lines that have not been read yet."""
        while not self._lines.empty():
            yield self.line()

    def join(self) -> None:
        self._thread.join(PATIENCE_SECONDS)


class Serving:
    """A running service: its processes by name, its data, and clients."""

    def __init__(self, process: "subprocess.Popen[str]", output: "OutputReader", folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.output = output
        self.started = msgspec.json.decode(output.line(), type=Started)
        self._players = 0
        self._pids = dict(self.started.processes)

    def player(self) -> Client:
        """Create a person with an account and a token."""
        self._players += 1
        anonymous = Client(self.started.url)
        account = {"name": f"player {self._players}", "password": "correct horse battery"}
        anonymous.post("/accounts", account)
        return Client(self.started.url, anonymous.post("/tokens", account)["secret"])

    def operator(self) -> Client:
        """Return a new person who runs the service, and so may open rated events."""
        client = self.player()
        settings = Settings.from_environment({"ESPORLES_DATA": str(self.folder)})
        with open_people(settings) as people:
            people.set_role(client.get("/me")["person"]["id"], "operator")
        return client

    def pid_of(self, name: str) -> int:
        """Return the id of the latest process of this name."""
        return self._pids[name]

    def kill(self, *names: str) -> None:
        """Kill processes at once as a crash would, and wait until they are restarted."""
        for line in self.output.lines_so_far():
            self.has_restarted(line)
        for name in names:
            os.kill(self._pids[name], signal.SIGKILL)
        missing = set(names)
        while missing:
            missing.discard(self.has_restarted(self.output.line()))

    def has_restarted(self, line: str) -> str:
        """Note the process that a line reports as restarted, and return its name."""
        restarted = msgspec.json.decode(line, type=Restarted)
        self._pids[restarted.name] = restarted.pid
        return restarted.name

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def process_of(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], OutputReader]]:
    """Run a process and provide its output; stop it at the end."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    output = OutputReader(process.stdout)
    try:
        yield process, output
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_SECONDS)
        output.join()
        process.stdout.close()


@contextmanager
def serving(
    folder: Path, worker_count: int = 2, service_module: str = SEEDED, run: str = RUN, **environment: str
) -> Iterator[Serving]:
    """Run a whole service with the tests' chance and clean up afterwards; `run` is the program that starts it."""
    limits = (
        "ACCOUNTS_PER_MINUTE",
        "CHANGES_PER_MINUTE",
        "CREATIONS_PER_HOUR",
        "GUESSES_PER_HOUR",
        "STREAMS_PER_PERSON",
        "STREAMS_PER_ADDRESS",
        "LISTED_TABLES_PER_PERSON",
        "BOT_TABLES_PER_PERSON",
        "TABLES_WITH_BOTS_PER_PERSON",
        "NEWCOMERS_PER_DAY",
        "GUEST_CREATIONS_PER_HOUR",
    )
    unlimited = {f"ESPORLES_{limit}": "0" for limit in limits}
    settings = {"ESPORLES_DATA": str(folder), "ESPORLES_PORT": "0", "ESPORLES_DEMO": "0"} | unlimited | environment
    inherited = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    command = [sys.executable, "-c", run, str(worker_count), service_module]
    with process_of(command, inherited | settings) as (process, output):
        yield Serving(process, output, folder)


class PreparedServer:
    """A server that sends one prepared response per connection and records requests."""

    def __init__(self, path: Path, responses: list[bytes]) -> None:
        self.requests: list[str] = []
        self._responses = responses
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        for response in self._responses:
            connection, _ = self._listener.accept()
            connection.settimeout(PATIENCE_SECONDS)
            self.requests.append(read_request(connection))
            connection.sendall(response)
            connection.close()

    def close(self) -> None:
        self._thread.join(PATIENCE_SECONDS)
        self._listener.close()


def read_request(connection: socket.socket) -> str:
    """Read the head and body of a request."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65_536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
    )
    while len(body) < length:
        body += connection.recv(65_536)
    return (head + b"\n" + body).decode()


def http(status: int, body: object) -> bytes:
    encoded = json.dumps(body).encode()
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(encoded)}\r\n\r\n".encode() + encoded
