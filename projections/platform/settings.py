"""The settings of every process, read from the environment. Each is declared once, with type, default and meaning."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

import msgspec

from domain.analyses.report import STANDARD
from domain.transparency.witnesses import MAJORITY, WitnessAddress
from projections.platform.declarations import Secret, Variable, list_declarations, setting
from projections.platform.outgoing_settings import Outgoing
from projections.platform.setting_values import (
    COLLECTOR,
    COUNT,
    DATABASE,
    DESCRIPTORS,
    FILE,
    FLAG,
    ISSUER,
    LIMIT,
    LIST,
    LISTENER,
    LOG_FORM,
    LOG_ORIGIN,
    ORIGIN,
    PARTITIONS,
    PATH,
    PLACE,
    PORT,
    PROXIES,
    QUORUM,
    REDIS,
    SECONDS,
    SECRET,
    SERVICES,
    SOCKET,
    SQLITE,
    TEXT,
    TRIES,
    WITNESSES,
    WORD,
    BadSetting,
    is_number,
)

LOG_FILE: Final = "log.db"
PEOPLE_FILE: Final = "people.db"
TREE_FILE: Final = "tree.db"
ANALYSES_FILE: Final = "analyses.db"
OPENID: Final = ("openid_issuer", "openid_client", "openid_secret", "openid_label")
"""Settings of a sign-in provider: all are set, or none."""
SERVED: Final = frozenset({"redis", "socket", "token", "listen_fds"})
"""Settings that `esporles serve` passes to the processes that it starts."""


class MissingSetting(BadSetting):
    """The error of a required environment variable that is not set."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a process. A new one needs its declaration here and `python -m ops.dev.settings`."""

    outgoing: Outgoing = Outgoing()
    data: Path = setting("ESPORLES_DATA", PATH, Path("var"), "data folder")
    store: str = setting("ESPORLES_STORE", DATABASE, "", "database of the log; unset: a file in the data folder")
    log_partitions: int = setting(
        "ESPORLES_LOG_PARTITIONS",
        PARTITIONS,
        16,
        "number of partitions of a new log in PostgreSQL; `esporles partition` changes an existing one",
    )
    reads: str = setting(
        "ESPORLES_READS", DATABASE, "", "database of the read models; unset: a file in the data folder"
    )
    tree: str = setting(
        "ESPORLES_TREE",
        DATABASE,
        "",
        "database of the tree over the log; unset: next to the log (`docs/specifications/transparency.md`)",
    )
    keeps_tree: bool = setting(
        "ESPORLES_KEEPS_TREE", FLAG, True, "whether web processes maintain the tree; otherwise run `esporles run tree`"
    )
    people: str = setting(
        "ESPORLES_PEOPLE", DATABASE, "", "database of accounts and secrets; unset: a file in the data folder"
    )
    redis: str = setting(
        "ESPORLES_REDIS",
        REDIS,
        "",
        "Valkey or Redis for notifications and queues, or a file with its address (`docs/operate/scaling.md`); "
        "unset: `esporles serve` starts a Valkey",
        aliases=("REDIS_URL", "ESPORLES_REDIS_FILE"),
    )
    host: str = setting("ESPORLES_HOST", TEXT, "127.0.0.1", "address to listen on")
    port: int = setting("ESPORLES_PORT", PORT, 8000, "port to listen on, 0 for any")
    address: str = setting(
        "ESPORLES_ADDRESS",
        ORIGIN,
        "",
        "public origin, used for passkeys, providers and links in mails (`docs/play/accounts.md`); unset: "
        "`http://localhost:PORT`, and links use the address in the browser if it belongs to a local network",
    )
    secure_cookies: bool = setting(
        "ESPORLES_SECURE_COOKIES", FLAG, False, "behind TLS: restrict cookies to https and this host, and send HSTS"
    )
    proxies: tuple[str, ...] = setting(
        "ESPORLES_PROXIES", PROXIES, (), "proxies whose `X-Forwarded-For` header is accepted"
    )
    listen_fds: tuple[int, ...] = setting(
        "ESPORLES_LISTEN_FDS", DESCRIPTORS, (), "inherited public and private sockets; set by `esporles serve`"
    )
    socket: Path | None = setting(
        "ESPORLES_SOCKET", SOCKET, None, "private socket for workers; unset: `esporles serve` chooses one"
    )
    token: str = setting(
        "ESPORLES_TOKEN",
        WORD,
        "",
        "token of the workers, or a file that contains it; unset: `esporles serve` creates one",
        aliases=("ESPORLES_TOKEN_FILE",),
    )
    door: str = setting(
        "ESPORLES_DOOR", PLACE, "", "private TLS address for workers on other hosts (`docs/operate/scaling.md`)"
    )
    services: tuple[str, ...] = setting(
        "ESPORLES_SERVICES", SERVICES, (), "private addresses of the web hosts, for workers; unset: the private socket"
    )
    tls_certificate: Path | None = setting(
        "ESPORLES_TLS_CERTIFICATE", FILE, None, "certificate of this host, as server and client of private addresses"
    )
    tls_key: Path | None = setting("ESPORLES_TLS_KEY", FILE, None, "private key of the certificate")
    tls_ca: Path | None = setting(
        "ESPORLES_TLS_CA", FILE, None, "certificate authority of the clients that may connect to the private address"
    )
    health: str = setting("ESPORLES_HEALTH", PLACE, "", "address of the readiness check of a process without pages")
    drain_seconds: int = setting(
        "ESPORLES_DRAIN_SECONDS", COUNT, 5, "time for which a stopping web process responds but is not ready"
    )
    bots: tuple[str, ...] = setting(
        "ESPORLES_BOTS",
        LIST,
        ("greedy@2", "random@1", "search-quick@5", "search-steady@6", "search-strong@6", "gentle@1"),
        "bots that players can choose, `NAME@VERSION`; the first one takes over after a time-out",
    )
    thinks: bool = setting("ESPORLES_THINKS", FLAG, True, "let this worker play bots that think for seconds")
    demo: bool = setting("ESPORLES_DEMO", FLAG, True, "show a live table of four bots on the home page")
    analysis_tries: int = setting(
        "ESPORLES_ANALYSIS_TRIES",
        TRIES,
        STANDARD.tries,
        "samples per decision of an analysis (`docs/play/analyses.md`)",
    )
    changes_per_minute: int = setting(
        "ESPORLES_CHANGES_PER_MINUTE", LIMIT, 1200, "changes per minute by one account or unknown address"
    )
    creations_per_hour: int = setting(
        "ESPORLES_CREATIONS_PER_HOUR",
        LIMIT,
        300,
        "new tables, forks, studies, events and leagues per hour and account",
    )
    accounts_per_minute: int = setting(
        "ESPORLES_ACCOUNTS_PER_MINUTE", LIMIT, 30, "sign-ins, new accounts and guests per minute and address"
    )
    newcomers_per_day: int = setting(
        "ESPORLES_NEWCOMERS_PER_DAY", LIMIT, 300, "new accounts and guests per day and address"
    )
    guest_creations_per_hour: int = setting(
        "ESPORLES_GUEST_CREATIONS_PER_HOUR",
        LIMIT,
        600,
        "new tables, forks, studies, events and leagues by guests, per hour and address",
    )
    guesses_per_hour: int = setting(
        "ESPORLES_GUESSES_PER_HOUR", LIMIT, 30, "failed passwords per hour and account name"
    )
    messages_per_minute: int = setting(
        "ESPORLES_MESSAGES_PER_MINUTE", LIMIT, 20, "chat messages per minute and account, in all rooms"
    )
    photos_per_event: int = setting("ESPORLES_PHOTOS_PER_EVENT", COUNT, 400, "photos per event, about 300 kB each")
    streams_per_person: int = setting(
        "ESPORLES_STREAMS_PER_PERSON", LIMIT, 30, "open live streams per account and web process"
    )
    streams_per_address: int = setting(
        "ESPORLES_STREAMS_PER_ADDRESS", LIMIT, 300, "open live streams per address and web process"
    )
    rated_correspondence_max: int = setting(
        "ESPORLES_RATED_CORRESPONDENCE_MAX", LIMIT, 20, "unfinished rated correspondence matches per account"
    )
    header_seconds: float = setting(
        "ESPORLES_HEADER_SECONDS", SECONDS, 10.0, "timeout for the headers of a request (408)"
    )
    body_seconds: float = setting(
        "ESPORLES_BODY_SECONDS",
        SECONDS,
        30.0,
        "timeout between parts of a request body; the whole body gets an extra second per 5 kB",
    )
    send_seconds: float = setting(
        "ESPORLES_SEND_SECONDS",
        SECONDS,
        60.0,
        "time in which a client must read 1 kB per second of a response, or all of it",
    )
    unfinished_per_address: int = setting(
        "ESPORLES_UNFINISHED_PER_ADDRESS", LIMIT, 200, "incomplete requests and unread responses per address"
    )
    listed_tables_per_person: int = setting(
        "ESPORLES_LISTED_TABLES_PER_PERSON", LIMIT, 10, "listed tables per account that wait for players"
    )
    tables_with_bots_per_person: int = setting(
        "ESPORLES_TABLES_WITH_BOTS_PER_PERSON",
        LIMIT,
        50,
        "unfinished unrated tables with bots, per account that created them",
    )
    bot_tables_per_person: int = setting(
        "ESPORLES_BOT_TABLES_PER_PERSON", LIMIT, 5, "running bot-only tables, per account that created them"
    )
    openid_issuer: str = setting(
        "ESPORLES_OPENID_ISSUER",
        ISSUER,
        "",
        "OpenID Connect provider for signing in; needs client, secret and label (`docs/play/accounts.md`)",
    )
    openid_client: str = setting("ESPORLES_OPENID_CLIENT", TEXT, "", "client id of the service at the provider")
    openid_secret: Secret = setting(
        "ESPORLES_OPENID_SECRET",
        SECRET,
        Secret(),
        "client secret of the service at the provider, or a file that contains it",
        aliases=("ESPORLES_OPENID_SECRET_FILE",),
    )
    openid_label: str = setting("ESPORLES_OPENID_LABEL", TEXT, "", "name of the provider on the sign-in page")
    log_origin: str = setting(
        "ESPORLES_LOG_ORIGIN", LOG_ORIGIN, "", "permanent name of the transparency log; unset: derived from its key"
    )
    key_passphrase: Secret = setting(
        "ESPORLES_KEY_PASSPHRASE", SECRET, Secret(), "encrypts the key of the log (`docs/operate/keys.md`)"
    )
    witnesses: tuple[WitnessAddress, ...] = setting(
        "ESPORLES_WITNESSES", WITNESSES, (), "witnesses that cosign the transparency log (`docs/operate/witness.md`)"
    )
    quorum: str = setting("ESPORLES_QUORUM", QUORUM, MAJORITY, "how many of these the published policy requires")
    logs: str = setting("ESPORLES_LOGS", LOG_FORM, "text", "format of log lines (`docs/operate/monitoring.md`)")
    log_requests: bool = setting("ESPORLES_LOG_REQUESTS", FLAG, False, "write a log line for every request")
    metrics: str = setting(
        "ESPORLES_METRICS",
        LISTENER,
        "",
        "address of the Prometheus metrics (`docs/operate/monitoring.md`); unset: private sockets of `esporles serve`",
    )
    traces: str = setting(
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        COLLECTOR,
        "",
        "OTLP collector that receives traces (`docs/operate/monitoring.md`); unset: no traces",
        aliases=("OTEL_EXPORTER_OTLP_ENDPOINT",),
    )

    @property
    def origin(self) -> str:
        """Return the origin of all pages, used for passkeys and redirects of providers."""
        return self.address or f"http://localhost:{self.port}"

    @property
    def passkey_domain(self) -> str:
        """Return the domain of passkeys, or an empty string if the host is an IP address."""
        host = urlsplit(self.origin).hostname or ""
        return "" if is_number(host) else host

    @property
    def store_url(self) -> str:
        """Return the database URL of the log."""
        return self.store or f"{SQLITE}{self.data / 'log.db'}"

    @property
    def reads_url(self) -> str:
        """Return the database URL of the read models."""
        return self.reads or f"{SQLITE}{self.data / 'reads.db'}"

    @property
    def log_file(self) -> Path | None:
        """Return the file of the log, which only one process may write, or None on a server."""
        return Path(self.store_url.removeprefix(SQLITE)) if self.store_url.startswith(SQLITE) else None

    @property
    def log_place(self) -> Path | str:
        """Return the file or database URL of the log."""
        return self.log_file or self.store_url

    @property
    def people_place(self) -> Path | str:
        """Return the file or database URL of accounts."""
        return self.people_file or self.people

    @property
    def people_file(self) -> Path | None:
        """Return the file of accounts, or None on a server."""
        url = self.people or f"{SQLITE}{self.data / PEOPLE_FILE}"
        return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None

    @property
    def tree_place(self) -> Path | str:
        """Return the file or database URL of the transparency tree."""
        return self.tree_file or self.tree or self.store_url

    @property
    def tree_file(self) -> Path | None:
        """Return the file of the transparency tree, or None if the tree or, by default, the log is on a server."""
        if not self.tree:
            return None if self.log_file is None else self.data / TREE_FILE
        return Path(self.tree.removeprefix(SQLITE)) if self.tree.startswith(SQLITE) else None

    @property
    def analyses_place(self) -> Path | str:
        """Return the file or database URL of analyses, which are on the server of the read models, if any."""
        return self.reads if self.reads and not self.reads.startswith(SQLITE) else self.data / ANALYSES_FILE

    def require_data_moved(self) -> None:
        """Raise `BadSetting` if a server is set for data that is still in the data folder."""
        at_servers = {
            LOG_FILE: self.log_file is None,
            PEOPLE_FILE: self.people_file is None,
            TREE_FILE: self.tree_file is None,
        }
        for name, is_at_server in at_servers.items():
            if is_at_server and (self.data / name).exists():
                raise BadSetting(
                    f"{self.data / name} exists, but a server is configured; move the data with `esporles move`"
                )

    def require_tree_process(self) -> None:
        """Raise `BadSetting` if the tree is in a file and this service is set not to continue it."""
        if not self.keeps_tree and self.tree_file is not None:
            raise BadSetting(
                f"{names_of('keeps_tree')} is off, but the tree is a file, which only the service can maintain"
            )

    def require(self, *fields: str) -> None:
        """Raise `MissingSetting` for the first of these fields that is not set."""
        for field in fields:
            if not getattr(self.outgoing if field in OUTGOING else self, field):
                hint = "; `esporles serve` sets it for the processes it starts" if field in SERVED else ""
                raise MissingSetting(f"{names_of(field)} is not set{hint}")

    def require_openid(self, given: str) -> None:
        """Raise `MissingSetting` for the first missing setting of a provider, because the setting `given` is set."""
        for field in OPENID:
            if getattr(self, field) in {"", Secret()}:
                raise MissingSetting(f"{names_of(given)} requires {names_of(field)}")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Return the settings of an environment; raise `BadSetting` with the variable's name on unusable values.

        Empty variables, except booleans, count as missing. Raise `MissingSetting` for settings needed by others.
        """
        found: dict[str, Any] = {}
        for field, variable in VARIABLES.items():
            name = next((name for name in variable.names if environment.get(name)), variable.names[0])
            value = environment.get(name)
            if value or (value is not None and variable.kind is FLAG):
                found[field] = variable.kind.read(name, value)
        outgoing = Outgoing(**{field: found.pop(field) for field in OUTGOING & found.keys()})
        settings = cls(outgoing=outgoing, **found)
        if given_fields := [field for field in OPENID if field in found]:
            settings.require_openid(given_fields[0])
        outgoing.require_sender()
        return settings


OUTGOING: Final = frozenset(list_declarations(Outgoing))
VARIABLES: Final[Mapping[str, Variable[Any]]] = list_declarations(Outgoing) | list_declarations(Settings)
"""Field of `Settings` or `Settings.outgoing` -> its declaration."""


def names_of(field: str) -> str:
    """Return the names of a variable, for a sentence."""
    return " or ".join(VARIABLES[field].names)


def variables(**values: object) -> dict[str, str]:
    """Return environment variables that pass these settings to another process, by field name."""
    return {VARIABLES[field].names[0]: str(value) for field, value in values.items()}


def environment_without(environment: Mapping[str, str], *fields: str) -> dict[str, str]:
    """Return the environment without the variables of these fields."""
    names = {name for field in fields for name in VARIABLES[field].names}
    return {name: value for name, value in environment.items() if name not in names}


def describe(field: str, meaning: str = "") -> str:
    """Return the help text of a console option that stands for a variable, with its name and default."""
    variable = VARIABLES[field]
    return f"{meaning or variable.meaning} ({variable.names[0]}, {variable.default_word})"
