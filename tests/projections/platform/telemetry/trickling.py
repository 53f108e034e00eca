"""A caller that sends a request byte by byte, without end."""

import socket
from itertools import cycle
from typing import Final

from tests.api.house import PATIENCE_SECONDS

LINE: Final = b"X: " + b"x" * 60_000 + b"\r\n"
"""A header as long as the standard library reads; it takes a hundred of them."""
BYTES_MAX: Final = 90 * len(LINE)


def is_cut_off(address: tuple[str, int]) -> bool:
    """Return whether the server ends the connection before the request is as long as it takes."""
    with socket.create_connection(address, PATIENCE_SECONDS) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        try:
            for _, byte in zip(range(BYTES_MAX), cycle(LINE), strict=False):
                slow.send(bytes([byte]))
        except OSError:
            return True
    return False
