"""Valkey over a network: passwords, TLS and sentinels; clusters are refused."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.backoff import ConstantBackoff
from redis.exceptions import AuthenticationError, RedisError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from ops.certificates import Authority
from ops.embedded_valkey import valkey_binary
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings
from projections.platform.valkey import async_valkey, require_no_cluster, valkey
from projections.platform.valkey_urls import BadServer, sentinels_of
from workers.queues import URGENT, Queues, impatient_connection

PATIENT: Final = Retry(ConstantBackoff(0.05), 400, (RedisConnectionError, OSError))
HOST: Final = "127.0.0.1"


def free_port() -> int:
    with socket.create_server((HOST, 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def server(folder: Path, *args: str, password: str = "") -> Iterator[int]:
    """Run a real server on a free port."""
    port = free_port()
    folder.mkdir()
    command = [str(valkey_binary()), "--port", str(port), "--bind", HOST, "--dir", str(folder), "--save", "", *args]
    command += ["--requirepass", password] if password else []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        with Redis(HOST, port, password=password or None, retry=PATIENT) as connection:
            connection.ping()
        yield port
    finally:
        process.kill()
        process.wait()


class Tunnel:
    """A TLS proxy in front of a server without TLS, as operators use it."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self._port, self._context = port, context
        self._listener = socket.create_server((HOST, 0))
        self.port: Final = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            with (
                self._context.wrap_socket(client, server_side=True) as tls,
                socket.create_connection((HOST, self._port)) as upstream,
            ):
                responses = threading.Thread(target=self._pump, args=(upstream, tls), daemon=True)
                responses.start()
                self._pump(tls, upstream)
                responses.join()
        except OSError:
            return

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket) -> None:
        try:
            while content := source.recv(65_536):
                target.sendall(content)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def test_a_server_behind_tls_is_verified_by_its_authority(tmp_path: Path) -> None:
    certificate = Authority(tmp_path / "keys").certificate_of("valkey", HOST)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.certificate, certificate.key)
    with server(tmp_path / "data", password="hush") as port:
        tunnel = Tunnel(port, context)
        address = f"rediss://:hush@{HOST}:{tunnel.port}/0"
        with impatient_connection(f"{address}?ssl_ca_certs={certificate.ca}") as connection:
            Queues(connection).service_turn(URGENT, UUID(int=1), 1, 1)
        with impatient_connection(address) as unverified, pytest.raises(RedisConnectionError, match="certificate"):
            unverified.ping()
        wrong_address = f"{address.replace('hush', 'loud')}?ssl_ca_certs={certificate.ca}"
        with impatient_connection(wrong_address) as unauthorised, pytest.raises(AuthenticationError):
            unauthorised.ping()
        tunnel.close()


def test_sentinels_name_the_primary(tmp_path: Path) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(server(tmp_path / "first"))
        config = tmp_path / "sentinel.conf"
        sentinel_port = free_port()
        config.write_text(f"port {sentinel_port}\nbind {HOST}\nsentinel monitor house {HOST} {first} 1\n")
        sentinel = subprocess.Popen([str(valkey_binary()), str(config), "--sentinel"], stdout=subprocess.DEVNULL)
        stack.callback(sentinel.wait)
        stack.callback(sentinel.kill)
        with Redis(HOST, sentinel_port, retry=PATIENT) as sentinel_client:
            sentinel_client.ping()

        with valkey(f"redis+sentinel://{HOST}:{sentinel_port}/house") as primary:
            primary.set("who", "the first")
        with Redis(HOST, first) as first_client:
            assert first_client.get("who") == b"the first"
        with valkey(f"redis+sentinel://{HOST}:{sentinel_port}/another") as other, pytest.raises(RedisError):
            other.ping()


def test_a_cluster_is_refused(tmp_path: Path, redis_url: str) -> None:
    with (
        server(tmp_path / "cluster", "--cluster-enabled", "yes") as port,
        pytest.raises(
            BadServer,
            match="clusters are not supported",
        ),
    ):
        require_no_cluster(f"redis://{HOST}:{port}")
    require_no_cluster(redis_url)


def test_an_unavailable_server_passes_the_cluster_check(dead_redis_url: str) -> None:
    require_no_cluster(dead_redis_url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (
            "redis+cluster://:hush@a:1,b:2",
            "clusters are not supported",
        ),
        ("redis://:hush@a:1,b:2/0", "several servers require sentinels"),
        (
            "redis+sentinel://:hush@a:1,b:2",
            "sentinels require the name of the server",
        ),
        ("http://:hush@a", "expected one of redis, rediss, unix"),
    ],
)
def test_an_address_that_names_no_server_is_refused_without_its_password(url: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message) as refused:
        Settings.from_environment({"ESPORLES_REDIS": url})

    assert "hush" not in str(refused.value)


def test_options_in_sentinel_urls_are_read_as_for_one_server() -> None:
    sentinels = sentinels_of(
        "redis+sentinel://one,two:26380/house/3?socket_timeout=2.5&health_check_interval=10&protocol=3"
    )

    assert sentinels.options == {"socket_timeout": 2.5, "health_check_interval": 10, "protocol": 3, "db": 3}
    assert sentinels.addresses == (("one", 26_379), ("two", 26_380))


@pytest.mark.parametrize("url", ["redis://:a%26b@one:6380/3", "unix:///run/valkey.sock", "redis+sentinel://one/house"])
@pytest.mark.parametrize("connect", [valkey, async_valkey])
def test_timeouts_of_the_service_override_those_in_the_url(
    url: str, connect: Callable[..., Redis | AsyncRedis]
) -> None:
    """Otherwise a blocking read of a queue would end after the timeout of the URL."""
    options = connect(
        f"{url}?socket_timeout=9&socket%5Ftimeout=9&health_check_interval=10",
        socket_timeout=None,
        socket_connect_timeout=1.5,
    ).connection_pool.connection_kwargs

    assert (options["socket_timeout"], options["socket_connect_timeout"]) == (None, 1.5)
    assert options["health_check_interval"] == 10


def test_a_url_without_options_keeps_its_place_and_password() -> None:
    options = valkey("redis://:a%26b@one:6380/3", socket_timeout=1.0).connection_pool.connection_kwargs

    assert (options["host"], options["port"], options["db"], options["password"]) == ("one", 6380, 3, "a&b")


def test_the_address_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "redis"
    file.write_text("rediss://:hush@queue:6379/0\n")

    settings = Settings.from_environment({"ESPORLES_REDIS_FILE": str(file)})

    assert urlsplit(settings.redis).hostname == "queue"
