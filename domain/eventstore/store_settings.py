"""The settings of a store: an SQLite file for one writing process, or PostgreSQL for several."""

from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from eventsourcing.utils import get_topic

from domain.eventstore.mapper import MatchMapper
from domain.eventstore.sqlite_recorder import DurableSQLiteFactory
from domain.kernel.loading import load

OF_THE_LIBRARY: Final = frozenset({"dbname", "host", "port", "user", "password"})
"""What of the address of a PostgreSQL server the library has settings for."""


def store_env(place: str | Path, partitions: int | None = None) -> dict[str, str]:
    """The library's settings for a `postgresql://…` address or the path of an SQLite file; `partitions`: in how many
    parts a new log is there."""
    common = {
        "MAPPER_TOPIC": get_topic(MatchMapper),
        "AGGREGATE_CACHE_MAXSIZE": "",
        "COMPRESSOR_TOPIC": "",
        "CIPHER_TOPIC": "",
        "IS_SNAPSHOTTING_ENABLED": "n",
    }
    if not str(place).startswith(("postgresql://", "postgres://")):
        return common | {"PERSISTENCE_MODULE": get_topic(DurableSQLiteFactory), "SQLITE_DBNAME": str(place)}
    address = urlsplit(str(place))
    hosts, ports = hosts_of(address.netloc)
    asked = dict(parse_qsl(address.query))
    return common | {
        # The driver takes longer to import than the whole of a start on SQLite may.
        "PERSISTENCE_MODULE": get_topic(load("domain.eventstore.postgres_recorder", "SharedPostgresFactory")),
        "POSTGRES_DBNAME": unquote(address.path.lstrip("/")) or asked.get("dbname", "postgres"),
        "POSTGRES_HOST": asked.get("host") or hosts or "127.0.0.1",
        "POSTGRES_PORT": ports or asked.get("port", "5432"),
        "POSTGRES_USER": unquote(address.username or "") or asked.get("user", "postgres"),
        "POSTGRES_PASSWORD": unquote(address.password or "") or asked.get("password", ""),
        # Whatever else is asked for, such as whose certificate the server must have, is for the driver.
        "POSTGRES_MORE": urlencode({name: word for name, word in asked.items() if name not in OF_THE_LIBRARY}),
        # Its tables are made by us, in parts.
        "CREATE_TABLE": "n",
        "POSTGRES_PARTITIONS": "" if partitions is None else str(partitions),
        # The library's own functions in the database lose events for those who follow (DESIGN §5).
        "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
    }


def hosts_of(netloc: str) -> tuple[str, str]:
    """The hosts of an address and their ports, each joined by commas as the driver takes them: `a:1,b` is tried in its
    order. No ports where none is named."""
    hosts, ports = list[str](), list[str]()
    for each in netloc.rpartition("@")[2].split(","):
        host, _, port = each.rpartition(":") if each.rfind(":") > each.rfind("]") else (each, "", "")
        hosts.append(unquote(host.removeprefix("[").removesuffix("]")))
        ports.append(port)
    return ",".join(hosts), ",".join(port or "5432" for port in ports) if any(ports) else ""
