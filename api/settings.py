"""The service's settings from its environment, read once into one frozen struct."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"", "0", "false", "no", "off"})
SQLITE: Final = "sqlite:///"
POSTGRES: Final = ("postgresql://", "postgres://")
PORT_MAX: Final = 65_535
SOCKET_PATH_BYTES_MAX: Final = 107
"""The longest path a Linux unix socket can have."""


class BadSetting(Exception):
    """A variable of the environment has a value the service cannot use."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Where the service keeps its data, where it listens and whom it trusts."""

    data: Path = Path("var")
    store: str = ""
    """Url of the log: `sqlite:///path`, one writing process, or `postgresql://…`; empty: a file in the data folder."""
    reads: str = ""
    """Url of the read models, in the same forms; empty: a file in the data folder."""
    redis: str = ""
    """Empty: no doorbell; streams then learn of other processes' entries by looking."""
    host: str = "127.0.0.1"
    port: int = 8000
    socket: Path | None = None
    """The private unix socket: the only door at which the service token is good."""
    token: str = ""
    """The service token, by which workers act for bots and for the service; empty: nobody does."""
    bots: tuple[str, ...] = ("greedy@2", "random@1")
    """The bots that can be asked for, `NAME@VERSION`; the first plays on for who has run out of time."""
    demo: bool = True
    """Whether a live table of four bots is kept for the first page."""
    changes_per_minute: int = 1200
    """How many changes one person, or one unknown address, may ask for in a minute; 0: any number."""
    accounts_per_minute: int = 30
    """How often one address may sign in, sign up or come as a guest in a minute; 0: any number."""
    secure_cookies: bool = False
    """Whether cookies are only sent over https; set it wherever the service stands behind TLS."""

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
    def people_path(self) -> Path:
        return self.data / "people.db"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """The settings of these variables; `BadSetting` names the first that cannot be used."""
        return cls(
            data=Path(environment.get("ESPORLES_DATA") or "var"),
            store=_url("ESPORLES_STORE", environment.get("ESPORLES_STORE", "")),
            reads=_url("ESPORLES_READS", environment.get("ESPORLES_READS", "")),
            redis=environment.get("ESPORLES_REDIS") or environment.get("REDIS_URL", ""),
            host=environment.get("ESPORLES_HOST") or "127.0.0.1",
            port=_port(environment.get("ESPORLES_PORT") or "8000"),
            socket=_socket(environment.get("ESPORLES_SOCKET", "")),
            token=environment.get("ESPORLES_TOKEN", ""),
            bots=tuple((environment.get("ESPORLES_BOTS") or "greedy@2,random@1").split(",")),
            demo=_flag("ESPORLES_DEMO", environment.get("ESPORLES_DEMO", "1")),
            changes_per_minute=_count("ESPORLES_CHANGES_PER_MINUTE", environment, 1200),
            accounts_per_minute=_count("ESPORLES_ACCOUNTS_PER_MINUTE", environment, 30),
            secure_cookies=_flag("ESPORLES_SECURE_COOKIES", environment.get("ESPORLES_SECURE_COOKIES", "0")),
        )


def _url(name: str, word: str) -> str:
    if word and not word.startswith((SQLITE, *POSTGRES)):
        raise BadSetting(f"{name}: {word!r} is neither sqlite:///path nor postgresql://…")
    return word


def _socket(word: str) -> Path | None:
    if len(word.encode()) > SOCKET_PATH_BYTES_MAX:
        raise BadSetting(f"ESPORLES_SOCKET: {word} is longer than {SOCKET_PATH_BYTES_MAX} bytes")
    return Path(word) if word else None


def _flag(name: str, word: str) -> bool:
    if word.lower() not in TRUE_WORDS | FALSE_WORDS:
        raise BadSetting(f"{name}: {word!r} is neither yes (1) nor no (0)")
    return word.lower() in TRUE_WORDS


def _count(name: str, environment: Mapping[str, str], default: int) -> int:
    word = environment.get(name) or str(default)
    if not word.isdecimal():
        raise BadSetting(f"{name}: {word!r} is not a number of requests")
    return int(word)


def _port(word: str) -> int:
    if not word.isdecimal() or int(word) > PORT_MAX:
        raise BadSetting(f"ESPORLES_PORT: {word!r} is not a port number")
    return int(word)
