"""Declarations of subjects for the web process, and the function that joins them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from litestar import Router
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from api.http.page_links import PageLink
from api.http.refusal_tables import Refusals

Handlers = tuple[HTTPRouteHandler | Router, ...]
PARAMETER: Final = re.compile(r"{\w+:")
"""The name of a path parameter; paths that differ only in such names are the same."""


class Subject(msgspec.Struct, frozen=True):
    """The declaration of one subject, in its `subject.py`."""

    name: str
    refusals: Refusals = {}
    routes: Handlers = ()
    """Operations of the API, below `/api`."""
    pages: Handlers = ()
    roots: Handlers = ()
    """Other handlers, with full paths."""
    links: tuple[PageLink, ...] = ()
    """Links in the head of every page."""


class JoinedSubjects(msgspec.Struct, frozen=True):
    """The declarations of all subjects."""

    refusals: Refusals
    routes: Handlers
    pages: Handlers
    roots: Handlers
    links: tuple[PageLink, ...]


class DuplicateDeclaration(ValueError):
    """Two subjects declare the same thing."""


def join_subjects(subjects: Sequence[Subject]) -> JoinedSubjects:
    """Join the declarations of all subjects, in order.

    Raises `DuplicateDeclaration` if two subjects share a name, an error, code, path or link.
    """
    owners: dict[str, str] = {}
    for subject in subjects:
        for claim in unique_declarations(subject):
            if claim in owners:
                raise DuplicateDeclaration(f"{claim} is declared by {owners[claim]} and by {subject.name}")
            owners[claim] = subject.name
    return JoinedSubjects(
        refusals={kind: refusal for each in subjects for kind, refusal in each.refusals.items()},
        routes=tuple(handler for each in subjects for handler in each.routes),
        pages=tuple(handler for each in subjects for handler in each.pages),
        roots=tuple(handler for each in subjects for handler in each.roots),
        links=tuple(link for each in subjects for link in each.links),
    )


def unique_declarations(subject: Subject) -> Iterator[str]:
    """Yield descriptions of everything that no other subject may declare."""
    yield f"the subject {subject.name!r}"
    for kind, (_, code) in subject.refusals.items():
        yield f"the refusal {kind.__module__}.{kind.__name__}"
        yield f"the code {code!r}"
    for base, handlers in (("/api", subject.routes), ("", subject.pages), ("", subject.roots)):
        yield from (f"{method} {base}{path}" for method, path in addresses(handlers))
    for link in subject.links:
        yield f"the link {link.path!r}"


def addresses(handlers: Iterable[HTTPRouteHandler | Router]) -> Iterator[tuple[str, str]]:
    """Yield method and path of every handler, with the types of parameters in place of their names.

    OPTIONS is left out.
    """
    for each in handlers:
        found = set[tuple[str, str]]()
        if isinstance(each, Router):
            for route in each.routes:
                assert isinstance(route, HTTPRoute), f"{route.path} is no route of HTTP"
                found |= {(method, route.path) for method in route.methods}
        else:
            found |= {(str(method), path) for method in each.http_methods for path in each.paths}
        yield from sorted((method, PARAMETER.sub("{:", path)) for method, path in found if method != "OPTIONS")
