"""Records that the owner of the store writes into a tournament of format 2, and why verifiers refuse them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.tournaments import facts
from domain.tournaments.invitation_facts import PersonInvited
from tests.domain.proofs.halls import Attack, write
from tests.domain.proofs.tournament_proofs import cup_in

NO_RULE: Final = "the service cannot decide this"
OVER: Final = "after the end only a correction"
UNSIGNED: Final = "'olga' must sign as an official"
STRANGER: Final = "'zoe' was not an organiser"


def writing(*written: Any) -> Attack:
    return lambda matches: write(matches, *written)


def generous(matches: Matches, by: str) -> facts.PlanChanged:
    """Return a plan by which a bye is worth more than any win."""
    plan = cup_in(matches).plan
    return facts.PlanChanged(by, replace(plan, scoring=replace(plan.scoring, bye=60_000)))


ATTACKS: Final[Mapping[str, Attack]] = {
    "plan": lambda matches: write(matches, generous(matches, SERVICE)),
    "plan by the organiser": lambda matches: write(matches, generous(matches, "olga")),
    "plan by zoe": lambda matches: write(matches, generous(matches, "zoe")),
    "result ruled": writing(facts.ResultRuled(SERVICE, 1, 1, (2, 1), (4, 9), "So.")),
    "result entered": writing(facts.ResultEntered(SERVICE, 1, 1, (4, 9), (2, 1))),
    "result withdrawn": writing(facts.ResultWithdrawn(SERVICE, 1, 1)),
    "penalty": writing(facts.PenaltyGiven(SERVICE, "e1", 720, "So.")),
    "withdrawal": writing(facts.EntryWithdrawn(SERVICE, "e1", "So.")),
    "withdrawal by the organiser": writing(facts.EntryWithdrawn("olga", "e1", "So.")),
    "withdrawal by nobody": writing(facts.EntryWithdrawn("", "e1", "So.")),
    "absence": writing(facts.NoShowNoted(SERVICE, 1, "e1", reason="So.")),
    "entry": writing(facts.EntryMade(SERVICE, "e9", name="Zoe")),
    "entry by zoe": writing(facts.EntryMade("zoe", "e9", name="Zoe")),
    "substitute": writing(facts.SubstituteNamed(SERVICE, 1, "e1", "zoe", "So.")),
    "substitute by zoe": writing(facts.SubstituteNamed("zoe", 1, "e1", "zoe", "So.")),
    "pairs": writing(facts.PairsSet(SERVICE, (("e1", "e2"),))),
    "invitation": writing(PersonInvited(SERVICE, "zoe", entry="e1", round=1)),
    "closing": writing(facts.RoundClosed(SERVICE, 1)),
    "end": writing(facts.TournamentEnded(SERVICE)),
}

BEFORE_THE_END: Final = [
    ("plan", NO_RULE),
    ("plan by the organiser", UNSIGNED),
    ("plan by zoe", STRANGER),
    ("result ruled", "no deadline of this table has passed"),
    ("result entered", "its players have not agreed"),
    ("result withdrawn", NO_RULE),
    ("penalty", NO_RULE),
    ("withdrawal", NO_RULE),
    ("withdrawal by the organiser", UNSIGNED),
    ("withdrawal by nobody", "'' was not an organiser"),
    ("absence", NO_RULE),
    ("entry", NO_RULE),
    ("entry by zoe", STRANGER),
    ("substitute", NO_RULE),
    ("substitute by zoe", STRANGER),
    ("pairs", NO_RULE),
    ("invitation", NO_RULE),
    ("closing", "automatic rounds"),
    ("end", "only after the closing"),
]
AFTER_THE_END: Final = [
    ("plan", OVER),
    ("plan by the organiser", OVER),
    ("withdrawal", OVER),
    ("result ruled", "is closed, not opened"),
    ("penalty", NO_RULE),
]
LEAVING_OPEN: Final = frozenset({"result withdrawn", "closing", "end"})
"""Attacks after which the round is not closed in these tests."""

Change = Callable[[Any], Any]


def leave_out_first(body: Any) -> None:
    """Leave the first player out of a pairing problem."""
    body["problem"]["entrants"].pop(0)


NOT_PLANNED: Final = "not the problem that entries and plan give"
AUTOMATIC: Final[list[tuple[str, Change, str]]] = [
    ("entry_withdrawn", lambda body: body.update(entry="e4"), "a record about e. must follow"),
    ("entry_promoted", lambda body: body.update(entry="e5"), "a record about e. must follow"),
    ("pairing_asked", leave_out_first, NOT_PLANNED),
    ("pairing_asked", lambda body: body["problem"].update(seed=5), NOT_PLANNED),
    ("pairing_asked", lambda body: body.update(way="tables"), NOT_PLANNED),
    ("pairing_asked", lambda body: body.update(stage=1), "stage 1 does not follow"),
    ("pairing_proposed", lambda body: body.update(byes=[]), "every player needs one table"),
    ("round_published", lambda body: body.update(by="zoe"), STRANGER),
    ("round_published", lambda body: body.update(round=2), "there is no round 2"),
    ("result_claimed", lambda body: body.update(places=[2, 1]), "have not agreed"),
    ("result_entered", lambda body: body.update(places=[2, 1]), "have not agreed"),
    ("result_entered", lambda body: body.update(table=2), "have not agreed"),
    ("result_ruled", lambda body: body["places"].reverse(), "is not the consequence of the deadline"),
    ("result_ruled", lambda body: body.update(table=1), "no deadline of this table has passed"),
    ("round_closed", lambda body: body.update(by="olga"), UNSIGNED),
    ("tournament_ended", lambda body: body.update(by="zoe"), STRANGER),
]
"""Changes of one record of an automatic tournament. Each also changes the lots at its end."""
