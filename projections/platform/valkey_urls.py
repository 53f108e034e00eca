"""URLs of Valkey or Redis: by unix socket, over the network with TLS and password, or through sentinels.

    unix:///run/valkey.sock
    redis://:PASSWORD@host:6379/0
    rediss://:PASSWORD@host:6379/0?ssl_ca_certs=/etc/esporles/ca.pem
    redis+sentinel://:PASSWORD@host1:26379,host2:26379/NAME

The query has keyword arguments of `redis.Redis`. Clusters are not supported, because the queue library uses
transactions over keys of several slots.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from domain.kernel.loading import load

PLAIN: Final = ("redis", "rediss", "unix")
SENTINEL: Final = {"redis+sentinel": False, "rediss+sentinel": True}
"""URL schemes of sentinels, and whether they use TLS."""
CLUSTER: Final = ("redis+cluster", "rediss+cluster")
SENTINEL_PORT: Final = 26_379
NO_CLUSTER: Final = (
    "clusters are not supported, because the queues need transactions over several keys; set one server, or sentinels"
)


class BadServer(Exception):
    """The error of a URL that names no usable server."""


class Sentinels(msgspec.Struct, frozen=True):
    """Sentinels and the name of a server."""

    addresses: tuple[tuple[str, int], ...]
    name: str
    options: Mapping[str, Any]
    """Options of connections to the server itself."""
    of_sentinels: Mapping[str, Any]


def require_server(url: str) -> str:
    """Return the URL if it names a server or sentinels; raise `BadServer` otherwise, without the password.

    Clusters and several servers without sentinels are refused.
    """
    scheme = url.partition("://")[0]
    if scheme in CLUSTER:
        raise BadServer(NO_CLUSTER)
    if scheme in SENTINEL:
        sentinels_of(url)
    elif scheme not in PLAIN:
        raise BadServer(f"unknown scheme {scheme!r}; expected one of {', '.join((*PLAIN, *SENTINEL))}")
    elif scheme != "unix" and "," in urlsplit(url).netloc:
        raise BadServer("several servers require sentinels: redis+sentinel://host,host/NAME")
    return url


def sentinels_of(url: str) -> Sentinels:
    """Parse a URL of sentinels; raise `BadServer` if it has no host or no name of the server."""
    parts = urlsplit(url)
    secret, _, hosts = parts.netloc.rpartition("@")
    name, _, number = parts.path.strip("/").partition("/")
    if not name or not hosts:
        raise BadServer("sentinels require the name of the server: redis+sentinel://host:26379,host:26379/NAME")
    user, _, password = secret.partition(":")
    tls = {"ssl": True} if SENTINEL[parts.scheme] else {}
    query_options = options_in(parts.query)
    of_sentinels = {"password": value} if (value := query_options.pop("sentinel_password", "")) else {}
    options = query_options | tls | ({"username": unquote(user)} if user else {})
    certificates = {key: value for key, value in query_options.items() if key.startswith("ssl_")}
    return Sentinels(
        addresses=tuple(address_of(host) for host in hosts.split(",")),
        name=name,
        options=options | ({"password": unquote(password)} if password else {}) | {"db": int(number or 0)},
        of_sentinels=of_sentinels | tls | certificates,
    )


def options_in(query: str) -> dict[str, Any]:
    """Parse the query into arguments of `redis.Redis`."""
    # Settings are read by every command, and few URLs need the library, which takes 0.1 s to import.
    readers: Mapping[str, Any] = load("redis.connection", "URL_QUERY_ARGUMENT_PARSERS")
    return {name: readers.get(name, str)(value) for name, value in parse_qsl(query)}


def address_of(host: str) -> tuple[str, int]:
    """Split an address of a sentinel into host and port."""
    name, _, port = host.rpartition(":")
    return (name.strip("[]"), int(port)) if name else (host, SENTINEL_PORT)
