"""Matches under retired versions of the rules: finding them, and voiding them with a notice."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.errors import Tampered
from domain.matches.facts import SERVICE
from domain.matches.log.entries import Entry
from domain.matches.play.commands import void
from domain.matches.transaction import MatchReader, MatchWriter

BATCH: Final = 1_000

Progress = Callable[[int], None]
"""Callback for the log position reached."""


def find_retired(matches: MatchReader, on_position: Progress = lambda _: None) -> Iterator[Match]:
    """Yield every match with retired rules that is not over, by id.

    The whole log is read first; `on_position` is called after each batch. Tampered matches are skipped, because nothing
    can be appended to them.
    """
    match_ids, position = set[UUID](), 0
    while page := matches.read_log_items(position, BATCH):
        match_ids |= {item.originator_id for _, item in page if isinstance(item, Entry)}
        position = page[-1][0]
        on_position(position)
    for match_id in sorted(match_ids):
        with suppress(Tampered):
            match = matches.get(match_id)
            if match.is_retired and not match.is_over:
                yield match


def void_retired(matches: MatchWriter, match: Match, *, at: datetime) -> Match:
    """Void a match with retired rules; its log states the reason."""
    newest = match.definition.rules.RULES_VERSION
    old = match.rules_version
    reason = f"The match uses version {old} of the rules, which is no longer supported. The current one is {newest}."
    return matches.transact(lambda batch: batch.append(match.id, lambda current: void(current, SERVICE, reason)), at=at)
