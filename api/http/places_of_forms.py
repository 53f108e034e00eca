"""Where the form stands that an address takes: a browser that loads such an address by itself is led there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from litestar.routes import BaseRoute, HTTPRoute


def place_of_form(path: str, routes: Iterable[BaseRoute]) -> str:
    """The nearest page above the address of a form; at last the lobby."""
    shown = [route for route in routes if isinstance(route, HTTPRoute) and "GET" in route.methods]
    parts = path.strip("/").split("/")
    for length in range(len(parts) - 1, 0, -1):
        if any(leads_to(route, parts[:length]) for route in shown):
            return "/" + "/".join(parts[:length])
    return "/"


def leads_to(route: HTTPRoute, parts: Sequence[str]) -> bool:
    """Whether a path of these parts may be one of the route."""
    known = route.path_components
    return len(known) == len(parts) and all(
        not isinstance(each, str) or each == part for each, part in zip(known, parts, strict=True)
    )
