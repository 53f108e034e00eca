"""Matches that were begun under a version of the rules that is played no more: found, and voided with a notice."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.matches.aggregate import Match
from domain.matches.errors import Tampered
from domain.matches.facts import SERVICE
from domain.matches.log.entries import Entry
from domain.matches.play.playing import void
from domain.matches.transaction import MatchReader, MatchWriter

BATCH: Final = 1_000

Progress = Callable[[int], None]
"""Is told the position of the log that has been reached."""


def find_retired(matches: MatchReader, on_position: Progress = lambda _: None) -> Iterator[Match]:
    """Every match whose rules are retired and that is not over: running, paused, or waiting for players. One that was
    changed in the store is passed over: nothing can be appended to it."""
    seen, position = set[UUID](), 0
    while found := matches.happenings(position, BATCH):
        seen |= {happening.originator_id for _, happening in found if isinstance(happening, Entry)}
        position = found[-1][0]
        on_position(position)
    for match_id in sorted(seen):
        with suppress(Tampered):
            match = matches.get(match_id)
            if match.is_retired and not match.is_over:
                yield match


def void_retired(matches: MatchWriter, match: Match, *, at: datetime) -> Match:
    """The match is voided; its log says why."""
    newest = match.definition.rules.RULES_VERSION
    reason = f"The rules are played in version {newest} now; this match was begun under version {match.rules_version}."
    return matches.transact(lambda batch: batch.append(match.id, lambda line: void(line, SERVICE, reason)), at=at)
