"""The service process for tests: `ops.service` with seeded randomness.

Only this module passes `ESPORLES_TEST_SEED` to a service; the product has no such setting.
"""

import sys
from typing import Any

from argon2.profiles import CHEAPEST
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.kernel.loading import load
from ops import service
from projections.platform.settings import Settings
from tests.seeding import HEADER, WHOSE, SeededEntropy

WHOSE_HEADER = HEADER.lower().encode()


class Labelled:
    """ASGI middleware that tells the entropy which test sent a request."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            WHOSE.set(dict(scope["headers"]).get(WHOSE_HEADER, b"").decode())
        await self._application(scope, receive, send)


def create_app(settings: Settings, **parts: Any) -> Labelled:
    """Build the web service with seeded entropy."""
    # Imported here, as `ops.service` does, after disabling garbage collection.
    load("api.accounts.people", "People").password_cost = CHEAPEST
    application: ASGIApp = load("api.app", "create_app")(settings, SeededEntropy("service"), **parts)
    return Labelled(application)


if __name__ == "__main__":
    sys.exit(service.main(create_app))
