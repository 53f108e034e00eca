"""The service process: the application on two sockets, which `ops.supervisor` has bound and hands down."""

import gc
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

from api.http.draining import Draining
from domain.kernel.loading import load
from ops.console import USAGE
from ops.web import Sockets, run_web
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings
from projections.platform.telemetry.logs import configure_logs


def create_app(settings: Settings, **parts: object) -> Any:
    """The application of the product, imported with the collector already off."""
    return load("api.app", "create_app")(settings, **parts)


def build_application(settings: Settings, create: Callable[..., Any] = create_app, **parts: object) -> Any:
    """What the function makes of the settings and of `parts`."""
    # While it is imported and put together almost nothing is thrown away: the collector would walk it all in vain. What
    # is there then stays: it need not be walked in the middle of a request either.
    gc.disable()
    application = create(settings, **parts)
    gc.freeze()
    gc.enable()
    return application


def main(create: Callable[..., Any] = create_app, **parts: object) -> int:
    """Serves until told to stop what the function makes of its settings and of `parts`."""
    try:
        settings = Settings.from_environment(os.environ)
        settings.require("listen_fds")
        configure_logs(settings, "web")
    except BadSetting as fault:
        sys.stderr.write(f"ops.service: {fault}\n")
        return USAGE
    draining = Draining()
    application = build_application(settings, create, draining=draining, **parts)
    sockets = tuple(socket.socket(fileno=number) for number in settings.listen_fds)
    return run_web(application, settings, Sockets(sockets, are_kept=True), draining)


if __name__ == "__main__":
    sys.exit(main())
