"""The service behind nginx and Caddy with TLS, and as systemd units: the files in ops/hosting work."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.client import HTTPSConnection
from pathlib import Path
from typing import Final

import msgspec
import pytest

from ops.certificates import Authority, Certificate
from ops.cli import main
from ops.roles import ROLES
from ops.supervisor import STOP_SECONDS_MAX
from projections.platform.telemetry.requests import HEADER
from tests.api.service import Sockets, behind_sockets, settings_in
from tests.workers.serving import PATIENCE_SECONDS, process_of

ROOT: Final = Path(__file__).parent.parent.parent
HOSTING: Final = ROOT / "ops" / "hosting"
UNITS: Final = sorted((HOSTING / "systemd").iterdir())
HALF_BODY: Final = (
    b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
)
BIN: Final = Path(sys.executable).parent


class Front:
    """A proxy in front of a service."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, ca: Path, reload: list[str]) -> None:
        self.process = process
        self._port = port
        self._tls = ssl.create_default_context(cafile=str(ca))
        self._reload = reload

    def connect(self) -> HTTPSConnection:
        return HTTPSConnection("localhost", self._port, timeout=PATIENCE_SECONDS, context=self._tls)

    def ask(self, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return status, headers in lower case and body."""
        connection = self.connect()
        try:
            connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()

    def wait(self) -> None:
        """Wait until it accepts connections."""
        while True:
            assert self.process.poll() is None, "the proxy has ended"
            try:
                socket.create_connection(("127.0.0.1", self._port), PATIENCE_SECONDS).close()
            except ConnectionRefusedError:
                continue
            return

    def reload(self) -> None:
        """Reload the configuration."""
        subprocess.run(self._reload, check=True, capture_output=True, env=os.environ)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def binary(name: str) -> str:
    path = shutil.which(
        name, path=f"{os.environ['PATH']}:/usr/sbin:{ROOT / 'var/hosts/usr/sbin'}:{ROOT / 'var/hosts/usr/bin'}"
    )
    assert path is not None, f"`ops/test` finds {name} or installs it"
    return path


def nginx(folder: Path, service: Sockets, port: int, certificate: Certificate) -> tuple[list[str], list[str]]:
    """Return the commands to start nginx with our configuration and to reload it."""
    text = (HOSTING / "nginx.conf").read_text()
    text = re.sub(r"(?m)^ *listen \[::\].*\n", "", text)
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("esporles.example", "localhost"),
        ("127.0.0.1:8000", f"127.0.0.1:{service.port}"),
        ("/etc/esporles/tls/fullchain.pem", str(certificate.certificate)),
        ("/etc/esporles/tls/key.pem", str(certificate.key)),
        ("client_body_timeout 30s;", "client_body_timeout 1s;"),
        ("client_header_timeout 10s;", "client_header_timeout 1s;"),
    ):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "esporles.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary} include {folder}/esporles.conf; }}\n"
    )
    start = [binary("nginx"), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
    return start, [*start, "-s", "reload"]


def caddy(folder: Path, service: Sockets, port: int, certificate: Certificate) -> tuple[list[str], list[str]]:
    """Return the same commands for Caddy."""
    admin = f"unix/{service.path.with_name('admin.sock')}"
    text = (HOSTING / "Caddyfile").read_text()
    for old, new in (
        ("esporles.example {", f"localhost:{port} {{\n\ttls {certificate.certificate} {certificate.key}"),
        ("127.0.0.1:8000", f"127.0.0.1:{service.port}"),
        ("{\n\tservers {", f"{{\n\tadmin {admin}\n\tauto_https disable_redirects\n\tservers {{"),
        ("read_header 10s", "read_header 1s"),
        ("read_body 5m", "read_body 1s"),
    ):
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "Caddyfile"
    path.write_text(text)
    options = ["--config", str(path), "--adapter", "caddyfile"]
    return [binary("caddy"), "run", *options], [binary("caddy"), "reload", *options, "--address", admin, "--force"]


KINDS: Final = {"nginx": nginx, "caddy": caddy}
STOPS_AT_ONCE: Final = {"nginx": signal.SIGTERM, "caddy": signal.SIGQUIT}
"""Without waiting for abandoned streams, which takes Caddy most of a minute."""


@contextmanager
def run_front(folder: Path, kind: str) -> Iterator[tuple[Front, Sockets]]:
    """Run a service behind a kind of proxy."""
    settings = msgspec.structs.replace(settings_in(folder / "data"), proxies=("127.0.0.1",), secure_cookies=True)
    (folder / "data").mkdir()
    certificate = Authority(folder / "tls").certificate_of("front", "localhost", "127.0.0.1")
    with behind_sockets(folder / "data", settings) as service:
        port = free_port()
        start, reload = KINDS[kind](folder, service, port, certificate)
        environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        process = subprocess.Popen(start, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        front = Front(process, port, certificate.ca, reload)
        try:
            front.wait()
            yield front, service
        finally:
            process.send_signal(STOPS_AT_ONCE[kind])
            process.wait(PATIENCE_SECONDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_service_is_reached_over_tls(tmp_path: Path, kind: str) -> None:
    """The proxy determines the caller's address and the request's id, and ignores the headers that the caller sent."""
    request_id = "said-by-the-caller-itself"
    with run_front(tmp_path, kind) as (front, _):
        status, headers, body = front.ask("GET", "/api/health", **{HEADER: request_id, "X_Forwarded_For": "192.0.2.7"})
        page_status, page_headers, _ = front.ask("GET", "/", Accept="text/html")

    assert (status, msgspec.json.decode(body)) == (200, {"status": "ok"})
    assert headers[HEADER.lower()] != request_id
    assert len(headers[HEADER.lower()]) >= 32
    assert page_status == 200
    assert "max-age" in page_headers["strict-transport-security"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "partial_request", [b"POST /api/guests HTTP/1.1\r\nHost: loc", HALF_BODY], ids=["headers", "body"]
)
def test_a_half_sent_request_ends_at_the_proxy(tmp_path: Path, kind: str, partial_request: bytes) -> None:
    with run_front(tmp_path, kind) as (front, _):
        connection = front.connect()
        connection.connect()
        connection.sock.sendall(partial_request)
        response = connection.sock.recv(65_536)
        connection.close()

    assert b" 200 " not in response[:13]
    assert b" 201 " not in response[:13]


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_has_no_gap_across_a_reload(tmp_path: Path, kind: str) -> None:
    with run_front(tmp_path, kind) as (front, service):
        token = service.token_of("ann")
        match_id = service.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        stream = versions(front, f"/api/matches/{match_id}/stream")
        seen = [next(stream)]
        service.ask("POST", f"/matches/{match_id}/seats", {"seat": 0}, token)
        seen.append(next(stream))
        front.reload()
        service.ask("POST", f"/matches/{match_id}/seats", {"seat": 1, "bot": "random"}, token)
        seen.append(next(stream))
        stream.close()

    assert seen == [1, 2, 3]


def versions(front: Front, path: str) -> Generator[int, None, None]:
    """Yield the versions of a stream, reconnecting when it ends."""
    seen = 0
    while True:
        connection = front.connect()
        try:
            connection.request("GET", path, headers={"Last-Event-ID": str(seen)} if seen else {})
            response = connection.getresponse()
            assert response.status == 200
            while line := response.readline():
                if line.startswith(b"id:"):
                    seen = int(line.removeprefix(b"id:"))
                    yield seen
        finally:
            connection.close()


def test_nginx_refuses_requests_that_are_too_long(tmp_path: Path) -> None:
    with run_front(tmp_path, "nginx") as (front, _):
        status, _, _ = front.ask("POST", "/api/logs", Content_Length=str(70_000_000))

    assert status == 413


def unit(path: Path) -> configparser.RawConfigParser:
    """Parse a unit, keeping the case of its keys."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the parser's documented way to keep capitals
    parser.read_string(path.read_text())
    return parser


def command_here(line: str) -> list[str]:
    """Return the command of a unit with paths of this folder."""
    return [arg.replace("/opt/esporles/.venv/bin", str(BIN)) for arg in shlex.split(line)]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_start_existing_commands(path: Path) -> None:
    command = shlex.split(unit(path)["Service"]["ExecStart"])

    assert command[0] == "/opt/esporles/.venv/bin/esporles"
    with pytest.raises(SystemExit) as ended:
        main([*command[1:2], "--help"])
    assert not ended.value.code


def test_the_console_reaches_a_service_with_private_temporary_files() -> None:
    path = HOSTING / "systemd" / "esporles.service"

    assert unit(path)["Service"]["PrivateTmp"] == "yes"
    (socket_path,) = re.findall(r"(?m)^Environment=ESPORLES_SOCKET=(\S+)$", path.read_text())
    assert Path(socket_path).parent == Path("/run") / unit(path)["Service"]["RuntimeDirectory"]


def test_systemd_leaves_the_order_of_stopping_to_the_service() -> None:
    service = unit(HOSTING / "systemd" / "esporles.service")["Service"]

    assert service["KillMode"] == "mixed"
    assert int(service["TimeoutStopSec"]) > 3 * STOP_SECONDS_MAX


def test_the_archive_unit_names_its_destination(tmp_path: Path) -> None:
    line = unit(HOSTING / "systemd" / "esporles-archive.service")["Service"]["ExecStart"]
    command = [*command_here(line), "--print", "--data", str(tmp_path)]

    assert b"/var/backups/esporles/log.db" in subprocess.run(command, capture_output=True, check=True).stdout
    server = {f"ESPORLES_{name}": "postgresql://esporles@10.0.0.5/esporles" for name in ("STORE", "PEOPLE")}
    output = subprocess.run(command, capture_output=True, check=True, env=os.environ | server).stdout
    assert b"pg_receivewal -d postgresql://esporles@10.0.0.5/esporles -D /var/backups/esporles/wal" in output


def test_every_role_has_a_unit() -> None:
    lines = [shlex.split(unit(path)["Service"]["ExecStart"]) for path in UNITS]

    assert {line[2] for line in lines if line[1] == "run"} == ROLES.keys()


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """Only if systemd is installed; otherwise its files are only read by the test above."""
    analyze = shutil.which("systemd-analyze")
    install_folder, folder = tmp_path / "install", tmp_path / "units"
    # The path of this folder may contain a space, which has a meaning in units.
    install_folder.symlink_to(ROOT)
    folder.mkdir()
    for path in UNITS:
        text = re.sub(
            r"(?m)^(User|Group)=.*$", r"\1=root", path.read_text().replace("/opt/esporles", str(install_folder))
        )
        (folder / path.name).write_text(text)
    if analyze is not None:
        units = [str(each) for each in sorted(folder.iterdir())]
        process = subprocess.run([analyze, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        assert (process.returncode, process.stderr) == (0, "")


def test_the_unit_starts_the_service(tmp_path: Path) -> None:
    line = unit(HOSTING / "systemd" / "esporles.service")["Service"]["ExecStart"]
    settings = {"ESPORLES_DATA": str(tmp_path), "ESPORLES_PORT": "0", "ESPORLES_LOGS": "json"}
    with process_of(command_here(line), os.environ | settings) as (process, output):
        assert output.line().startswith("listening on http://127.0.0.1:")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_SECONDS) == 0
