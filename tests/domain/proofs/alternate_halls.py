"""An automatic tournament with alternates, and changes of its records that do not follow."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from domain.contests.absences import Absences
from domain.contests.alternates import AlternateRule
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.standings.contest import Stage
from domain.tournaments import alternates, availability, commands, registration, timing
from domain.tournaments.plan import Plan
from domain.tournaments.steps import take_offer_step
from tests.domain.matches.match_helpers import START
from tests.domain.proofs.away_halls import AWAY_PLAN, HOUR, TIMES
from tests.domain.proofs.hall_attacks import Change
from tests.domain.proofs.halls import enter_results, pair_automatically, take
from tests.domain.proofs.tournament_proofs import CUP, appoint_officials, change_cup, cup_in, house_in

MINUTE: Final = HOUR / 60
PLAN: Final[Plan] = replace(
    AWAY_PLAN, alternates=AlternateRule(hours=1), withdrawal="substitute", stages=(Stage("swiss", 3),)
)


def offer(matches: Matches, at: datetime) -> None:
    """Take the step of the service that makes and ends offers."""
    commands.change(matches, CUP, lambda state: take_offer_step(state, {}, at), at=at)


def answer(matches: Matches, player: str, place: str, number: int, at: datetime, *, accepted: bool) -> None:
    """Answer an offer."""
    decide = partial(alternates.answer_offer, player=player, place=place, number=number, at=at, accepted=accepted)
    commands.change(matches, CUP, lambda state: (decide(state),), at=at)


def away(matches: Matches, entry: str, *rounds: int) -> None:
    """State the absence of an entry, as the organiser."""
    stated = Absences(rounds)
    change_cup(matches, lambda state: availability.state_absences(state, entry, stated, "olga", START, "They wrote."))


def play_round(matches: Matches, number: int) -> None:
    """Play a round by the calendar."""
    starts = TIMES.round(number).starts
    assert starts is not None, "the calendar names the round"
    pair_automatically(matches, number, starts - HOUR / 6, starts)
    enter_results(matches, number)
    take(matches, "close", starts + HOUR)


def play_with_alternates(folder: Path) -> Matches:
    """Play rounds in which zoe plays for e1, who is away, and then for e2, who has left."""
    matches = house_in(folder, None)
    appoint_officials(matches)
    commands.open_tournament(matches, CUP, PLAN, "olga", at=START)
    change_cup(matches, lambda state: timing.set_calendar(state, TIMES, "olga", ""))
    for name in ("ann", "bob", "cat", "dan", "eve"):
        change_cup(matches, partial(registration.enter, by="olga", name=name))
    for player, strength in (("zoe", 5), ("yan", 9)):
        decide = partial(alternates.list_alternate, by=player, player=player, strength=strength)
        commands.change(matches, CUP, decide, at=START)
    away(matches, "e1", 1)
    offer(matches, START + MINUTE)
    answer(matches, "yan", "e1", 1, START + 2 * MINUTE, accepted=False)
    offer(matches, START + 3 * MINUTE)
    answer(matches, "zoe", "e1", 1, START + 4 * MINUTE, accepted=True)
    play_round(matches, 1)
    between = START + 2 * HOUR + MINUTE
    away(matches, "e3", 2)
    offer(matches, between)
    away(matches, "e3")
    offer(matches, between + MINUTE)
    change_cup(matches, lambda state: registration.withdraw(state, "e2", "olga", "She is ill."))
    commands.change(
        matches, CUP, lambda state: (alternates.remove_alternate(state, "yan", "yan"),), at=between + 2 * MINUTE
    )
    offer(matches, between + 3 * MINUTE)
    answer(matches, "zoe", "e2", 2, between + 4 * MINUTE, accepted=True)
    play_round(matches, 2)
    play_round(matches, 3)
    assert cup_in(matches).status == "ended"
    return matches


def change(**fields: Any) -> Change:
    """Return a change of fields that a record has."""

    def apply(body: dict[str, Any]) -> None:
        body.update(fields)

    return apply


NOT_NEXT: Final = "the place is not vacant, or another alternate is the next one"
NOT_OFFERED: Final = "no place is offered to"
ALTERNATES: Final[list[tuple[str, int, Change, str]]] = [
    ("place_offered", 1, change(player="zoe"), NOT_NEXT),
    ("place_offered", 1, change(place="e2"), NOT_NEXT),
    ("place_offered", 1, change(place="e9"), "there is no entry 'e9'"),
    ("place_offered", 1, change(until=3), NOT_NEXT),
    ("place_offered", 1, change(ends="2030-01-01T00:00:00Z"), "the offer has another end than the plan gives"),
    ("place_offered", 1, change(by="zoe"), "'zoe' was not an organiser"),
    ("offer_answered", 1, change(by="zoe"), "'zoe' was not an organiser"),
    ("offer_answered", 2, change(player="yan", by="yan"), NOT_OFFERED),
    ("offer_answered", 2, change(place="e4"), NOT_OFFERED),
    ("offer_lapsed", 1, change(place="e4"), NOT_OFFERED),
    ("alternate_listed", 2, change(by="zoe"), "'zoe' was not an organiser"),
    ("alternate_removed", 1, change(by="zoe"), "'zoe' was not an organiser"),
    ("substitute_named", 1, change(actor="yan"), "a record about e1 must follow"),
    ("substitute_named", 2, change(entry="e4"), "a record about e2 must follow"),
    ("alternate_listed", 2, change(strength=1), "invalid signature"),
]
"""Changes of the first, second, … record of a kind of `play_with_alternates`, and the reason of the refusal."""
