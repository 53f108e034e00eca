"""The service process: the application on two sockets, which `ops.supervisor` has bound and hands down."""

import gc
import os
import socket
import sys
from pkgutil import resolve_name
from typing import Any, Final

import uvicorn

from api.settings import Settings

SOCKETS: Final = "ESPORLES_LISTEN_FDS"
"""The inherited file descriptors of the public and the private socket: `3,4`. As they are bound before this process
runs, and stay so when it is started again, clients that connect meanwhile wait instead of being refused."""
APPLICATION: Final = "api.app:create_app"
"""Loaded without the collector, so not with this module."""
GRACE_SECONDS: Final = 2
"""An open stream would otherwise keep the server from stopping."""


def main(application: str = APPLICATION, **parts: Any) -> int:
    """Serves until told to stop; `application` names the function that makes it of its settings and of `parts`."""
    # While it is imported and put together almost nothing is thrown away: the collector would walk it all in vain. What
    # is there then stays: it need not be walked in the middle of a request either.
    gc.disable()
    made = resolve_name(application)(Settings.from_environment(os.environ), **parts)
    gc.freeze()
    gc.enable()
    sockets = [socket.socket(fileno=int(number)) for number in os.environ[SOCKETS].split(",")]
    config = uvicorn.Config(
        made,
        loop="uvloop",
        http="httptools",
        lifespan="on",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=sockets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
