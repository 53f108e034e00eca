"""What the environment tells every process of the service: name, default and check of each variable, read once into one
frozen struct."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from domain.analyses.report import STANDARD
from domain.transparency.witnesses import WitnessAt
from projections.platform.outgoing_settings import OUTGOING, Outgoing
from projections.platform.setting_values import (
    SQLITE,
    BadSetting,
    Secret,
    Variable,
    is_number,
    read_collector,
    read_count,
    read_fds,
    read_file,
    read_flag,
    read_issuer,
    read_list,
    read_listener,
    read_log_form,
    read_log_origin,
    read_origin,
    read_partitions,
    read_path,
    read_place,
    read_port,
    read_proxies,
    read_redis,
    read_seconds,
    read_secret,
    read_services,
    read_socket,
    read_text,
    read_tries,
    read_url,
    read_witnesses,
    read_word,
)

LOG_FILE: Final = "log.db"
PEOPLE_FILE: Final = "people.db"
TREE_FILE: Final = "tree.db"
ANALYSES_FILE: Final = "analyses.db"
OPENID: Final = ("openid_issuer", "openid_client", "openid_secret", "openid_label")
"""What is set of a provider: all of it or nothing."""


SERVED: Final = frozenset({"redis", "socket", "token", "listen_fds"})
"""What `esporles serve` tells the processes it starts."""


class MissingSetting(BadSetting):
    """A variable of the environment this process cannot do without is not set."""


class Private(msgspec.Struct, frozen=True, kw_only=True):
    """How workers reach the service and the queues: by its private socket or, over a network, by the doors of its
    hosts."""

    socket: Path | None
    token: str
    redis: str
    services: tuple[str, ...] = ()
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


class Settings(Outgoing, frozen=True, kw_only=True):
    """Where the service keeps its data, where it listens and whom it trusts; a default here is that of the variable."""

    data: Path = Path("var")
    store: str = ""
    """Url of the log: `sqlite:///path`, one writing process, or `postgresql://…`; empty: a file in the data folder."""
    log_partitions: int = 16
    """In how many parts a new log in PostgreSQL is, by hash of the match; `esporles partition` divides an old one."""
    reads: str = ""
    """Url of the read models, in the same forms; empty: a file in the data folder."""
    tree: str = ""
    """Url of the tree over the log, in the same forms; empty: beside the log, in a file or at its server."""
    keeps_tree: bool = True
    """Whether web processes continue the tree, one of them at a time. If not, `esporles run tree` does, and they read
    it."""
    people: str = ""
    """Url of accounts, sessions and the secrets of the service, in the same forms; empty: a file in the data folder."""
    redis: str = ""
    """Empty: no doorbell; streams then learn of other processes' entries by looking."""
    host: str = "127.0.0.1"
    port: int = 8000
    address: str = ""
    """Public origin of the service (`https://esporles.example`). Empty: `http://localhost:PORT`; links to send to
    others then use the host of the request if only a local network has such a host."""
    listen_fds: tuple[int, ...] = ()
    """The inherited file descriptors of the public and the private socket. As they are bound before the service process
    runs, and stay so when it is started again, clients that connect meanwhile wait instead of being refused."""
    socket: Path | None = None
    """The private unix socket: the only door at which the service token is good."""
    token: str = ""
    """The service token, by which workers act for bots and for the service; empty: nobody does."""
    door: str = ""
    """Where workers of other hosts come in, `HOST:PORT`, always over TLS; beside the private socket the only place at
    which the service token is good. Empty: nowhere."""
    services: tuple[str, ...] = ()
    """The doors of all web hosts, as a worker of another host reaches them."""
    tls_certificate: Path | None = None
    """The certificate of this host: at its door, and where it knocks at another's."""
    tls_key: Path | None = None
    tls_ca: Path | None = None
    """Who signs the certificates of the house; a door then takes nobody without one, in addition to the token."""
    health: str = ""
    """Where a process without pages says whether it is ready, `HOST:PORT`; empty: nowhere."""
    drain_seconds: int = 5
    """So long a web process that is to stop goes on answering, and says everywhere that one should go elsewhere."""
    bots: tuple[str, ...] = ("greedy@2", "random@1", "search-quick@5", "search-steady@6", "search-strong@6", "gentle@1")
    """The bots that can be asked for, `NAME@VERSION`; the first plays on for who has run out of time."""
    thinks: bool = True
    """Whether a worker takes turns at tables with a bot that thinks for seconds. One that does not is free for all
    others; of several workers of `serve` the first is."""
    demo: bool = True
    """Whether a live table of four bots is kept for the first page."""
    analysis_tries: int = STANDARD.tries
    """How many actions an analysis of a match tries for a decision: more take longer and find more."""
    changes_per_minute: int = 1200
    """How many changes one person, or one unknown address, may ask for in a minute; 0: any number."""
    creations_per_hour: int = 300
    """Most tables, forks, studies, events and leagues that one person may open in an hour; 0: any number."""
    accounts_per_minute: int = 30
    """How often one address may sign in, sign up or come as a guest in a minute; 0: any number."""
    guesses_per_hour: int = 30
    """How many passwords may be tried for one name in an hour, from wherever, until one is right; 0: any number."""
    messages_per_minute: int = 20
    """How many messages one person may write in a minute, in all rooms together; 0: any number."""
    photos_per_event: int = 400
    """How many photos of the tables of one event are kept, each some 300 kB in the store of people; 0: none."""
    proxies: tuple[str, ...] = ()
    """The addresses or networks of the proxies in front: what they say of whom they ask for is believed, nobody else's
    word is."""
    streams_per_person: int = 30
    """How many live streams one person may have open at once in a process of the service; 0: any number."""
    streams_per_address: int = 300
    """The same for one address, behind which a whole club may play; 0: any number."""
    rated_correspondence_max: int = 20
    """At how many rated correspondence tables one person may sit at once; 0: at any number."""
    header_seconds: float = 10.0
    """Timeout of the headers of a request; then the connection ends with 408."""
    body_seconds: float = 30.0
    """Timeout between two pieces of a body, and of a whole body that has less than 5 kB for every further second."""
    send_seconds: float = 60.0
    """Time in which a reader must take 1 kB a second of a response, or all of it; else the connection is cut off."""
    unfinished_per_address: int = 200
    """Most connections of one address whose request is incomplete or whose response is not read; 0: any number."""
    listed_tables_per_person: int = 10
    """Most listed tables of one opener that may wait for players at once; 0: any number."""
    tables_with_bots_per_person: int = 50
    """Most unrated tables with bots of one opener that have not ended; 0: any number."""
    bot_tables_per_person: int = 5
    """Most tables with bots alone that may run at once for the person who opened them; 0: any number."""
    secure_cookies: bool = False
    """Whether the service stands behind TLS: cookies are for https and this host alone, and browsers are told to come
    by https from then on."""
    openid_issuer: str = ""
    """A provider of identities (OpenID Connect) by whom people may sign in, as it names itself; empty: none."""
    openid_client: str = ""
    """What the service is called there."""
    openid_secret: Secret = Secret()
    """By what it is known there."""
    openid_label: str = ""
    """What people call the provider."""
    log_origin: str = ""
    """What the transparency log of the house is called, as in `example.org/tlog`; empty: a name made from its key."""
    witnesses: tuple[WitnessAt, ...] = ()
    """Who is asked to cosign its checkpoints: `KEY URL` of each with commas between, or a file with a line for each."""
    logs: str = "text"
    """How log lines are written: `text`, or `json`, an object a line."""
    log_requests: bool = False
    """Whether every request has a line of its own."""
    metrics: str = ""
    """Where this process answers with its figures in the Prometheus form: `HOST:PORT` or `unix:///path`; empty:
    nowhere. `esporles serve` counts the port up for each process after the first."""
    traces: str = ""
    """To which url of a collector spans are sent (OTLP over HTTP); empty: nothing is traced. What else there is to say
    of traces is said by the variables of OpenTelemetry, to its library."""

    @property
    def origin(self) -> str:
        """The origin of all pages: passkeys are made for it, and a provider leads people back to it."""
        return self.address or f"http://localhost:{self.port}"

    @property
    def passkey_domain(self) -> str:
        """The domain passkeys are made for; empty where the service has none but a number."""
        host = urlsplit(self.origin).hostname or ""
        return "" if is_number(host) else host

    @property
    def store_url(self) -> str:
        return self.store or f"{SQLITE}{self.data / 'log.db'}"

    @property
    def reads_url(self) -> str:
        return self.reads or f"{SQLITE}{self.data / 'reads.db'}"

    @property
    def log_file(self) -> Path | None:
        """The file of the log, when it is one: then exactly one process may write."""
        return Path(self.store_url.removeprefix(SQLITE)) if self.store_url.startswith(SQLITE) else None

    @property
    def log_place(self) -> Path | str:
        """Where the log is: its file, or the url of its database."""
        return self.log_file or self.store_url

    @property
    def people_place(self) -> Path | str:
        """Where people are: their file, or the url of their database."""
        return self.people_file or self.people

    @property
    def people_file(self) -> Path | None:
        """The file of people, when it is one."""
        url = self.people or f"{SQLITE}{self.data / PEOPLE_FILE}"
        return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None

    @property
    def tree_place(self) -> Path | str:
        """Where the tree is: its file, or the url of its database."""
        return self.tree_file or self.tree or self.store_url

    @property
    def tree_file(self) -> Path | None:
        """The file of the tree, when it is one."""
        if not self.tree:
            return None if self.log_file is None else self.data / TREE_FILE
        return Path(self.tree.removeprefix(SQLITE)) if self.tree.startswith(SQLITE) else None

    @property
    def analyses_place(self) -> Path | str:
        """Where analyses of matches are: a file in the data folder, or at the server of the read models."""
        return self.reads if self.reads and not self.reads.startswith(SQLITE) else self.data / ANALYSES_FILE

    def require_moved(self) -> None:
        """`BadSetting` where a server is set for what is in the data folder, and was never taken there."""
        at_servers = {
            LOG_FILE: self.log_file is None,
            PEOPLE_FILE: self.people_file is None,
            TREE_FILE: self.tree_file is None,
        }
        for name, is_at_server in at_servers.items():
            if is_at_server and (self.data / name).exists():
                raise BadSetting(
                    f"{self.data / name} is there and a server is set for it: `esporles move` takes it there"
                )

    def require_keeper(self) -> None:
        """`BadSetting` where a tree would be continued by nobody."""
        if not self.keeps_tree and self.tree_file is not None:
            raise BadSetting(
                f"{names_of('keeps_tree')} is off and the tree is in a file, which nobody but the service continues"
            )

    def require(self, *fields: str) -> None:
        """`MissingSetting` names the first of these that is not set."""
        for field in fields:
            if not getattr(self, field):
                by = "; `esporles serve` sets it for the processes it starts" if field in SERVED else ""
                raise MissingSetting(f"{names_of(field)} is not set{by}")

    def require_openid(self, asked: str) -> None:
        """`MissingSetting` names the first part of a provider that is not set beside the one that is."""
        for field in OPENID:
            if getattr(self, field) in {"", Secret()}:
                raise MissingSetting(f"{names_of(field)} is not set, and {names_of(asked)} is: a provider needs all")

    def private(self) -> Private:
        """What workers need; `MissingSetting` when one of it is not set."""
        self.require("redis", "token")
        if not self.services:
            self.require("socket")
        return Private(
            socket=self.socket,
            token=self.token,
            redis=self.redis,
            services=self.services,
            ca=self.tls_ca,
            certificate=self.tls_certificate,
            key=self.tls_key,
        )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """The settings of these variables; `BadSetting` names the first that cannot be used."""
        found: dict[str, Any] = {}
        for field, variable in VARIABLES.items():
            name = next((name for name in variable.names if environment.get(name)), variable.names[0])
            word = environment.get(name)
            if word or (word is not None and variable.read is read_flag):
                found[field] = variable.read(name, word)
        if asked := [field for field in OPENID if field in found]:
            cls(**found).require_openid(asked[0])
        cls(**found).require_sender()
        return cls(**found)


