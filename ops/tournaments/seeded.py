"""The service of a simulated event: the luck of its matches follows from the seed of the event.

`esporles tournament simulate` runs it on a folder of its own, where nobody but bots plays. Killed and started again on
that folder it goes on, and the event comes out as it would have otherwise. No setting makes the service of a house so.
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
from ops.door import ServiceAddress
from ops.players import give_players, load_players
from ops.supervisor import Programs, wait_until_free
from ops.throwaway import service_in
from projections.platform.settings import Settings

MODULE: Final = "ops.tournaments.seeded"
SERVICE: Final = "service"
FROM_THE_SEED: Final = ("seed/", "secret/ids")
"""What the event depends on: luck, and the ids that go into it. Tokens and all else nobody can guess."""
STOPPING_SECONDS_MAX: Final = 30.0
"""The service of a killed command has stopped by then; its processes stop one after the other."""


def entropy_of(seed: int) -> Entropy:
    """Bytes that follow from the seed where the event depends on them, and fresh ones elsewhere."""
    key = b"esporles simulated event %d" % seed

    def entropy(length: int, purpose: str) -> bytes:
        if purpose.startswith(FROM_THE_SEED):
            return hkdf_expand(key, purpose.encode(), length)
        return system_entropy(length, purpose)

    return entropy


@contextmanager
def service_of_event(name: str, seed: int, workers: int, *, is_kept: bool) -> Iterator[ServiceAddress]:
    """The service of the event that is known by `name`. Its folder is removed when the event is over; a killed command
    leaves it, and the next one for that event goes on there. `is_kept`: one that is interrupted or fails leaves it,
    too."""
    folder = claim_folder(Path(tempfile.gettempdir()) / f"esporles-event-{os.getuid()}-{name}")
    try:
        wait_until_free(folder, STOPPING_SECONDS_MAX)
    except StoreBusy as busy:
        raise Finding(f"another command plays this event: {busy}") from busy
    token, is_over = secrets.token_urlsafe(32), False
    try:
        with service_in(folder, workers=workers, program=(MODULE, str(seed)), token=token) as started:
            yield ServiceAddress(started.socket, token)
        is_over = True
    finally:
        if is_over or not is_kept:
            shutil.rmtree(folder)


def claim_folder(folder: Path) -> Path:
    """A folder of one's own in a place that others share, and whose names they may foresee."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise Finding(f"{folder} is not a folder of yours")
    return folder


def create_app(settings: Settings, seed: int, **parts: object) -> Any:
    """The application of the product with the luck of the seed."""
    return service.create_app(settings, entropy=entropy_of(seed), **parts)


def main(words: Sequence[str]) -> int:
    """`SEED service` is the process that serves, `SEED` and the words of `esporles serve` all of them."""
    seed, *others = words
    if others == [SERVICE]:
        return service.main(create_app, seed=int(seed))
    parser = ArgumentParser()
    parser.add_argument("--json", action="store_true")
    give_players(parser, load_players)
    serve_.arguments(parser)
    return serve_.run(parser.parse_args(others), Programs((MODULE, seed, SERVICE)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
