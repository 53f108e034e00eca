"""Typed values in the state of the web application; each key is declared next to its type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Generic, Protocol, TypeVar

from litestar import Litestar

from domain.kernel.title import Titles
from projections.platform.clock import Clock
from projections.platform.settings import Settings

T = TypeVar("T")


class HasApp(Protocol):
    """An object with an application: a connection, a request or a test client."""

    @property
    def app(self) -> Litestar:
        """Return the application."""
        ...


def app_of(holder: Litestar | HasApp) -> Litestar:
    """Return the application, or the application of the holder."""
    return holder if isinstance(holder, Litestar) else holder.app


class AppKey(Generic[T]):
    """Name and type of one value in the application state, like `aiohttp.web.AppKey`."""

    def __init__(self, name: str) -> None:
        self.name: Final = name

    def item(self, value: T) -> tuple[str, object]:
        """Return the name and the value for the initial state of an application."""
        return self.name, value

    def put(self, app: Litestar, value: T) -> T:
        """Store the value and return it; raise `RuntimeError` if the application already has one with this name."""
        if self.name in app.state:
            raise RuntimeError(f"the application already holds a value named {self.name}")
        app.state[self.name] = value
        return value

    def replace(self, holder: Litestar | HasApp, value: T) -> None:
        """Replace the value; raise `LookupError` if there is none."""
        self.of(holder)
        app_of(holder).state[self.name] = value

    def of(self, holder: Litestar | HasApp) -> T:
        """Return the value; raise `LookupError` if there is none."""
        try:
            # Not `app_of`, because a request looks up a dozen values.
            value: T = (holder if isinstance(holder, Litestar) else holder.app).state[self.name]
        except KeyError:
            raise LookupError(f"the application holds no value named {self.name}") from None
        return value


SETTINGS: Final = AppKey[Settings]("settings")
TITLES_PLAYED: Final = AppKey[Titles]("titles")
SERVICE_CLOCK: Final = AppKey[Clock]("clock")


@contextmanager
def lifetime(app: Litestar) -> Iterator[None]:
    """Remove every value that the block stored in `app.state`, so that the same application can start again."""
    previous_names = frozenset(app.state)
    try:
        yield
    finally:
        for name in frozenset(app.state) - previous_names:
            del app.state[name]
