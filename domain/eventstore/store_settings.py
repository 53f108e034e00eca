"""Store settings: an SQLite file for one writing process, or PostgreSQL for several."""

from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from eventsourcing.utils import get_topic

from domain.eventstore.mapper import MatchMapper
from domain.eventstore.sqlite_recorder import DurableSQLiteFactory
from domain.kernel.loading import load

ADDRESS_PARTS: Final = frozenset({"dbname", "host", "port", "user", "password"})
"""Parts of a PostgreSQL address for which the library has settings."""


def store_env(location: str | Path, partitions: int | None = None) -> dict[str, str]:
    """Return the library's settings for a `postgresql://…` address or the path of an SQLite file.

    `partitions` applies to new PostgreSQL stores.
    """
    common = {
        "MAPPER_TOPIC": get_topic(MatchMapper),
        "AGGREGATE_CACHE_MAXSIZE": "",
        "COMPRESSOR_TOPIC": "",
        "CIPHER_TOPIC": "",
        "IS_SNAPSHOTTING_ENABLED": "n",
    }
    if not str(location).startswith(("postgresql://", "postgres://")):
        return common | {"PERSISTENCE_MODULE": get_topic(DurableSQLiteFactory), "SQLITE_DBNAME": str(location)}
    address = urlsplit(str(location))
    hosts, ports = hosts_of(address.netloc)
    parameters = dict(parse_qsl(address.query))
    return common | {
        # Loaded lazily: importing the driver takes longer than a complete start on SQLite may.
        "PERSISTENCE_MODULE": get_topic(load("domain.eventstore.postgres_recorder", "SharedPostgresFactory")),
        "POSTGRES_DBNAME": unquote(address.path.lstrip("/")) or parameters.get("dbname", "postgres"),
        "POSTGRES_HOST": parameters.get("host") or hosts or "127.0.0.1",
        "POSTGRES_PORT": ports or parameters.get("port", "5432"),
        "POSTGRES_USER": unquote(address.username or "") or parameters.get("user", "postgres"),
        "POSTGRES_PASSWORD": unquote(address.password or "") or parameters.get("password", ""),
        # All other parameters, such as certificate checks, are passed to the driver.
        "POSTGRES_MORE": urlencode({name: value for name, value in parameters.items() if name not in ADDRESS_PARTS}),
        # We create its tables, with partitions.
        "CREATE_TABLE": "n",
        "POSTGRES_PARTITIONS": "" if partitions is None else str(partitions),
        # The library's database functions lose events for followers (DESIGN §5).
        "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
    }


def hosts_of(netloc: str) -> tuple[str, str]:
    """Return the hosts and ports of an address, comma-separated for the driver; ports are "" if none is given."""
    hosts, ports = list[str](), list[str]()
    for each in netloc.rpartition("@")[2].split(","):
        host, _, port = each.rpartition(":") if each.rfind(":") > each.rfind("]") else (each, "", "")
        hosts.append(unquote(host.removeprefix("[").removesuffix("]")))
        ports.append(port)
    return ",".join(hosts), ",".join(port or "5432" for port in ports) if any(ports) else ""
