"""The store of people, opened by a console command; the service may run beside it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from api.accounts.people import People
from ops.console import Finding, WrongUsage
from projections.platform.database import DatabaseAway
from projections.platform.migrations.schema import StoreTooNew
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings


def has_people(settings: Settings) -> bool:
    """Whether the service has kept people: at a server it is asked, a file is there or not."""
    return settings.people_file is None or settings.people_file.exists()


def require_tree(settings: Settings) -> None:
    """`Finding` where a service has never kept a tree in the folder; at a server it is asked."""
    if settings.tree_file is not None and not settings.tree_file.exists():
        raise Finding(f"there is no tree at {settings.tree_file}: the service has not run there")


@contextmanager
def open_people(settings: Settings) -> Iterator[People]:
    """The people until the end of the block; `Finding` when a later version of the service has written them."""
    try:
        settings.require_moved()
        people = People(settings.people_place)
    except BadSetting as error:
        raise WrongUsage(str(error)) from error
    except (DatabaseAway, StoreTooNew) as error:
        raise Finding(str(error)) from error
    with closing(people):
        yield people
