"""The service process: serves the application on sockets inherited from `ops.supervisor`."""

import gc
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

from api.http.draining import Draining
from domain.kernel.loading import load
from ops.console import NEGATIVE, USAGE
from ops.web import Sockets, run_web
from projections.platform.migrations.schema import StoreTooNew
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings
from projections.platform.telemetry.logs import configure_logs


def create_app(settings: Settings, **parts: object) -> Any:
    """Create the application; imported late, with the garbage collector disabled."""
    return load("api.app", "create_app")(settings, **parts)


def build_application(settings: Settings, create: Callable[..., Any] = create_app, **parts: object) -> Any:
    """Create the application with the garbage collector disabled, and exclude its objects from later collections."""
    # Imports and construction create almost no garbage, so collections would be wasted; frozen objects are not scanned
    # during requests either.
    gc.disable()
    application = create(settings, **parts)
    gc.freeze()
    gc.enable()
    return application


def main(create: Callable[..., Any] = create_app, **parts: object) -> int:
    """Serve the application on inherited sockets until stopped; return the exit status.

    A missing or bad setting is written to stderr and gives `USAGE`; a store of a later version gives `NEGATIVE`.
    """
    try:
        settings = Settings.from_environment(os.environ)
        settings.require("listen_fds")
        configure_logs(settings, "web")
    except BadSetting as fault:
        sys.stderr.write(f"ops.service: {fault}\n")
        return USAGE
    draining = Draining()
    try:
        application = build_application(settings, create, draining=draining, **parts)
    except BadSetting as fault:
        sys.stderr.write(f"ops.service: {fault}\n")
        return USAGE
    except StoreTooNew as error:
        sys.stderr.write(f"ops.service: {error}\n")
        return NEGATIVE
    sockets = tuple(socket.socket(fileno=number) for number in settings.listen_fds)
    return run_web(application, settings, Sockets(sockets, are_kept=True), draining)


if __name__ == "__main__":
    sys.exit(main())
