"""Network namespaces of Linux on one bridge, one for each simulated host. Needs root and `ip`.

A host that is cut off drops packets silently, like an unplugged cable.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from ipaddress import IPv4Network
from typing import Final, Self

NETWORKS: Final = tuple(IPv4Network("10.213.0.0/16").subnets(new_prefix=24))
OUTSIDE: Final = 254
"""Last byte of the machine's own address in that network."""


class NoNetwork(Exception):
    """The system does not permit the creation of networks; with the reason."""


def try_ip(*args: str) -> str:
    """Run `ip` and return its error output; empty on success."""
    result = subprocess.run(["ip", *args], capture_output=True, text=True, check=False)  # noqa: S607
    return result.stderr.strip() if result.returncode else ""


def ip(*args: str) -> None:
    """Run `ip`; raise `NoNetwork` with its error output if it fails."""
    if complaint := try_ip(*args):
        raise NoNetwork(f"ip {' '.join(args)}: {complaint}")


class Network:
    """A bridge with a host for each name, removed at the end of the block."""

    def __init__(self, names: Sequence[str]) -> None:
        if shutil.which("ip") is None or os.geteuid() != 0:
            raise NoNetwork("separate networks require root and the tool `ip` (iproute2)")
        self._names = tuple(names)
        # Concurrent runs use different subnets, chosen by process id.
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
        """Add a host: a namespace with one interface, connected to the bridge; raise `NoNetwork` if that fails."""
        space, interface = self.namespace_of(name), self._bridge_interface(name)
        ip("netns", "add", space)
        ip("link", "add", interface, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", interface, "master", self._bridge, "up")
        ip("-n", space, "addr", "add", f"{self.addresses[name]}/{self.subnet.prefixlen}", "dev", "eth0")
        ip("-n", space, "link", "set", "eth0", "up")
        ip("-n", space, "link", "set", "lo", "up")

    def _remove(self) -> None:
        """Remove all hosts and the bridge, ignoring faults."""
        for name in self._names:
            try_ip("netns", "del", self.namespace_of(name))
            try_ip("link", "del", self._bridge_interface(name))
        try_ip("link", "del", self._bridge)

    def namespace_of(self, name: str) -> str:
        """Return the name of a host's namespace."""
        return f"{self._bridge}-{name}"

    def _bridge_interface(self, name: str) -> str:
        """Return the bridge's end of a host's link; Linux limits interface names to 15 characters."""
        return f"{self._bridge}p{self._names.index(name)}"

    def command_inside(self, name: str, command: Sequence[str]) -> list[str]:
        """Return the command line that runs a command on a host."""
        return ["ip", "netns", "exec", self.namespace_of(name), *command]

    def disconnect(self, name: str) -> None:
        """Disconnect a host."""
        ip("link", "set", self._bridge_interface(name), "down")

    def reconnect(self, name: str) -> None:
        """Reconnect a host."""
        ip("link", "set", self._bridge_interface(name), "up")
