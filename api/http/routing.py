"""Routers that are copied cheaply: the framework copies one, with all it holds, whenever it is registered."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import litestar
from litestar.routes import HTTPRoute


class Router(litestar.Router):
    """A router whose copies share what never changes.

    A copy needs handlers and layers of its own, because each knows the layer above it, and at the top the application.
    What they hold (functions, dependencies, options, descriptions) is the same in all copies.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copies: dict[int, Any] = {id(self): copy(self)}

        def copied(layer: Any) -> Any:
            """The layer's one copy, under the copies of those above it up to this router."""
            if id(layer) not in copies:
                copies[id(layer)] = copy(layer)
                copies[id(layer)].owner = copied(layer.owner)
            return copies[id(layer)]

        router: Self = copies[id(self)]
        router.routes = []
        for route in self.routes:
            assert isinstance(route, HTTPRoute), f"{route.path} is no route of HTTP"
            again = copy(route)
            again.route_handlers = [copied(handler) for handler in route.route_handlers]
            router.routes.append(again)
        return router
