"""The service process: the application on two sockets, which `ops.supervisor` has bound and hands down."""

import gc
import os
import socket
import sys
from typing import Final

import uvicorn

from api.app import create_app
from api.settings import Settings

SOCKETS: Final = "ESPORLES_LISTEN_FDS"
"""The inherited file descriptors of the public and the private socket: `3,4`. As they are bound before this process
runs, and stay so when it is started again, whoever connects meanwhile waits instead of being refused."""
GRACE_SECONDS: Final = 2
"""An open stream would otherwise keep the server from stopping."""


def main() -> int:
    """Serves until told to stop."""
    application = create_app(Settings.from_environment(os.environ))
    sockets = [socket.socket(fileno=int(number)) for number in os.environ[SOCKETS].split(",")]
    config = uvicorn.Config(
        application,
        loop="uvloop",
        http="httptools",
        lifespan="on",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
    # What was imported stays: the collector need not walk it again in the middle of a request.
    gc.collect()
    gc.freeze()
    uvicorn.Server(config).run(sockets=sockets)
    return 0


if __name__ == "__main__":
    sys.exit(main())
