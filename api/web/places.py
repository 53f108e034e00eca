"""The links in the head of every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from api.web.identity import Person
from domain.kernel.messages import N_

PLAY: Final = ("/", "/tables", "/open/", "/cards/", "/rules", "/learn", "/play", "/quick")


def everybody(_: Person | None) -> bool:
    return True


class PageLink(msgspec.Struct, frozen=True):
    """A link in the head of every page: where it leads, the message that names it, and who is shown it."""

    path: str
    label: str
    below: tuple[str, ...] = ()
    """Beginnings of the addresses that belong to it; its own path where there are none."""
    shown_to: Callable[[Person | None], bool] = everybody

    def holds(self, path: str) -> bool:
        beginnings = self.below or (self.path,)
        stems = [start.rstrip("/") for start in beginnings]
        return any(path == (stem or "/") or (stem != "" and path.startswith(f"{stem}/")) for stem in stems)


class PageLinkShown(msgspec.Struct, frozen=True):
    """A place as it stands in the head of a page."""

    path: str
    label: str
    is_here: bool


PLACES: Final = (
    PageLink("/", N_("Play"), PLAY),
    PageLink("/events", N_("Events")),
    PageLink("/leagues", N_("Leagues")),
    PageLink("/rankings", N_("Rankings"), ("/rankings", "/players")),
    PageLink("/archive", N_("Archive"), ("/archive", "/explorer")),
    PageLink("/studies", N_("Studies"), ("/studies", "/puzzles")),
    PageLink("/desk", N_("Desk"), ("/desk", "/disputes"), lambda person: person is not None and not person.is_guest),
)
"""One line for each room that people walk into from the head of a page, in this order:
Play, Events, Leagues, Rankings, Archive, Studies, Desk."""


def places(person: Person | None, path: str) -> tuple[PageLinkShown, ...]:
    """The places this reader is shown, and which one the page belongs to."""
    return tuple(
        PageLinkShown(place.path, place.label, place.holds(path)) for place in PLACES if place.shown_to(person)
    )
