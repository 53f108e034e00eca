"""An ASGI server without an application, to measure the cost of HTTP alone: `python -m ops.dev.bench.bare`."""

import socket
import sys
from typing import Any, Final

import uvicorn

ANSWER: Final = b'{"padding":"' + b"x" * 20_000 + b'"}'
HEADERS: Final = [(b"content-type", b"application/json"), (b"content-length", str(len(ANSWER)).encode())]


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Read a request and send the same response every time."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": ANSWER})


def main() -> None:
    """Print the server's address as a line of JSON, then serve until stopped."""
    bound = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f'{{"url":"http://127.0.0.1:{bound.getsockname()[1]}/"}}\n')
    sys.stdout.flush()
    config = uvicorn.Config(application, loop="uvloop", http="httptools", lifespan="off", log_level="warning")
    uvicorn.Server(config).run(sockets=[bound])


if __name__ == "__main__":
    main()
