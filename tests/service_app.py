"""The web service for tests, with routes that are registered once in a process.

Tests start some hundred services in one process, with the same routes. Registering the routes once saves three quarters
of the time of every further start.
"""

from copy import copy
from functools import partial
from typing import Any, Final

from litestar.events import SimpleEventEmitter

from api import app as composition
from api.http.application import Application

PATTERNS: Final[list[Application]] = []
"""The first application in this process, whose routes are reused by others with the same titles."""


def build_application(**parts: Any) -> Application:
    """Build an application with the routes of the first one; registering a thousand handlers takes 0.2 s."""
    if parts["signature_namespace"]:
        return Application(**parts)
    if not PATTERNS:
        PATTERNS.append(Application(**parts))
    app = copy(PATTERNS[0])
    app.state, app.on_shutdown = parts["state"], list(parts["on_shutdown"])
    app.template_engine = parts["template_config"].engine_instance
    app.event_emitter = SimpleEventEmitter(())
    app.asgi_router = copy(app.asgi_router)
    app.asgi_router.app = app
    app.asgi_handler = app._create_asgi_handler()
    return app


create_app: Final = partial(composition.create_app, build=build_application)
"""Create the web service as `api.app.create_app` does, with the routes of the first one in this process."""
