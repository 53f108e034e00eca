"""The steps that the service must take for a tournament, and their due times."""

from collections.abc import Container
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from domain.contests import deadlines
from domain.contests.adjudication import BOTS_TIME
from domain.contests.alternates import Offers
from domain.contests.duties import AT_ONCE, DueStep
from domain.contests.notices import next_notice
from domain.tournaments.calendar import PAIRED_BEFORE
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.offers import offers_of
from domain.tournaments.state import Round, Tournament

Duty = Literal[
    "check_in",
    "announce",
    "pair",
    "publish",
    "open",
    "start",
    "remind",
    "expire",
    "adjudicate",
    "close",
    "ask",
    "offer",
]
"""A step that the service takes without an organiser."""


def duty_of(state: Tournament, ended_matches: Container[UUID]) -> Duty | None:
    """Return the step that is due first; None if the organiser or players must act, or the event has ended.

    `ended_matches` holds the ids of the finished matches of its tables, as first opened.
    """
    if state.status == "ended":
        return None
    duties = [*scheduled_duties(state), *duties_of_round(state, ended_matches)]
    return min(duties, key=lambda step: due_of(state, step) or AT_ONCE, default=None)


def next_step(state: Tournament, ended_matches: Container[UUID]) -> DueStep | None:
    """Return the step of `duty_of` with its time."""
    step = duty_of(state, ended_matches)
    return None if step is None else DueStep(step, due_of(state, step))


def duties_of_round(state: Tournament, ended_matches: Container[UUID]) -> list[Duty]:
    """Return the duties of the latest round, or of the next one; `ended_matches` holds the finished matches.

    Without `auto` in the plan rounds are not requested, published or closed, nor the first one without a start
    time; a failed pairing and edited tables wait for the organiser.
    """
    last = state.round
    if last is None:
        return ["ask"] if state.plan.auto and state.calendar.starts is not None else []
    if last.status == "asked":
        return ["pair"]
    if last.status == "published":
        return ["open"]
    if last.status == "opened":
        return duties_of_open_tables(state, last, is_played=last.is_played(ended_matches))
    if not state.plan.auto or last.status == "failed":
        return []
    if last.status == "proposed":
        # The organiser publishes tables that were edited by hand.
        return [] if last.edited else ["publish"]
    return ["ask"]


def duties_of_open_tables(state: Tournament, last: Round, *, is_played: bool) -> list[Duty]:
    """Return the duties of an open round: to close it once played, else to start, remind and expire its tables."""
    if is_played:
        return ["close"] if state.plan.auto else []
    duties: list[Duty] = [] if last.begun or state.plan.face_to_face else ["start"]
    if next_reminder(state, last) is not None:
        duties.append("remind")
    if is_running_out(state, last):
        duties.append("expire")
    if last.left_to_bots:
        duties.append("adjudicate")
    return duties


def scheduled_duties(state: Tournament) -> list[Duty]:
    """Return the duties that belong to no round: closing the check-in, the next announcement, offers."""
    duties: list[Duty] = []
    if state.calendar.check_in_closes is not None and not state.is_checked_in and not state.rounds:
        duties.append("check_in")
    if next_notice(state.notices) is not None:
        duties.append("announce")
    offers = event_offers(state)
    if offers is not None and offers.next_step() is not None:
        duties.append("offer")
    return duties


def event_offers(state: Tournament) -> Offers | None:
    """Return the offers of places to alternates; None without alternates in the plan.

    They close when the service pairs the next round.
    """
    last = state.round
    is_next = last is None or last.status == "closed"
    starts = state.calendar.round(1 if last is None else last.number + 1).starts
    is_known = state.plan.auto and (starts is not None or (is_next and last is not None))
    return offers_of(state, pairing_due(state, last) if is_known else None)


def is_running_out(state: Tournament, last: Round) -> bool:
    """Return whether the deadline of a round is still to be enforced, or tables are still undecided after it."""
    deadline = state.calendar.round(last.number).deadline
    return deadline is not None and (deadline != last.expired or last.undecided_until is not None)


def next_reminder(state: Tournament, last: Round) -> int | None:
    """Return the minutes before the deadline of the next reminder, or None.

    Reminders that fall before the opening of the tables are skipped; so are those given for this deadline.
    """
    deadline = state.calendar.round(last.number).deadline
    if deadline is None or last.waits_from is None:
        return None
    last_sent = last.reminded if last.reminded_of == deadline else None
    return deadlines.next_reminder(state.calendar.reminders, deadline, last.waits_from, last_sent)


def due_of(state: Tournament, step: str) -> datetime | None:
    """Return the earliest time of a step; None if it is due at once or does not apply."""
    last, calendar = state.round, state.calendar
    if step == "check_in":
        return calendar.check_in_closes
    if step == "announce":
        index = next_notice(state.notices)
        return None if index is None else state.notices[index].since
    if step == "start":
        return state.start_due
    if step == "offer":
        offers = event_offers(state)
        next_offer = None if offers is None else offers.next_step()
        return None if next_offer is None else next_offer.at
    if step == "ask":
        return pairing_due(state, last)
    if last is None:
        return None
    if step == "publish":
        return calendar.round(last.number).starts
    deadline = calendar.round(last.number).deadline
    if step == "adjudicate":
        return min(last.left_to_bots.values()) - BOTS_TIME
    if step == "expire":
        return last.undecided_until if deadline == last.expired else deadline
    if step == "remind" and deadline is not None and (minutes := next_reminder(state, last)) is not None:
        return deadline - timedelta(minutes=minutes)
    return None


def pairing_due(state: Tournament, last: Round | None) -> datetime | None:
    """Return when to pair the next round: `PAIRED_BEFORE` its start, but not before the check-in closes.

    A round without a start time is paired when the previous one is closed, after any break; None for the first
    one.
    """
    calendar = state.calendar
    starts = calendar.round(1 if last is None else last.number + 1).starts
    closed_at = None if last is None else last.closed_at
    if starts is not None:
        closes = calendar.check_in_closes if last is None else None
        return max(starts - PAIRED_BEFORE, closes or AT_ONCE)
    return None if closed_at is None else calendar.after_breaks(closed_at)


def require_due(state: Tournament, step: str, at: datetime) -> None:
    """Raise `TournamentRefused` if a step is not due yet."""
    due = due_of(state, step)
    if due is not None and at < due:
        raise TournamentRefused(f"the step {step!r} is not due before {due.isoformat()}")
