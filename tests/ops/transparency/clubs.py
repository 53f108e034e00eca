"""Witnesses for tests: in a thread of this process, or as the real command in a process and, where the machine lets
one, in a host of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import Signer
from domain.transparency.notes import Note, VerifierKey
from domain.transparency.witnesses import WitnessAt
from domain.transparency.witnessing import AddCheckpoint
from ops.commands.witness_ import Watching
from ops.transparency.serving import server_of
from ops.transparency.witness import Houses, Witness, unix_seconds
from projections.platform.settings import Settings
from tests.domain.transparency.trees import Tree
from tests.seeding import entropy
from tests.workers.serving import PATIENCE_SECONDS, ROOT, Told, process_of

HOUSE: Final = Signer("house.example/tlog", b"\x01" * 32)
HOST_ADDRESS: Final = "198.51.100.1"
GUEST_ADDRESS: Final = "198.51.100.2"
"""Addresses that are kept for documentation: nobody has them but the two ends of our own cable."""


def witness_in(
    folder: Path, houses: Houses, name: str = "witness.example/club", now: Callable[[], int] = unix_seconds
) -> Witness:
    return Witness(folder / "witness.db", name, houses, entropy(), now)


def request_of(tree: Tree, old: int, size: int, signer: Signer = HOUSE) -> bytes:
    """What a house with this tree asks."""
    text = Checkpoint(signer.key.name, size, tree.root(size)).text
    note = Note(text, (signer.sign(text),))
    return str(AddCheckpoint(old, tuple(tree.read.consistency(old, size)), note)).encode()


def ask(url: str, method: str, path: str, body: bytes | None = None) -> tuple[int, str, dict[str, str]]:
    """One request; status, body and headers of the answer."""
    host, _, port = url.removeprefix("http://").rstrip("/").rpartition(":")
    connection = HTTPConnection(host, int(port), timeout=PATIENCE_SECONDS)
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


@contextmanager
def answering(witness: Witness, settings: Settings | None = None) -> Iterator[WitnessAt]:
    """The witness behind a real server, in a thread."""
    bound = socket.create_server(("127.0.0.1", 0))
    server = server_of(witness, settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield WitnessAt(str(witness.key), f"http://127.0.0.1:{bound.getsockname()[1]}")
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        bound.close()


class Club:
    """The command `esporles witness` in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], told: Told) -> None:
        self.process = process
        self.told = msgspec.json.decode(told.line(), type=Watching)

    @property
    def at(self) -> str:
        """As a house is told of it."""
        return f"{self.told.key} {self.told.url}"

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_SECONDS)


def console(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "ops.cli", *map(str, arguments)]


def told_by(*arguments: object) -> Any:
    """The document a console command answers with."""
    ended = subprocess.run(console(*arguments, "--json"), cwd=ROOT, capture_output=True, text=True, check=True)
    return msgspec.json.decode(ended.stdout)


@contextmanager
def club(
    folder: Path, *houses: VerifierKey | str, host: str = "127.0.0.1", within: Sequence[str] = ()
) -> Iterator[Club]:
    """A witness that watches these houses. `within`: the command that starts it in another host."""
    named = [word for house in houses for word in ("--house", house)]
    command = console("witness", "--data", folder, "--name", "witness.example/club", "--host", host, "--port", 0)
    with process_of([*within, *command, *map(str, named), "--json"]) as (process, told):
        yield Club(process, told)


def has_run(*command: str) -> bool:
    with suppress(OSError):
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


@contextmanager
def another_host() -> Iterator[tuple[str, Sequence[str]]]:
    """A host of its own: its address, and the command that starts a process there. It is a network namespace joined to
    this one by a cable; on a machine that allows none it is this machine itself."""
    name, near, far = f"esporles-{os.getpid()}", f"esn{os.getpid()}", f"esf{os.getpid()}"
    if shutil.which("ip") is None or not has_run("ip", "netns", "add", name):
        yield "127.0.0.1", ()
        return
    try:
        steps = (
            ("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", name),
            ("ip", "addr", "add", f"{HOST_ADDRESS}/30", "dev", near),
            ("ip", "link", "set", near, "up"),
            ("ip", "-n", name, "addr", "add", f"{GUEST_ADDRESS}/30", "dev", far),
            ("ip", "-n", name, "link", "set", far, "up"),
        )
        if all(has_run(*step) for step in steps):
            yield GUEST_ADDRESS, ("ip", "netns", "exec", name)
        else:
            yield "127.0.0.1", ()
    finally:
        # The cable goes with the host.
        has_run("ip", "netns", "del", name)
