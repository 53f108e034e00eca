"""The store of people, opened by a console command; the service may run beside it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from api.accounts.people import People
from api.accounts.schema import StoreTooNew
from ops.console import Finding
from projections.settings import Settings


@contextmanager
def open_people(settings: Settings) -> Iterator[People]:
    """The people until the end of the block; `Finding` when a later version of the service has written them."""
    try:
        people = People(settings.people_path)
    except StoreTooNew as error:
        raise Finding(str(error)) from error
    with closing(people):
        yield people
