"""The service's stores for console commands, opened while the service is stopped."""

import os
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from api.transparency.beginnings import begin_tree
from api.transparency.log_keys import secrets_of, service_key
from domain.eventstore.application import Matches
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.eventstore.writer_lock import OWNER_FOLDER_MODE, StoreBusy, writer_lock
from domain.kernel.component_data import DataFault
from domain.kernel.title import Titles
from domain.keys.commands import keys_of
from domain.matches.data_files import register_data_folder
from domain.signatures.acts import ServiceKey
from domain.titles import TITLES
from ops.accounts import has_people, open_people
from ops.console import Finding, WrongUsage
from ops.players import players_of
from projections.follow import lag
from projections.leaves import TreeLeaves
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings, variables
from projections.platform.store import ReadStore

FOLLOWED_SECONDS_MAX: Final = 300.0
LOOK_SECONDS: Final = 0.1


def settings_for(data: Path | None, titles: Titles = TITLES) -> Settings:
    """Return the settings of this environment, for the given data folder if any, and register its deck files.

    Raises `WrongUsage` for a bad setting or deck file.
    """
    environment = dict(os.environ) | ({} if data is None else variables(data=data))
    try:
        settings = Settings.from_environment(environment)
        register_data_folder(settings.data, titles)
    except (BadSetting, DataFault) as error:
        raise WrongUsage(str(error)) from error
    return settings


def read_settings(arguments: Namespace) -> Settings:
    """Return the settings for a command's arguments; raise `WrongUsage` for a bad setting or deck file."""
    return settings_for(getattr(arguments, "data", None), players_of(arguments).titles)


@contextmanager
def open_matches(settings: Settings, titles: Titles = TITLES, *, to_write: bool) -> Iterator[Matches]:
    """Open the matches of the store, and close them after the context; to write, with the service's key.

    To write, a missing log is created together with its tree. Raises `Finding` if a log file to be read is missing, or
    if another process writes to it when this one is to write.
    """
    file = settings.log_file
    if file is not None and not file.exists() and not to_write:
        raise Finding(f"no log at {file}")
    with ExitStack() as stack:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER_MODE)
            if to_write:
                try:
                    stack.enter_context(writer_lock(file.parent))
                except StoreBusy as busy:
                    raise Finding(f"{busy}, and does not respond on its private socket") from busy
        signer = stack.enter_context(load_service_key(settings)) if to_write else None
        # Tampered streams are refused and reported when they are requested.
        leaves = TreeLeaves(settings.tree_place, report=lambda _: None)
        stack.callback(leaves.close)
        env = store_env(settings.log_place, settings.log_partitions)
        matches = open_store(env, titles=titles, service_key=signer, guard=leaves)
        matches.dependencies.keys_of = keys_of
        stack.callback(matches.close)
        if to_write:
            begin_tree(settings, matches)
        yield matches


def wait_until_followed(settings: Settings, seconds: float = FOLLOWED_SECONDS_MAX) -> None:
    """Wait until the followers of the running service have processed the current log, on which read models depend.

    Raises `Finding` if they are still behind after `seconds`, or if there are none.
    """
    with open_matches(settings, to_write=False) as matches:
        last = matches.last_position()
    read_store = ReadStore(settings.reads_url)
    with closing(read_store):
        deadline = time.monotonic() + seconds
        while not (lags := lag(read_store, last)) or max(lags.values()) > 0:
            if time.monotonic() > deadline:
                late_text = (
                    ", ".join(f"{name} {entries}" for name, entries in lags.items() if entries > 0) or "no follower"
                )
                raise Finding(f"the read models are behind the log after {seconds:.0f} s: {late_text}")
            time.sleep(LOOK_SECONDS)


@contextmanager
def load_service_key(settings: Settings) -> Iterator[ServiceKey | None]:
    """Provide the service's signing key, so that commands sign in its name; None if the service has not run here.

    Raises `Finding` or `WrongUsage` as `open_people`.
    """
    if not has_people(settings):
        yield None
        return
    with open_people(settings) as people:
        yield service_key(secrets_of(people, settings))
