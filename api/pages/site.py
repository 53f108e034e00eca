"""The pages together: their router, how refusals look in a browser, what runs beside the requests."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final

from litestar import Litestar, Router

from api.bells import Doorbell
from api.pages import sign_in

ROUTER: Final = Router("/", route_handlers=[*sign_in.HANDLERS], include_in_schema=False)


def background(app: Litestar, doorbell: Doorbell) -> tuple[Coroutine[Any, Any, None], ...]:
    """What runs as long as the service."""
    return (doorbell.listen(),)
