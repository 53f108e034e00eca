"""An automatic tournament whose players state when they are away, and changes of its records that do not follow."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from domain.contests.absences import Absences, Period
from domain.contests.times import RoundTime
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.standings.contest import Stage
from domain.tournaments import availability, commands, registration, timing
from domain.tournaments.calendar import Calendar
from domain.tournaments.contest_facts import AbsencesStated
from domain.tournaments.plan import Plan
from tests.domain.matches.match_helpers import START
from tests.domain.proofs.hall_attacks import NOT_PLANNED, UNSIGNED, Change, leave_out_first
from tests.domain.proofs.halls import AUTO_PLAN, enter_results, pair_automatically, take
from tests.domain.proofs.tournament_proofs import CUP, appoint_officials, change_cup, cup_in, house_in

HOUR: Final = timedelta(hours=1)
TIMES: Final = Calendar(
    rounds=tuple(RoundTime(START + (2 * at + 1) * HOUR, START + (2 * at + 2) * HOUR) for at in range(4))
)
AWAY_PLAN: Final[Plan] = replace(AUTO_PLAN, cap=0, stages=(Stage("swiss", 2), Stage("final", 1, cut=2)))
LEAGUE_PLAN: Final[Plan] = replace(AWAY_PLAN, stages=(Stage("round_robin"),))


def play_with_absences(folder: Path, plan: Plan = AWAY_PLAN) -> Matches:
    """Play rounds in which e1 and e2 are away, by number and by date, and all five are away in the third."""
    matches = house_in(folder, None)
    appoint_officials(matches)
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    change_cup(matches, lambda state: timing.set_calendar(state, TIMES, "olga", ""))
    for name in ("ann", "bob", "cat", "dan", "eve"):
        change_cup(matches, partial(registration.enter, by="olga", name=name))
    second = Period(START + 3 * HOUR, START + 3.5 * HOUR)
    for entry, away in (("e1", Absences((1, 3))), ("e2", Absences((3,), (second,))), ("e3", Absences((3,)))):
        change_cup(
            matches,
            lambda state, entry=entry, away=away: (  # type: ignore[misc]
                availability.state_absences(state, entry, away, "olga", START, "They wrote.")
            ),
        )
    while cup_in(matches).status != "ended":
        number = len(cup_in(matches).rounds) + 1
        starts = TIMES.round(number).starts or START + 9 * HOUR
        pair_automatically(matches, number, starts - HOUR / 6, starts)
        enter_results(matches, number)
        take(matches, "close", starts + HOUR)
    return matches


NOON: Final = "2030-01-02T12:00:00Z"
FIELDS: Final = ("type", *AbsencesStated.__struct_fields__)


def state(**fields: Any) -> Change:
    """Return a change of fields of a statement, in the order of a record."""

    def change(body: dict[str, Any]) -> None:
        changed = body | fields
        body.clear()
        body.update({name: changed[name] for name in FIELDS if name in changed})

    return change


AWAY: Final[list[tuple[str, int, Change, str]]] = [
    ("pairing_asked", 1, leave_out_first, NOT_PLANNED),
    ("pairing_asked", 2, leave_out_first, NOT_PLANNED),
    ("absences_stated", 1, lambda body: body.update(rounds=[2]), "signature"),
    ("absences_stated", 1, lambda body: body.update(by="zoe"), "'zoe' was not an organiser"),
    ("absences_stated", 1, lambda body: body.pop("signed"), UNSIGNED),
    ("absences_stated", 1, state(season=3), "a tournament has no season 3"),
    ("absences_stated", 1, state(player="e9"), "there is no entry 'e9'"),
    ("absences_stated", 1, state(periods=[{"starts": NOON, "ends": NOON}]), "does not end after its start"),
    ("no_show_noted", 1, lambda body: body.update(entry="e4"), "a record about e. must follow"),
    ("no_show_noted", 1, lambda body: body.update(reason="So."), "a record about e. must follow"),
]
"""Changes of the first, second, … record of a kind of `play_with_absences`, and the reason of the refusal."""
