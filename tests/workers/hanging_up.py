"""A service process that closes every connection to its private socket without a response."""

import os
import socket


def main() -> None:
    """Accept connections and close them until a signal ends the process."""
    private = socket.socket(fileno=int(os.environ["ESPORLES_LISTEN_FDS"].split(",")[1]))
    while True:
        private.accept()[0].close()


if __name__ == "__main__":
    main()
