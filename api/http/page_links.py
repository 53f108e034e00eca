"""The links in the head of every page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from api.http.app_state import AppKey
from api.http.identity import Person


def everybody(_: Person | None) -> bool:
    return True


class PageLink(msgspec.Struct, frozen=True):
    """A link in the head of every page: its address, its label, and the readers who see it."""

    path: str
    label: str
    below: tuple[str, ...] = ()
    """Prefixes of the addresses that belong to it; its own path if empty."""
    shown_to: Callable[[Person | None], bool] = everybody

    def holds(self, path: str) -> bool:
        beginnings = self.below or (self.path,)
        stems = [start.rstrip("/") for start in beginnings]
        return any(path == (stem or "/") or (stem != "" and path.startswith(f"{stem}/")) for stem in stems)


class PageLinkShown(msgspec.Struct, frozen=True):
    """A link as a page shows it."""

    path: str
    label: str
    is_here: bool


PAGE_LINKS: Final = AppKey[tuple[PageLink, ...]]("page_links")
"""The links that the subjects declare, in the order in which a page shows them."""


def show_links(links: Iterable[PageLink], person: Person | None, path: str) -> tuple[PageLinkShown, ...]:
    """Return the links for this reader, and which of them the page belongs to."""
    return tuple(PageLinkShown(link.path, link.label, link.holds(path)) for link in links if link.shown_to(person))
