"""Readers that convert environment variables into values of settings; errors name the variable."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from domain.analyses.report import TRIES_MIN
from domain.transparency.errors import Malformed
from domain.transparency.notes import require_name
from domain.transparency.witnesses import QUORUM_WORDS, WitnessAddress, parse_quorum, parse_witnesses
from projections.platform.declarations import Kind, Secret
from projections.platform.valkey_urls import BadServer, require_server

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"", "0", "false", "no", "off"})
SQLITE: Final = "sqlite:///"
POSTGRES: Final = ("postgresql://", "postgres://")
UNIX: Final = "unix://"
JSON: Final = "json"
LOG_FORMS: Final = ("text", JSON)
PORT_MAX: Final = 65_535
PARTITIONS_MAX: Final = 1_024
TRIES_MAX: Final = 100_000
"""More would exceed the timeout of a job."""
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
OF_TRACES: Final = "_TRACES_ENDPOINT"
TRACES_PATH: Final = "/v1/traces"
OF_A_FILE: Final = "_FILE"
"""Suffix of variables that name a file with the value."""
PATH_MAX: Final = 4_096
SOCKET_PATH_BYTES_MAX: Final = 107
"""The longest path of a Linux unix socket in bytes."""


class BadSetting(Exception):
    """The error of an environment variable with an unusable value."""


def read_text(_: str, value: str) -> str:
    """Return the text."""
    return value


def read_path(_: str, value: str) -> Path:
    """Read a path."""
    return Path(value)


def read_list(_: str, value: str) -> tuple[str, ...]:
    """Read a list separated by commas."""
    return tuple(value.split(","))


def read_url(name: str, value: str) -> str:
    """Return the URL of a database; raise `BadSetting` unless it is SQLite or PostgreSQL.

    The message shows the scheme only, as the rest may contain a password.
    """
    if not value.startswith((SQLITE, *POSTGRES)):
        # Show only the scheme: the rest may be correct and contain a password.
        scheme, sign, _ = value.partition("://")
        shown_url = repr(f"{scheme}://…") if sign else "its word"
        raise BadSetting(f"{name}: {shown_url} is neither sqlite:///path nor postgresql://…")
    return value


def read_socket(name: str, value: str) -> Path:
    """Return the path of a unix socket; raise `BadSetting` if it is longer than the system allows."""
    if len(value.encode()) > SOCKET_PATH_BYTES_MAX:
        raise BadSetting(f"{name}: {value} is longer than {SOCKET_PATH_BYTES_MAX} bytes")
    return Path(value)


def read_flag(name: str, value: str) -> bool:
    """Return a boolean of `TRUE_WORDS` or `FALSE_WORDS` in any case; raise `BadSetting` otherwise."""
    if value.lower() not in TRUE_WORDS | FALSE_WORDS:
        raise BadSetting(f"{name}: {value!r} is neither yes (1) nor no (0)")
    return value.lower() in TRUE_WORDS


def read_count(name: str, value: str) -> int:
    """Return a number from 0; raise `BadSetting` otherwise."""
    if not value.isdecimal():
        raise BadSetting(f"{name}: {value!r} is not a number from 0")
    return int(value)


def read_seconds(name: str, value: str) -> float:
    """Return a time above 0, with a decimal point or without; raise `BadSetting` otherwise."""
    if not value.replace(".", "", 1).isdecimal() or not float(value):
        raise BadSetting(f"{name}: {value!r} is not a number of seconds greater than 0")
    return float(value)


def read_tries(name: str, value: str) -> int:
    """Return a number of tries; raise `BadSetting` unless it is from `TRIES_MIN` to `TRIES_MAX`."""
    if not value.isdecimal() or not TRIES_MIN <= int(value) <= TRIES_MAX:
        raise BadSetting(f"{name}: {value!r} is not a number from {TRIES_MIN} to {TRIES_MAX}")
    return int(value)


def read_proxies(name: str, value: str) -> tuple[str, ...]:
    """Return addresses and networks of proxies, separated by commas; raise `BadSetting` for any other."""
    found = tuple(each.strip() for each in value.split(","))
    for each in found:
        try:
            ip_network(each)
        except ValueError as fault:
            raise BadSetting(f"{name}: {each!r} is neither an address nor a network such as 10.0.0.0/8") from fault
    return found


def read_origin(name: str, value: str) -> str:
    """Return an origin as browsers write it: in lower case, without a trailing slash or default port.

    Raise `BadSetting` unless it is http or https, with a host and no user, path or query.
    """
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError as fault:
        raise BadSetting(f"{name}: {value!r} is not an origin: {fault}") from fault
    if parts.scheme not in DEFAULT_PORTS or not host or parts.username is not None:
        raise BadSetting(f"{name}: {value!r} is not an origin such as https://esporles.example")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise BadSetting(f"{name}: {value!r} has a path; an origin has none")
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + ("" if port in {None, DEFAULT_PORTS[parts.scheme]} else f":{port}")


def read_collector(name: str, value: str) -> str:
    """Return the URL of an OTLP collector; a variable not specific to traces gets the path of traces appended.

    Raise `BadSetting` unless it is http or https with a host.
    """
    try:
        parts = urlsplit(value)
        is_url = parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_url = False
    if not is_url:
        raise BadSetting(f"{name}: {value!r} is not the address of a collector, such as http://127.0.0.1:4318")
    return value if name.endswith(OF_TRACES) else f"{value.rstrip('/')}{TRACES_PATH}"


def is_number(host: str) -> bool:
    """Return whether the host is an IP address."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_safe_url(url: str) -> bool:
    """Return whether requests to the URL cannot be intercepted: https, or this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    is_here = host == "localhost" or (is_number(host) and ip_address(host).is_loopback)
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_here))


def read_issuer(name: str, value: str) -> str:
    """Return the issuer of an OpenID provider; raise `BadSetting` if it is not safe or has a query or fragment."""
    if not is_safe_url(value) or urlsplit(value).query or urlsplit(value).fragment:
        raise BadSetting(f"{name}: {value!r} is not an issuer such as https://provider.example")
    return value


def read_secret(name: str, value: str) -> Secret:
    """Return a secret, or the stripped content of the file named by a `_FILE` variable.

    Raise `BadSetting` if that file cannot be read or is empty.
    """
    if not name.endswith(OF_A_FILE):
        return Secret(value)
    try:
        found = Path(value).read_text().strip()
    except (OSError, ValueError) as fault:
        raise BadSetting(f"{name}: {value} cannot be read") from fault
    if not found:
        raise BadSetting(f"{name}: {value} is empty")
    return Secret(found)


def read_word(name: str, value: str) -> str:
    """Read a text, or the file named by a `_FILE` variable."""
    return read_secret(name, value).word


def read_redis(name: str, value: str) -> str:
    """Return a Redis URL, or the URL in the file named by a `_FILE` variable, because it may contain a password.

    Raise `BadSetting` for an unreadable file or a URL that names no server.
    """
    try:
        return require_server(read_secret(name, value).word)
    except (BadServer, ValueError) as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_file(name: str, value: str) -> Path:
    """Return the path of a readable file, so that a missing one is reported at the start.

    Raise `BadSetting` if it cannot be read.
    """
    try:
        with Path(value).open("rb"):
            return Path(value)
    except (OSError, ValueError) as fault:
        raise BadSetting(f"{name}: {value} cannot be read") from fault


def read_place(name: str, value: str) -> str:
    """Return an address to listen on, `HOST:PORT`, unchanged; raise `BadSetting` without a host or a valid port.

    The host itself is not checked; IPv6 is written in brackets.
    """
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or int(port) > PORT_MAX:
        raise BadSetting(f"{name}: {value!r} is not an address such as 10.0.0.1:8443")
    return value


def split_place(value: str) -> tuple[str, int]:
    """Split an address into host and port."""
    host, _, port = value.rpartition(":")
    return host.strip("[]"), int(port)


def read_services(name: str, value: str) -> tuple[str, ...]:
    """Return the https origins of web hosts, separated by commas; raise `BadSetting` for any other."""
    found = tuple(read_origin(name, each.strip()) for each in value.split(","))
    for each in found:
        if not each.startswith("https://"):
            raise BadSetting(f"{name}: {each!r} must use https, to protect the service token")
    return found


def read_log_origin(name: str, value: str) -> str:
    """Return the name of a transparency log; raise `BadSetting` if a key cannot have it."""
    try:
        return require_name(value)
    except Malformed as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_witnesses(name: str, value: str) -> tuple[WitnessAddress, ...]:
    """Return witnesses from the text, or from the file of that name; raise `BadSetting` if they cannot be read."""
    is_file = "\n" not in value and len(value) < PATH_MAX and Path(value).is_file()
    try:
        return parse_witnesses(Path(value).read_text() if is_file else value)
    except (Malformed, OSError, UnicodeDecodeError) as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_quorum(name: str, value: str) -> str:
    """Return a number of witnesses, or a word for one; raise `BadSetting` for any other text."""
    try:
        return parse_quorum(value)
    except Malformed as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_partitions(name: str, value: str) -> int:
    """Return a number of partitions; raise `BadSetting` unless it is from 1 to `PARTITIONS_MAX`."""
    if not value.isdecimal() or not 1 <= int(value) <= PARTITIONS_MAX:
        raise BadSetting(f"{name}: {value!r} is not a number from 1 to {PARTITIONS_MAX}")
    return int(value)


def read_port(name: str, value: str) -> int:
    """Return a port number, 0 included; raise `BadSetting` otherwise."""
    if not value.isdecimal() or int(value) > PORT_MAX:
        raise BadSetting(f"{name}: {value!r} is not a port number")
    return int(value)


def read_fds(name: str, value: str) -> tuple[int, ...]:
    """Return a list of file descriptors, separated by commas; raise `BadSetting` otherwise."""
    if not all(number.isdecimal() for number in value.split(",")):
        raise BadSetting(f"{name}: {value!r} is not a list of file descriptors")
    return tuple(map(int, value.split(",")))


def split_listener(value: str) -> Path | tuple[str, int]:
    """Return the path of a unix socket, or host and port; raise `ValueError` for anything else."""
    if value.startswith(UNIX):
        return Path(value.removeprefix(UNIX))
    parts = urlsplit(f"//{value}")
    if parts.port is None or not parts.hostname or parts.netloc != value:
        raise ValueError(f"{value!r} is neither HOST:PORT nor unix:///path")
    return parts.hostname, parts.port


def read_listener(name: str, value: str) -> str:
    """Return `HOST:PORT` or `unix:///path` unchanged; raise `BadSetting` for others or a too long path."""
    try:
        listener = split_listener(value)
    except ValueError as fault:
        raise BadSetting(f"{name}: {value!r} is neither HOST:PORT nor unix:///path") from fault
    if isinstance(listener, Path):
        read_socket(name, str(listener))
    return value


def read_log_form(name: str, value: str) -> str:
    """Return the format of log lines; raise `BadSetting` unless it is one of `LOG_FORMS`."""
    if value not in LOG_FORMS:
        raise BadSetting(f"{name}: {value!r} is neither {' nor '.join(LOG_FORMS)}")
    return value


TEXT: Final = Kind("text", read_text)
WORD: Final = Kind("text, or a file that contains it", read_word)
SECRET: Final = Kind("text, or a file that contains it", read_secret)
LIST: Final = Kind("list, separated by commas", read_list)
FLAG: Final = Kind("`1` or `0`", read_flag)
COUNT: Final = Kind("number from 0", read_count)
LIMIT: Final = Kind("number; 0: no limit", read_count)
SECONDS: Final = Kind("seconds, greater than 0", read_seconds)
TRIES: Final = Kind(f"number from {TRIES_MIN} to {TRIES_MAX}", read_tries)
PARTITIONS: Final = Kind(f"number from 1 to {PARTITIONS_MAX}", read_partitions)
PORT: Final = Kind("port number", read_port)
DESCRIPTORS: Final = Kind("file descriptors, separated by commas", read_fds)
PATH: Final = Kind("path", read_path)
FILE: Final = Kind("path of a readable file", read_file)
SOCKET: Final = Kind("path of a Unix socket", read_socket)
DATABASE: Final = Kind("`sqlite:///PATH` or `postgresql://…`", read_url)
REDIS: Final = Kind("`unix://…`, `redis://…`, `rediss://…` or sentinels, or a file that contains it", read_redis)
PLACE: Final = Kind("`HOST:PORT`", read_place)
LISTENER: Final = Kind("`HOST:PORT` or `unix:///PATH`", read_listener)
ORIGIN: Final = Kind("origin, `https://esporles.example`", read_origin)
SERVICES: Final = Kind("origins, separated by commas, `https://…`", read_services)
PROXIES: Final = Kind("addresses and networks, separated by commas", read_proxies)
ISSUER: Final = Kind("`https://…`", read_issuer)
COLLECTOR: Final = Kind("`http://…` or `https://…`", read_collector)
LOG_ORIGIN: Final = Kind("name, `example.org/tlog`", read_log_origin)
WITNESSES: Final = Kind("`KEY URL` pairs separated by commas, or a file with one per line", read_witnesses)
QUORUM: Final = Kind(", ".join(f"`{word}`" for word in QUORUM_WORDS) + " or a number", read_quorum)
LOG_FORM: Final = Kind(" or ".join(f"`{form}`" for form in LOG_FORMS), read_log_form)
