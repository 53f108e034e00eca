"""The links in the head of every page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from api.http.app_state import AppKey
from api.http.identity import Person


def is_for_everybody(_: Person | None) -> bool:
    """Return true: every reader sees the link."""
    return True


class PageLink(msgspec.Struct, frozen=True):
    """A link in the head of every page: its path, its label, and the readers who see it."""

    path: str
    label: str
    below: tuple[str, ...] = ()
    """Path prefixes that belong to the link; its path if empty."""
    shown_to: Callable[[Person | None], bool] = is_for_everybody

    def contains(self, path: str) -> bool:
        """Return whether a path equals or is below one of the link's paths, by default its own; "/" has none below."""
        prefixes = self.below or (self.path,)
        bases = [prefix.rstrip("/") for prefix in prefixes]
        return any(path == (base or "/") or (base != "" and path.startswith(f"{base}/")) for base in bases)


class PageLinkShown(msgspec.Struct, frozen=True):
    """A link for display."""

    path: str
    label: str
    is_here: bool


PAGE_LINKS: Final = AppKey[tuple[PageLink, ...]]("page_links")
"""The links of the subjects in display order."""


def show_links(links: Iterable[PageLink], person: Person | None, path: str) -> tuple[PageLinkShown, ...]:
    """Return the links for this reader, marking the current one."""
    return tuple(PageLinkShown(link.path, link.label, link.contains(path)) for link in links if link.shown_to(person))
