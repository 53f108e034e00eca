"""Face-to-face tournaments of format 2 in a store, and records that its owner writes past every command."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid5

from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.pairing.methods import pair_round
from domain.proofs.event import EventReport, verify_event
from domain.standings.contest import Stage
from domain.tournaments import check_in, commands, registration, rounds, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.claims import claim
from domain.tournaments.facts import PairingAsked
from domain.tournaments.plan import Plan
from domain.tournaments.state import TOURNAMENT, Tournament
from domain.tournaments.steps import take_step
from domain.transparency.policy import policy_of_keys
from tests.domain.matches.match_helpers import ALL_TITLES, START
from tests.domain.proofs.match_proofs import WITNESS
from tests.domain.proofs.tournament_proofs import (
    CUP,
    PEOPLE,
    PLAN,
    SIGNER,
    Notary,
    appoint_officials,
    change_cup,
    close_cup_round,
    cup_file,
    cup_in,
    forged_records,
    house_in,
    open_cup,
)

Attack = Callable[[Matches], None]
HALL_PLAN: Final[Plan] = replace(PLAN, face_to_face=True, stages=(Stage("swiss", 1),))
WON: Final = ((9, 4), (1, 2))


def write(matches: Matches, *written: Any) -> None:
    """Append records as the owner of the store could: without a signature, and without any check."""
    matches.transact(lambda batch: batch.record(TOURNAMENT, CUP, *written, as_order=False), at=START)


def enter_results(matches: Matches, number: int) -> None:
    """Enter the result of every table, as the organiser; the first seat wins."""
    for table, _ in enumerate(cup_in(matches).rounds[-1].tables, 1):
        change_cup(
            matches,
            lambda state, at=table: [rounds.enter_result(state, number, at, *WON, "olga")],  # type: ignore[misc]
        )


def pair_next(matches: Matches, number: int) -> None:
    """Pair, publish and open a round as the organiser."""
    change_cup(matches, lambda state: rounds.ask_pairing(state, {}, "olga"))
    last = cup_in(matches).rounds[-1]
    pairing, why = pair_round(last.problem, last.way)
    change_cup(matches, lambda state: rounds.answer_pairing(state, number, pairing, why))
    change_cup(matches, lambda state: rounds.publish(state, number, {}, "olga"))
    change_cup(matches, lambda state: rounds.open_round(state, number))


def play_hall(
    folder: Path,
    plan: Plan = HALL_PLAN,
    *,
    opener: str = "olga",
    keyed: bool = True,
    entered: Attack = lambda _: None,
    opened: Attack = lambda _: None,
    scored: Attack = lambda _: None,
    ended: Attack = lambda _: None,
    is_closed: bool = True,
    format: int = 2,
) -> Matches:
    """Play a round whose organiser signs, with attacks after the entries, the opening, the results and the end."""
    matches = house_in(folder)
    appoint_officials(matches, keyed=keyed)
    open_cup(matches, plan, opener, format=format)
    for person in PEOPLE:
        who = {"name": person} if plan.face_to_face else {"actor": person}
        change_cup(matches, partial(registration.enter, by="olga" if plan.face_to_face else person, **who))  # type: ignore[arg-type]
    entered(matches)
    pair_next(matches, 1)
    opened(matches)
    if plan.face_to_face:
        enter_results(matches, 1)
    scored(matches)
    if is_closed:
        close_cup_round(matches, 1)
    ended(matches)
    return matches


def play_console_ruling(folder: Path) -> Matches:
    """Play a tournament of the console, which rules on a table of the first round during the second."""
    matches = play_hall(folder, replace(HALL_PLAN, stages=(Stage("swiss", 2),)), opener=SERVICE, keyed=False)
    pair_next(matches, 2)
    change_cup(matches, lambda state: rounds.rule_table(state, 1, 1, *WON, "a late protest", SERVICE))
    enter_results(matches, 2)
    close_cup_round(matches, 2)
    return matches


def draw_another_lot(state: Tournament) -> PairingAsked:
    """Ask for the pairing of the next round by another lot than the first."""
    return rounds.ask_pairing(state, {}, SERVICE, again=1)


def change_ranks(state: Tournament) -> PairingAsked:
    """Ask for the pairing of the next round by another rank of the first player than the results give."""
    asked = rounds.ask_pairing(state, {}, SERVICE)
    first, *others = asked.problem.entrants
    return replace(asked, problem=replace(asked.problem, entrants=(replace(first, rank=9), *others)))


def play_console_pairing(folder: Path, ask: Callable[[Tournament], PairingAsked] = draw_another_lot) -> Matches:
    """Play an automatic tournament of the console, which draws the second round otherwise than the rule."""
    matches = play_hall(folder, replace(AUTO_PLAN, cap=0), opener=SERVICE, keyed=False)
    change_cup(matches, ask)
    last = cup_in(matches).rounds[-1]
    pairing, why = pair_round(last.problem, last.way)
    change_cup(matches, lambda state: rounds.answer_pairing(state, 2, pairing, why))
    change_cup(matches, lambda state: rounds.publish(state, 2, {}, SERVICE))
    change_cup(matches, lambda state: rounds.open_round(state, 2))
    enter_results(matches, 2)
    close_cup_round(matches, 2)
    return matches


def report_on(matches: Matches, notary: Notary | None = None) -> EventReport:
    """Return the report on the tournament of a store, with the standings that its owner states."""
    return verify_event(
        b"".join(cup_file(matches, notary)), titles=ALL_TITLES, trust=policy_of_keys((SIGNER.key, WITNESS.key))
    )


def fault_in(matches: Matches, notary: Notary | None = None) -> str:
    """Return why the tournament of a store is INVALID, or an empty string."""
    fault = report_on(matches, notary).fault
    return "" if fault is None else fault.why


def forge(matches: Matches, kind: str, change: Callable[[Any], Any], at: int = 1) -> Notary:
    """Return the notary of an owner who changes the first (second, …) record of a kind, and chains the others again."""
    records = matches.streams.records(CUP)
    version = [each.version for each in records if each.tag == f"tournament.{kind}"][at - 1]
    return Notary(matches, instead=forged_records(records, version, change))


CLOSES: Final = START + timedelta(hours=1)
DEADLINE: Final = START + timedelta(hours=9)
AUTO_PLAN: Final = replace(HALL_PLAN, auto=True, cap=5, seed=3, stages=(Stage("swiss", 2),))
CALENDAR: Final = Calendar(
    check_in_opens=START,
    check_in_closes=CLOSES,
    rounds=(RoundTime(CLOSES + timedelta(hours=1)), RoundTime(None, DEADLINE)),
    consequence="lots",
)


def take(matches: Matches, step: str, at: datetime) -> None:
    """Take an automatic step of the service."""
    commands.change(matches, CUP, lambda state: take_step(state, {}, step), at=at)


def pair_automatically(matches: Matches, number: int, at: datetime, starts: datetime) -> None:
    """Pair, publish and open a round as the service."""
    take(matches, "ask", at)
    last = cup_in(matches).rounds[-1]
    pairing, why = pair_round(last.problem, last.way)
    commands.change(matches, CUP, lambda state: rounds.answer_pairing(state, number, pairing, why), at=at)
    take(matches, "publish", starts)
    take(matches, "open", starts)


def play_automatic(folder: Path, plan: Plan = AUTO_PLAN) -> Matches:
    """Play two rounds whose steps the service takes alone, after the organiser has entered six players.

    One player misses the check-in, so a waiting player gets the place. The second round is decided at its deadline.
    """
    matches = house_in(folder, None)
    appoint_officials(matches)
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    change_cup(matches, lambda state: timing.set_calendar(state, CALENDAR, "olga", ""))
    for name in (*PEOPLE, "eve", "fay"):
        change_cup(matches, partial(registration.enter, by="olga", name=name))
    for entry in ("e1", "e2", "e4", "e5", "e6"):
        change_cup(matches, partial(check_in.check_in, name=entry, by="olga", at=START))
    take(matches, "check_in", CLOSES)
    pair_automatically(matches, 1, CLOSES + timedelta(minutes=50), CLOSES + timedelta(hours=1))
    later = CLOSES + timedelta(hours=2)
    for table in (1, 2):
        claim_table(matches, 1, table, later)
    take(matches, "close", later)
    pair_automatically(matches, 2, later, later)
    claim_table(matches, 2, 1, later)
    timing.expire(matches, CUP, {}, (), at=DEADLINE)
    take(matches, "close", DEADLINE)
    return matches


def claim_table(matches: Matches, number: int, table: int, at: datetime) -> None:
    """Let both players of a table claim that the first has won."""
    for entry in cup_in(matches).rounds[-1].tables[table - 1].entries:
        key = uuid5(CUP, f"{number} {entry}")
        decide = partial(claim, number=number, table=table, entry=entry, scores=(9, 4), places=(1, 2), key=key)
        commands.change(matches, CUP, decide, at=at)