VARIABLES: Final[Mapping[str, Variable]] = {
    "data": Variable(("ESPORLES_DATA",), read_path),
    "store": Variable(("ESPORLES_STORE",), read_url),
    "log_partitions": Variable(("ESPORLES_LOG_PARTITIONS",), read_partitions),
    "reads": Variable(("ESPORLES_READS",), read_url),
    "tree": Variable(("ESPORLES_TREE",), read_url),
    "keeps_tree": Variable(("ESPORLES_KEEPS_TREE",), read_flag),
    "people": Variable(("ESPORLES_PEOPLE",), read_url),
    "redis": Variable(("ESPORLES_REDIS", "REDIS_URL", "ESPORLES_REDIS_FILE"), read_redis),
    "host": Variable(("ESPORLES_HOST",), read_text),
    "port": Variable(("ESPORLES_PORT",), read_port),
    "address": Variable(("ESPORLES_ADDRESS",), read_origin),
    "listen_fds": Variable(("ESPORLES_LISTEN_FDS",), read_fds),
    "socket": Variable(("ESPORLES_SOCKET",), read_socket),
    "token": Variable(("ESPORLES_TOKEN", "ESPORLES_TOKEN_FILE"), read_word),
    "door": Variable(("ESPORLES_DOOR",), read_place),
    "services": Variable(("ESPORLES_SERVICES",), read_services),
    "tls_certificate": Variable(("ESPORLES_TLS_CERTIFICATE",), read_file),
    "tls_key": Variable(("ESPORLES_TLS_KEY",), read_file),
    "tls_ca": Variable(("ESPORLES_TLS_CA",), read_file),
    "health": Variable(("ESPORLES_HEALTH",), read_place),
    "drain_seconds": Variable(("ESPORLES_DRAIN_SECONDS",), read_count),
    "bots": Variable(("ESPORLES_BOTS",), read_list),
    "thinks": Variable(("ESPORLES_THINKS",), read_flag),
    "demo": Variable(("ESPORLES_DEMO",), read_flag),
    "analysis_tries": Variable(("ESPORLES_ANALYSIS_TRIES",), read_tries),
    "changes_per_minute": Variable(("ESPORLES_CHANGES_PER_MINUTE",), read_count),
    "creations_per_hour": Variable(("ESPORLES_CREATIONS_PER_HOUR",), read_count),
    "accounts_per_minute": Variable(("ESPORLES_ACCOUNTS_PER_MINUTE",), read_count),
    "guesses_per_hour": Variable(("ESPORLES_GUESSES_PER_HOUR",), read_count),
    "messages_per_minute": Variable(("ESPORLES_MESSAGES_PER_MINUTE",), read_count),
    "photos_per_event": Variable(("ESPORLES_PHOTOS_PER_EVENT",), read_count),
    "proxies": Variable(("ESPORLES_PROXIES",), read_proxies),
    "streams_per_person": Variable(("ESPORLES_STREAMS_PER_PERSON",), read_count),
    "streams_per_address": Variable(("ESPORLES_STREAMS_PER_ADDRESS",), read_count),
    "rated_correspondence_max": Variable(("ESPORLES_RATED_CORRESPONDENCE_MAX",), read_count),
    "header_seconds": Variable(("ESPORLES_HEADER_SECONDS",), read_seconds),
    "body_seconds": Variable(("ESPORLES_BODY_SECONDS",), read_seconds),
    "send_seconds": Variable(("ESPORLES_SEND_SECONDS",), read_seconds),
    "unfinished_per_address": Variable(("ESPORLES_UNFINISHED_PER_ADDRESS",), read_count),
    "listed_tables_per_person": Variable(("ESPORLES_LISTED_TABLES_PER_PERSON",), read_count),
    "tables_with_bots_per_person": Variable(("ESPORLES_TABLES_WITH_BOTS_PER_PERSON",), read_count),
    "bot_tables_per_person": Variable(("ESPORLES_BOT_TABLES_PER_PERSON",), read_count),
    "secure_cookies": Variable(("ESPORLES_SECURE_COOKIES",), read_flag),
    "openid_issuer": Variable(("ESPORLES_OPENID_ISSUER",), read_issuer),
    "openid_client": Variable(("ESPORLES_OPENID_CLIENT",), read_text),
    "openid_secret": Variable(("ESPORLES_OPENID_SECRET", "ESPORLES_OPENID_SECRET_FILE"), read_secret),
    "openid_label": Variable(("ESPORLES_OPENID_LABEL",), read_text),
    "log_origin": Variable(("ESPORLES_LOG_ORIGIN",), read_log_origin),
    "witnesses": Variable(("ESPORLES_WITNESSES",), read_witnesses),
    "logs": Variable(("ESPORLES_LOGS",), read_log_form),
    "log_requests": Variable(("ESPORLES_LOG_REQUESTS",), read_flag),
    "metrics": Variable(("ESPORLES_METRICS",), read_listener),
    **OUTGOING,
    "traces": Variable(("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"), read_collector),
}
"""The variable of each field of `Settings`."""


def names_of(field: str) -> str:
    """Its names, for a sentence."""
    return " or ".join(VARIABLES[field].names)


def variables(**words: object) -> dict[str, str]:
    """An environment that tells another process these words, each by the name of its field."""
    return {VARIABLES[field].names[0]: str(word) for field, word in words.items()}


def environment_without(environment: Mapping[str, str], *fields: str) -> dict[str, str]:
    """The environment as if these fields had never been set."""
    names = {name for field in fields for name in VARIABLES[field].names}
    return {name: word for name, word in environment.items() if name not in names}


def described(field: str, what: str) -> str:
    """What a console option does that stands for a variable: with its name and default in brackets."""
    return f"{what} ({VARIABLES[field].names[0]}, {getattr(Settings(), field)})"
