"""The service of a simulated event, whose chance is derived from the event's seed.

`esporles tournament simulate` runs it in a separate folder with bots only. After a crash it resumes there with the same
result. No setting enables this in a real service.
"""

import os
import secrets
import shutil
import stat
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from domain.eventstore.writer_lock import StoreBusy
from domain.kernel.chance import hkdf_expand
from domain.matches.entropy import Entropy, system_entropy
from ops import service
from ops.commands import serve_
from ops.console import Finding
from ops.players import load_players, store_players
from ops.service_client import ServiceAddress
from ops.supervisor import Programs, wait_until_free
from ops.temporary_service import service_in
from projections.platform.settings import Settings

MODULE: Final = "ops.tournaments.seeded"
SERVICE: Final = "service"
SEEDED_PURPOSES: Final = ("seed/", "secret/ids")
"""Purposes of entropy on which the event depends: chance and ids; tokens stay unpredictable."""
STOPPING_SECONDS_MAX: Final = 30.0
"""Time in which the service of a killed command has stopped all its processes."""


def entropy_of(seed: int) -> Entropy:
    """Return an entropy source that is derived from the seed for the event, and random for all else."""
    key = b"esporles simulated event %d" % seed

    def entropy(length: int, purpose: str) -> bytes:
        if purpose.startswith(SEEDED_PURPOSES):
            return hkdf_expand(key, purpose.encode(), length)
        return system_entropy(length, purpose)

    return entropy


@contextmanager
def service_of_event(name: str, seed: int, workers: int, *, is_kept: bool) -> Iterator[ServiceAddress]:
    """Run the service of the event known by `name`, provide its address, and remove its folder after the event.

    A killed command leaves the folder, and the next one for the event resumes there. With `is_kept` an interruption or
    failure leaves it as well. Raises `Finding` if another command plays the event.
    """
    folder = claim_folder(Path(tempfile.gettempdir()) / f"esporles-event-{os.getuid()}-{name}")
    try:
        wait_until_free(folder, STOPPING_SECONDS_MAX)
    except StoreBusy as busy:
        raise Finding(f"another command is simulating this tournament: {busy}") from busy
    token, is_over = secrets.token_urlsafe(32), False
    try:
        with service_in(folder, workers=workers, program=(MODULE, str(seed)), token=token) as started:
            yield ServiceAddress(started.socket, token)
        is_over = True
    finally:
        if is_over or not is_kept:
            shutil.rmtree(folder)


def claim_folder(folder: Path) -> Path:
    """Create the folder, which others could predict in a shared place; raise `Finding` unless we own it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise Finding(f"{folder} belongs to another user")
    return folder


def create_app(settings: Settings, seed: int, **parts: object) -> Any:
    """Create the application with the seed's chance."""
    return service.create_app(settings, entropy=entropy_of(seed), **parts)


def main(args: Sequence[str]) -> int:
    """Run the service process for `SEED service`, or the whole service for `SEED` and arguments of `esporles serve`."""
    seed, *rest = args
    if rest == [SERVICE]:
        return service.main(create_app, seed=int(seed))
    parser = ArgumentParser()
    parser.add_argument("--json", action="store_true")
    store_players(parser, load_players)
    serve_.arguments(parser)
    return serve_.run(parser.parse_args(rest), Programs((MODULE, seed, SERVICE)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
