"""A tournament whose only round was decided by lot, at a table that had started and at one that had not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from domain.contests.adjudication import BotLines
from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.aggregate import legal_actions
from domain.matches.facts import Table
from domain.matches.seats.luck_shares import share_commitment
from domain.standings.contest import Stage
from domain.tournaments import commands, registration, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.deadline_facts import DeadlineExtended, TableLeftToBots
from domain.tournaments.facts import ResultRuled
from domain.tournaments.state import TOURNAMENT
from tests.domain.matches.match_helpers import START
from tests.domain.proofs.tournament_proofs import (
    CUP,
    PEOPLE,
    PLAN,
    Notary,
    appoint_officials,
    change_cup,
    close_cup_round,
    compute_claims,
    cup_file,
    forged_records,
    house_in,
    log_in,
    open_next_round,
    tables_of,
)

DEADLINE: Final = START + timedelta(hours=2)
LATER: Final = "2027-01-01T00:00:00Z"
SHARE: Final = b"\x07" * 32
FALSE: Final[Sequence[tuple[dict[str, Any], str]]] = (
    ({"places": [2, 1]}, "not the consequence of the deadline"),
    ({"overdue": [0]}, "not the consequence of the deadline"),
    ({"overdue": None, "drawn": True}, "it has begun, so lots do not decide it"),
)
"""False rulings on the first table of `overdue_cup`."""


LINES: Final = BotLines("bot:search-quick@5", ((5, 1), (2, 2), (9, 3), (1, 4), (3, 8)))
WRONG_LINES: Final[Sequence[tuple[dict[str, Any], str]]] = (
    ({"places": [2, 1]}, "not the outcome of a table that was left to bots"),
    ({"scores": [4, 3]}, "not the outcome of a table that was left to bots"),
    ({"lines": [[5, 1], [2, 2], [9, 3]]}, "not the outcome of a table that was left to bots"),
    ({"lines": [[5], [2], [9], [1], [3]]}, "not the outcome of a table that was left to bots"),
    ({"lines": None}, "2026-"),
    ({"bot": None}, "2026-"),
)
"""False rulings on the first table of `bots_cup`; without lines or a bot they are too early."""


def drawn_cup(folder: Path) -> Matches:
    """Play the tournament unsigned, so that only the lots contradict a forgery."""
    matches = house_in(folder, None)
    appoint_officials(matches, keyed=False)
    plan = replace(PLAN, table=Table(public=True), stages=(Stage("swiss", 1),))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=bring_shares)
    calendar = Calendar(rounds=(RoundTime(None, DEADLINE),), consequence="lots")
    change_cup(matches, lambda state: timing.set_calendar(state, calendar, "olga", "So."))
    timing.expire(matches, CUP, {}, (), at=DEADLINE)
    close_cup_round(matches, 1)
    return matches


def bring_shares(matches: Matches, match_id: UUID) -> None:
    """Let the first table start with its players' shares.

    At the second table both players commit to a share, but only the first opens it.
    """
    is_first = match_id == tables_of(matches, 1)[0]
    actors = [info.actor or "" for info in matches.get(match_id).seats]
    for seat, actor in enumerate(actors):
        fixed = share_commitment(match_id, seat, actor, SHARE, SHARE)
        matches.commit_share(match_id, seat, actor, at=START, share_commitment=fixed)
    for seat, actor in enumerate(actors if is_first else actors[:1]):
        matches.ready(match_id, seat, actor, at=START, share=SHARE.hex(), salt=SHARE.hex())


def ruled_versions(cup: Matches) -> list[int]:
    """Return the records that decided a table by lot."""
    records = cup.streams.records(CUP)
    return [each.version for each in records if isinstance(TOURNAMENT.read(each), ResultRuled)]


def overdue_cup(folder: Path) -> Matches:
    """Play the tournament unsigned: after an extension, one table has an overdue seat, and the other has not begun."""
    matches = house_in(folder, None)
    appoint_officials(matches, keyed=False)
    plan = replace(PLAN, table=Table(public=True), stages=(Stage("swiss", 1),))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=bring_shares)
    match = matches.get(tables_of(matches, 1)[0])
    actor = match.seats[0].actor
    assert actor is not None
    matches.act(match.id, 0, actor, legal_actions(match, 0)[0], expected_version=match.version, at=START)
    calendar = Calendar(rounds=(RoundTime(None, DEADLINE),), consequence="overdue", extension_days=1)
    change_cup(matches, lambda state: timing.set_calendar(state, calendar, "olga", "So."))
    for at in (DEADLINE, DEADLINE + timedelta(days=1)):
        timing.expire(matches, CUP, {}, (), at=at)
    close_cup_round(matches, 1)
    return matches


def bots_cup(folder: Path) -> Matches:
    """Play the tournament unsigned: bots play on at one table after the deadline, and the other has not begun."""
    matches = house_in(folder, None)
    appoint_officials(matches, keyed=False)
    plan = replace(PLAN, table=Table(public=True), stages=(Stage("swiss", 1),))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1, comes=bring_shares)
    calendar = Calendar(rounds=(RoundTime(None, DEADLINE),), consequence="bots")
    change_cup(matches, lambda state: timing.set_calendar(state, calendar, "olga", "So."))
    timing.expire(matches, CUP, {}, (), at=DEADLINE)
    timing.adjudicate(matches, CUP, 1, 1, LINES, at=DEADLINE)
    close_cup_round(matches, 1)
    return matches


def left_version(cup: Matches) -> int:
    """Return the record that left a table to bots."""
    records = cup.streams.records(CUP)
    return next(each.version for each in records if isinstance(TOURNAMENT.read(each), TableLeftToBots))


def forge(cup: Matches, version: int, **values: Any) -> list[bytes]:
    """Return a file in which the service records other values; None: it omits the field."""

    def change(body: dict[str, Any]) -> None:
        for name, value in values.items():
            if value is None:
                body.pop(name)
            else:
                body[name] = value

    records = forged_records(cup.streams.records(CUP), version, change)
    return cup_file(cup, Notary(cup, instead=records))


def extended_version(cup: Matches) -> int:
    """Return the record that extended the deadline."""
    records = cup.streams.records(CUP)
    return next(each.version for each in records if isinstance(TOURNAMENT.read(each), DeadlineExtended))


def swap_places(cup: Matches, version: int) -> list[bytes]:
    """Return a file in which the service swaps the places of a table."""

    def change(body: dict[str, Any]) -> None:
        body["places"] = [3 - place for place in body["places"]]

    records = forged_records(cup.streams.records(CUP), version, change)
    return cup_file(cup, Notary(cup, instead=records))


def without_match(cup: Matches) -> list[bytes]:
    """Return a file without the match that determines the lots of the second table."""
    first, _ = tables_of(cup, 1)
    return Notary(cup).event(compute_claims(cup), [log_in(cup, first)])
