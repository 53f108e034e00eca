"""The service process: the application on two sockets, which `ops.supervisor` has bound and hands down."""

import gc
import os
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

import uvicorn

from domain.kernel.loading import load
from ops.console import USAGE
from projections.setting_values import BadSetting
from projections.settings import Settings

GRACE_SECONDS: Final = 2
"""An open stream would otherwise keep the server from stopping."""


def create_app(settings: Settings, **parts: Any) -> Any:
    """The application of the product, imported with the collector already off."""
    return load("api.app", "create_app")(settings, **parts)


def build_config(application: Any, settings: Settings) -> uvicorn.Config:
    """How the application is served. Without proxies nobody is believed to ask for somebody else: the server's own
    default is to believe every caller on this machine."""
    return uvicorn.Config(
        application,
        loop="uvloop",
        http="httptools",
        lifespan="on",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
    )


def main(create: Callable[..., Any] = create_app, **parts: Any) -> int:
    """Serves until told to stop what the function makes of its settings and of `parts`."""
    try:
        settings = Settings.from_environment(os.environ)
        settings.require("listen_fds")
    except BadSetting as fault:
        sys.stderr.write(f"ops.service: {fault}\n")
        return USAGE
    # While it is imported and put together almost nothing is thrown away: the collector would walk it all in vain. What
    # is there then stays: it need not be walked in the middle of a request either.
    gc.disable()
    application = create(settings, **parts)
    gc.freeze()
    gc.enable()
    sockets = [socket.socket(fileno=number) for number in settings.listen_fds]
    uvicorn.Server(build_config(application, settings)).run(sockets=sockets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
