"""Typed values that the web application holds. Each key is declared once, next to the type of its value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Generic, Protocol, TypeVar

from litestar import Litestar

from domain.kernel.title import Titles
from projections.platform.settings import Settings

T = TypeVar("T")


class HasApp(Protocol):
    """A connection, a request or a test client: everything that knows its application."""

    @property
    def app(self) -> Litestar: ...


def app_of(holder: Litestar | HasApp) -> Litestar:
    """Return the application itself, or the one that the holder knows."""
    return holder if isinstance(holder, Litestar) else holder.app


class AppKey(Generic[T]):
    """Name and type of one value of the application, like `aiohttp.web.AppKey`."""

    def __init__(self, name: str) -> None:
        self.name: Final = name

    def item(self, value: T) -> tuple[str, object]:
        """Return the name and the value for the state of an application that is about to be made."""
        return self.name, value

    def put(self, app: Litestar, value: T) -> T:
        """Store the value and return it; `RuntimeError` if the application already holds a value of this name."""
        if self.name in app.state:
            raise RuntimeError(f"the application already holds a value named {self.name}")
        app.state[self.name] = value
        return value

    def replace(self, holder: Litestar | HasApp, value: T) -> None:
        """Store another value; `LookupError` if none was put."""
        self.of(holder)
        app_of(holder).state[self.name] = value

    def of(self, holder: Litestar | HasApp) -> T:
        """Return the value; `LookupError` if none was put."""
        try:
            value: T = app_of(holder).state[self.name]
        except KeyError:
            raise LookupError(f"the application holds no value named {self.name}") from None
        return value


SETTINGS: Final = AppKey[Settings]("settings")
TITLES_PLAYED: Final = AppKey[Titles]("titles")


@contextmanager
def lifetime(app: Litestar) -> Iterator[None]:
    """Remove every value that the block put, so that the same application can start again."""
    before = frozenset(app.state)
    try:
        yield
    finally:
        for name in frozenset(app.state) - before:
            del app.state[name]
