"""Routers that are cheap to copy: the framework copies a router, with its content, on each registration."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import litestar
from litestar.routes import HTTPRoute


class Router(litestar.Router):
    """A router whose copies share everything immutable.

    A copy needs separate handlers and layers, because each refers to the layer above. Functions, dependencies, options
    and descriptions are shared.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copies: dict[int, Any] = {id(self): copy(self)}

        def copy_layer(layer: Any) -> Any:
            """Return the layer's copy, below the copies of its owners up to this router."""
            if id(layer) not in copies:
                copies[id(layer)] = copy(layer)
                copies[id(layer)].owner = copy_layer(layer.owner)
            return copies[id(layer)]

        router: Self = copies[id(self)]
        router.routes = []
        for route in self.routes:
            assert isinstance(route, HTTPRoute), f"{route.path} is no route of HTTP"
            route_copy = copy(route)
            route_copy.route_handlers = [copy_layer(handler) for handler in route.route_handlers]
            router.routes.append(route_copy)
        return router
