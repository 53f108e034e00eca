"""How the words of the environment become values of the settings: a reader for each kind, which names the variable
whose word it cannot use."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from domain.analyses.report import TRIES_MIN
from domain.transparency.errors import Malformed
from domain.transparency.notes import require_name
from domain.transparency.witnesses import WitnessAt, parse_witnesses
from projections.platform.declarations import Kind, Secret
from projections.platform.valkey import BadServer, require_server

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
"""More would take longer than a job may."""
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
OF_TRACES: Final = "_TRACES_ENDPOINT"
TRACES_PATH: Final = "/v1/traces"
OF_A_FILE: Final = "_FILE"
"""How the name of a variable ends that names a file with the word in it."""
PATH_MAX: Final = 4_096
SOCKET_PATH_BYTES_MAX: Final = 107
"""The longest path a Linux unix socket can have."""


class BadSetting(Exception):
    """A variable of the environment has a value the service cannot use."""


def read_text(_: str, word: str) -> str:
    return word


def read_path(_: str, word: str) -> Path:
    return Path(word)


def read_list(_: str, word: str) -> tuple[str, ...]:
    return tuple(word.split(","))


def read_url(name: str, word: str) -> str:
    if not word.startswith((SQLITE, *POSTGRES)):
        # Its scheme alone is said: the rest may be right, and hold a password.
        scheme, sign, _ = word.partition("://")
        said = repr(f"{scheme}://…") if sign else "its word"
        raise BadSetting(f"{name}: {said} is neither sqlite:///path nor postgresql://…")
    return word


def read_socket(name: str, word: str) -> Path:
    if len(word.encode()) > SOCKET_PATH_BYTES_MAX:
        raise BadSetting(f"{name}: {word} is longer than {SOCKET_PATH_BYTES_MAX} bytes")
    return Path(word)


def read_flag(name: str, word: str) -> bool:
    if word.lower() not in TRUE_WORDS | FALSE_WORDS:
        raise BadSetting(f"{name}: {word!r} is neither yes (1) nor no (0)")
    return word.lower() in TRUE_WORDS


def read_count(name: str, word: str) -> int:
    if not word.isdecimal():
        raise BadSetting(f"{name}: {word!r} is not a number from 0")
    return int(word)


def read_seconds(name: str, word: str) -> float:
    """Read a time above 0, with a decimal point or without."""
    if not word.replace(".", "", 1).isdecimal() or not float(word):
        raise BadSetting(f"{name}: {word!r} is not a number of seconds above 0")
    return float(word)


def read_tries(name: str, word: str) -> int:
    if not word.isdecimal() or not TRIES_MIN <= int(word) <= TRIES_MAX:
        raise BadSetting(f"{name}: {word!r} is not a number from {TRIES_MIN} to {TRIES_MAX}")
    return int(word)


def read_proxies(name: str, word: str) -> tuple[str, ...]:
    found = tuple(each.strip() for each in word.split(","))
    for each in found:
        try:
            ip_network(each)
        except ValueError as fault:
            raise BadSetting(f"{name}: {each!r} is neither an address nor a network like 10.0.0.0/8") from fault
    return found


def read_origin(name: str, word: str) -> str:
    """An origin as browsers write it: in small letters, without a slash at the end or the port of its scheme."""
    try:
        parts = urlsplit(word)
        host, port = parts.hostname, parts.port
    except ValueError as fault:
        raise BadSetting(f"{name}: {word!r} is no origin: {fault}") from fault
    if parts.scheme not in DEFAULT_PORTS or not host or parts.username is not None:
        raise BadSetting(f"{name}: {word!r} is no origin like https://esporles.example")
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise BadSetting(f"{name}: {word!r} is more than an origin: pages stand at its root")
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + ("" if port in {None, DEFAULT_PORTS[parts.scheme]} else f":{port}")


def read_collector(name: str, word: str) -> str:
    """To which url spans are sent: what is named for traces alone is the whole of it, what is named for all that
    OpenTelemetry sends is its beginning."""
    try:
        parts = urlsplit(word)
        is_url = parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_url = False
    if not is_url:
        raise BadSetting(f"{name}: {word!r} is no address of a collector like http://127.0.0.1:4318")
    return word if name.endswith(OF_TRACES) else f"{word.rstrip('/')}{TRACES_PATH}"


def is_number(host: str) -> bool:
    """Whether it is an address of a network and no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_safe_url(url: str) -> bool:
    """Whether what goes there is read by nobody on the way: https, or this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    is_here = host == "localhost" or (is_number(host) and ip_address(host).is_loopback)
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_here))


def read_issuer(name: str, word: str) -> str:
    if not is_safe_url(word) or urlsplit(word).query or urlsplit(word).fragment:
        raise BadSetting(f"{name}: {word!r} is no issuer like https://provider.example")
    return word


def read_secret(name: str, word: str) -> Secret:
    """The word itself, or that of the file."""
    if not name.endswith(OF_A_FILE):
        return Secret(word)
    try:
        found = Path(word).read_text().strip()
    except (OSError, ValueError) as fault:
        raise BadSetting(f"{name}: {word} cannot be read") from fault
    if not found:
        raise BadSetting(f"{name}: {word} is empty")
    return Secret(found)


def read_word(name: str, word: str) -> str:
    """The word itself, or that of the file."""
    return read_secret(name, word).word


def read_redis(name: str, word: str) -> str:
    """The address itself, or that in the file, as it holds a password."""
    try:
        return require_server(read_secret(name, word).word)
    except (BadServer, ValueError) as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_file(name: str, word: str) -> Path:
    """A file that can be read now: a process that begins says so, not the first who comes."""
    try:
        with Path(word).open("rb"):
            return Path(word)
    except (OSError, ValueError) as fault:
        raise BadSetting(f"{name}: {word} cannot be read") from fault


def read_place(name: str, word: str) -> str:
    """An address to listen at, `HOST:PORT`; one of IPv6 stands in brackets."""
    host, _, port = word.rpartition(":")
    if not host or not port.isdecimal() or int(port) > PORT_MAX:
        raise BadSetting(f"{name}: {word!r} is no address like 10.0.0.1:8443")
    return word


def split_place(word: str) -> tuple[str, int]:
    """The parts of such an address."""
    host, _, port = word.rpartition(":")
    return host.strip("[]"), int(port)


def read_services(name: str, word: str) -> tuple[str, ...]:
    """The doors of web hosts."""
    found = tuple(read_origin(name, each.strip()) for each in word.split(","))
    for each in found:
        if not each.startswith("https://"):
            raise BadSetting(f"{name}: {each!r} is not over https: whoever listens would learn the service token")
    return found


def read_log_origin(name: str, word: str) -> str:
    try:
        return require_name(word)
    except Malformed as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_witnesses(name: str, word: str) -> tuple[WitnessAt, ...]:
    """The word itself, or what stands in the file of that name."""
    is_file = "\n" not in word and len(word) < PATH_MAX and Path(word).is_file()
    try:
        return parse_witnesses(Path(word).read_text() if is_file else word)
    except (Malformed, OSError, UnicodeDecodeError) as fault:
        raise BadSetting(f"{name}: {fault}") from fault


def read_partitions(name: str, word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= PARTITIONS_MAX:
        raise BadSetting(f"{name}: {word!r} is no number from 1 to {PARTITIONS_MAX}")
    return int(word)


def read_port(name: str, word: str) -> int:
    if not word.isdecimal() or int(word) > PORT_MAX:
        raise BadSetting(f"{name}: {word!r} is not a port number")
    return int(word)


def read_fds(name: str, word: str) -> tuple[int, ...]:
    if not all(number.isdecimal() for number in word.split(",")):
        raise BadSetting(f"{name}: {word!r} is no list of file descriptors")
    return tuple(map(int, word.split(",")))


def split_listener(word: str) -> Path | tuple[str, int]:
    """Where to listen: the path of a private socket, or a host and its port. `ValueError` where it is neither."""
    if word.startswith(UNIX):
        return Path(word.removeprefix(UNIX))
    parts = urlsplit(f"//{word}")
    if parts.port is None or not parts.hostname or parts.netloc != word:
        raise ValueError(f"{word!r} is neither HOST:PORT nor unix:///path")
    return parts.hostname, parts.port


def read_listener(name: str, word: str) -> str:
    try:
        where = split_listener(word)
    except ValueError as fault:
        raise BadSetting(f"{name}: {word!r} is neither HOST:PORT nor unix:///path") from fault
    if isinstance(where, Path):
        read_socket(name, str(where))
    return word


def read_log_form(name: str, word: str) -> str:
    if word not in LOG_FORMS:
        raise BadSetting(f"{name}: {word!r} is neither {' nor '.join(LOG_FORMS)}")
    return word


TEXT: Final = Kind("text", read_text)
WORD: Final = Kind("text, or a file that holds it", read_word)
SECRET: Final = Kind("text, or a file that holds it", read_secret)
LIST: Final = Kind("list with commas", read_list)
FLAG: Final = Kind("`1` or `0`", read_flag)
COUNT: Final = Kind("number from 0", read_count)
LIMIT: Final = Kind("number; 0: no limit", read_count)
SECONDS: Final = Kind("seconds above 0", read_seconds)
TRIES: Final = Kind(f"number from {TRIES_MIN} to {TRIES_MAX}", read_tries)
PARTITIONS: Final = Kind(f"number from 1 to {PARTITIONS_MAX}", read_partitions)
PORT: Final = Kind("port number", read_port)
DESCRIPTORS: Final = Kind("file descriptors with commas", read_fds)
PATH: Final = Kind("path", read_path)
FILE: Final = Kind("path of a readable file", read_file)
SOCKET: Final = Kind("path of a Unix socket", read_socket)
DATABASE: Final = Kind("`sqlite:///PATH` or `postgresql://…`", read_url)
REDIS: Final = Kind("`unix://…`, `redis://…`, `rediss://…` or sentinels, or a file that holds it", read_redis)
PLACE: Final = Kind("`HOST:PORT`", read_place)
LISTENER: Final = Kind("`HOST:PORT` or `unix:///PATH`", read_listener)
ORIGIN: Final = Kind("origin, `https://esporles.example`", read_origin)
SERVICES: Final = Kind("origins with commas, `https://…`", read_services)
PROXIES: Final = Kind("addresses and networks with commas", read_proxies)
ISSUER: Final = Kind("`https://…`", read_issuer)
COLLECTOR: Final = Kind("`http://…` or `https://…`", read_collector)
LOG_ORIGIN: Final = Kind("name, `example.org/tlog`", read_log_origin)
WITNESSES: Final = Kind("`KEY URL` with commas, or a file with a line for each", read_witnesses)
LOG_FORM: Final = Kind(" or ".join(f"`{form}`" for form in LOG_FORMS), read_log_form)
