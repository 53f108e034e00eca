"""The page to show when a browser loads the address of a form with GET."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from litestar.routes import BaseRoute, HTTPRoute


def page_of_form(path: str, routes: Iterable[BaseRoute]) -> str:
    """Return the nearest path above the path of a form that a GET route matches, or "/" (the lobby)."""
    page_routes = [route for route in routes if isinstance(route, HTTPRoute) and "GET" in route.methods]
    parts = path.strip("/").split("/")
    for length in range(len(parts) - 1, 0, -1):
        if any(matches_route(route, parts[:length]) for route in page_routes):
            return "/" + "/".join(parts[:length])
    return "/"


def matches_route(route: HTTPRoute, parts: Sequence[str]) -> bool:
    """Return whether a path of these segments can match the route; the types of parameters are ignored."""
    components = route.path_components
    return len(components) == len(parts) and all(
        not isinstance(each, str) or each == part for each, part in zip(components, parts, strict=True)
    )
