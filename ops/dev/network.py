"""Hosts of one machine, each with a network of its own: network namespaces of Linux on one bridge. Needs root and `ip`.

A host that is cut off is silent, as one whose cable is out: nothing is refused, nothing arrives.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from ipaddress import IPv4Network
from typing import Final, Self

NETWORKS: Final = tuple(IPv4Network("10.213.0.0/16").subnets(new_prefix=24))
OUTSIDE: Final = 254
"""The last number of the address by which the machine itself is on that network."""


class NoNetwork(Exception):
    """The system does not let us make networks, and says why."""


def try_ip(*words: str) -> str:
    """One order to the system's own tool; what it complains of."""
    # The tool of the system, wherever it keeps it.
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)  # noqa: S607
    return done.stderr.strip() if done.returncode else ""


def ip(*words: str) -> None:
    """The same; `NoNetwork` where it complains."""
    if complaint := try_ip(*words):
        raise NoNetwork(f"ip {' '.join(words)}: {complaint}")


class Network:
    """A bridge, and a host at it for each name; all of it is gone at the end of the block."""

    def __init__(self, names: Sequence[str]) -> None:
        if shutil.which("ip") is None or os.geteuid() != 0:
            raise NoNetwork("hosts in networks of their own need root and the tool `ip` (iproute2)")
        self._names = tuple(names)
        # Of several at once each has its own, by the number of its process.
        self._number = os.getpid() % len(NETWORKS)
        self._bridge = f"esp{self._number}"
        self.subnet: Final = NETWORKS[self._number]
        self.outside: Final = str(self.subnet[OUTSIDE])
        self.addresses: Final = {name: str(self.subnet[number]) for number, name in enumerate(names, 1)}

    def __enter__(self) -> Self:
        try:
            ip("link", "add", self._bridge, "type", "bridge")
            ip("addr", "add", f"{self.outside}/{self.subnet.prefixlen}", "dev", self._bridge)
            ip("link", "set", self._bridge, "up")
            for name in self._names:
                self._add(name)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()

    def _add(self, name: str) -> None:
        space, plug = self.space(name), self._plug(name)
        ip("netns", "add", space)
        ip("link", "add", plug, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", plug, "master", self._bridge, "up")
        ip("-n", space, "addr", "add", f"{self.addresses[name]}/{self.subnet.prefixlen}", "dev", "eth0")
        ip("-n", space, "link", "set", "eth0", "up")
        ip("-n", space, "link", "set", "lo", "up")

    def _remove(self) -> None:
        for name in self._names:
            try_ip("netns", "del", self.space(name))
            try_ip("link", "del", self._plug(name))
        try_ip("link", "del", self._bridge)

    def space(self, name: str) -> str:
        """What the namespace of a host is called."""
        return f"{self._bridge}-{name}"

    def _plug(self, name: str) -> str:
        """The end of the host's cable at the bridge; the system takes fifteen letters."""
        return f"{self._bridge}p{self._names.index(name)}"

    def inside(self, name: str, command: Sequence[str]) -> list[str]:
        """The command as it is run on that host."""
        return ["ip", "netns", "exec", self.space(name), *command]

    def cut(self, name: str) -> None:
        """Pulls the cable of a host."""
        ip("link", "set", self._plug(name), "down")

    def mend(self, name: str) -> None:
        """Puts it back."""
        ip("link", "set", self._plug(name), "up")
