"""Where a match was played: on the service of its proof, or elsewhere before its log was imported there."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final
from uuid import UUID

from domain.matches.verification.tally import SignaturesShown

UNNAMED: Final = "where it was played: the opening names no service, so the log may have been imported"
IMPORTED: Final = (
    "where it was played: the service with the key {key} opened it, so entries 1 to {last} were not played on the "
    "service of this proof"
)
SHARED: Final = "where it was played: entries 1 to {last}, shared with a parent that this service lacks, were imported"


def origin_statements(
    signatures: SignaturesShown, is_own: Callable[[str], bool], entries: int, streams: Iterable[UUID | None]
) -> Iterator[str]:
    """Yield statements about an import, or about an opening that names no service.

    `is_own`: whether the service of the proof has or had a key; `entries`: the length of the log; `streams`: of the
    leaves of entries, None for the own match of an entry.
    """
    shared_count = sum(stream is not None for stream in streams)
    if shared_count:
        yield SHARED.format(last=shared_count)
    house = signatures.house
    if not house:
        yield UNNAMED
    elif not is_own(house):
        own = [entry for key, entry in signatures.services_from if is_own(key)]
        yield IMPORTED.format(key=house, last=min(own) - 1 if own else entries)
