"""Access of console commands to the store of accounts, also while the service runs."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from api.accounts.people import People
from ops.console import Finding, WrongUsage
from projections.platform.database import DatabaseUnavailable
from projections.platform.migrations.schema import StoreTooNew
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings


def has_people(settings: Settings) -> bool:
    """Return whether a store of accounts exists; True for a server, where a query will tell."""
    return settings.people_file is None or settings.people_file.exists()


def require_tree(settings: Settings) -> None:
    """Raise `Finding` if the data folder has no transparency tree; a server is not checked."""
    if settings.tree_file is not None and not settings.tree_file.exists():
        raise Finding(f"no tree at {settings.tree_file}: the service has never run there")


@contextmanager
def open_people(settings: Settings) -> Iterator[People]:
    """Open the accounts, creating a missing database and upgrading an older one; close them after the context.

    Raises `Finding` if the database cannot be reached or a later version of the service wrote it, `WrongUsage` if a
    server is set for data that is still in the folder.
    """
    try:
        settings.require_data_moved()
        people = People(settings.people_place)
    except BadSetting as error:
        raise WrongUsage(str(error)) from error
    except (DatabaseUnavailable, StoreTooNew) as error:
        raise Finding(str(error)) from error
    with closing(people):
        try:
            yield people
        except BadSetting as error:
            raise WrongUsage(str(error)) from error
