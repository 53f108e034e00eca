"""The service's stores, opened by a console command while the service does not run."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from api.settings import BadSetting, Settings
from domain.kernel.component_data import DataFault
from domain.matches.application import Matches
from domain.matches.lock import StoreBusy, writer_lock
from domain.matches.shelves import install
from domain.matches.store import store_env
from ops.console import Finding, WrongUsage


def settings_for(data: Path | None) -> Settings:
    """The settings of this environment, for the data folder of the command line if it names one."""
    environment = dict(os.environ) | ({} if data is None else {"ESPORLES_DATA": str(data)})
    try:
        settings = Settings.from_environment(environment)
        install(settings.data)
    except (BadSetting, DataFault) as error:
        raise WrongUsage(str(error)) from error
    return settings


@contextmanager
def opened_matches(settings: Settings, *, to_write: bool) -> Iterator[Matches]:
    """The matches of the store; with an SQLite file, only one process may write."""
    file = settings.log_file
    if file is not None and not file.exists() and not to_write:
        raise Finding(f"there is no log at {file}")
    with ExitStack() as stack:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            if to_write:
                try:
                    stack.enter_context(writer_lock(file.parent))
                except StoreBusy as busy:
                    raise Finding(f"{busy}, and it does not answer at its private socket") from busy
        matches = Matches(store_env(file or settings.store_url))
        stack.callback(matches.close)
        yield matches
