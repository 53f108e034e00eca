"""Acts of league organisers: public decisions with author, time and reason, each with a line in the audit trail."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.kernel.values import Value
from domain.leagues import facts
from domain.leagues.contest_facts import AbsencesStated, AlternateListed, AlternateRemoved
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import ManualResult
from domain.leagues.state import LEAGUE, League
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Record, Stream
from domain.matches.transaction import Transaction
from domain.roles.audit import EventActed
from domain.roles.commands import append_to_trail, audit_fact


class LeagueAct(Value, frozen=True, kw_only=True, omit_defaults=True):
    """An act of a league organiser.

    `version`: the version of its record. `season`: number of the season, 0 for none. `group` counts from 1. `was`: the
    manual result that this act replaces. `late`: after the round's deadline. `players`: those at the table by seat, or
    the holder of the place, for whom `actor` plays from the round on.
    """

    version: int
    at: datetime
    by: Actor
    kind: str
    reason: str = ""
    season: int = 0
    group: int = 0
    round: int = 0
    table: int = 0
    players: tuple[Actor, ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    void: bool = False
    was: ManualResult | None = None
    late: bool = False
    deadline: datetime | None = None
    was_deadline: datetime | None = None
    actor: Actor = ""
    sixtieths: int = 0


KINDS: Final[dict[type[Any], str]] = {
    facts.LeaguePlanChanged: "plan_changed",
    facts.PlayerLeft: "entry_withdrawn",
    facts.DrawChanged: "draw_changed",
    facts.SeasonDrawn: "season_drawn",
    facts.RoundOpened: "round_opened",
    facts.DeadlineMoved: "deadline_moved",
    facts.TableLeftToBots: "left_to_bots",
    PlayerInvited: "person_invited",
    facts.PlayerEntered: "entry_made",
    facts.SubstituteNamed: "substitute_named",
    facts.ResultEntered: "result_entered",
    facts.FixtureRuled: "result_ruled",
    facts.PrizesSet: "prizes_set",
    facts.PenaltyGiven: "penalty_given",
    AbsencesStated: "absences_stated",
    AlternateListed: "alternate_listed",
    AlternateRemoved: "alternate_removed",
    facts.SeasonClosed: "season_closed",
}
"""Names of the facts that are acts when an organiser is responsible for them."""
REASONED: Final[dict[type[Any], str]] = {
    facts.LeaguePlanChanged: "a change of the plan after the draw",
    facts.PlayerLeft: "the withdrawal of another player",
    facts.DrawChanged: "a change of the draw",
    facts.DeadlineMoved: "a new deadline",
    facts.TableLeftToBots: "a table that is left to bots",
    PlayerInvited: "a substitute",
    facts.SubstituteNamed: "a substitute",
    facts.ResultEntered: "a late or corrected result",
    facts.FixtureRuled: "a ruling",
    facts.PenaltyGiven: "a penalty",
    AbsencesStated: "an absence of another player",
    AlternateListed: "a change of the alternates",
    AlternateRemoved: "a change of the alternates",
}
"""Acts that need a reason, with the subject for the error message."""


ABOUT_PERSON: Final = (AbsencesStated, AlternateListed, AlternateRemoved)
"""Facts that are acts only if another person records them."""


def act_kind(state: League, fact: facts.Fact, at: datetime) -> str | None:
    """Return the kind of act that a fact at this time is, given the state before it; None if it is no act.

    No acts are: changes by people to their place, the first result of a table in time, and automatic steps of the
    service. An act with a reason is never automatic: under the service's name it was entered at the console.
    """
    kind = KINDS.get(type(fact)) if author_of(fact) != SERVICE or type(fact) in REASONED else None
    if isinstance(fact, facts.PlayerLeft) and fact.actor == fact.by:
        return None
    if isinstance(fact, ABOUT_PERSON) and fact.player == fact.by:
        return None
    if isinstance(fact, PlayerInvited | facts.PlayerEntered) and not is_exceptional(fact):
        return None
    if isinstance(fact, facts.ResultEntered) and not fact.reason and not is_late(state, fact, at):
        return None
    return kind


def is_exceptional(fact: PlayerInvited | facts.PlayerEntered) -> bool:
    """Return whether an organiser offers a place of a group, or gives a reason to let someone in."""
    return fact.reason != "" or (isinstance(fact, PlayerInvited) and fact.to.seat != "")


def author_of(fact: facts.Fact) -> Actor:
    """Return the author of a fact; the service, if the fact names none."""
    return getattr(fact, "by", SERVICE)


def needs_no_role(state: League, fact: facts.Fact) -> bool:
    """Return whether an act uses no role: an account accepts its open invitation to be a substitute."""
    if not isinstance(fact, facts.SubstituteNamed) or fact.by != fact.actor:
        return False
    to = InvitedTo(len(state.seasons), fact.group, fact.place, fact.from_round)
    return state.invitations.is_open_for_seat(fact.actor, to.seat)


def is_late(state: League, fact: facts.ResultEntered, at: datetime) -> bool:
    """Return whether a result is entered after the deadline of its round, or replaces another."""
    return is_past(state, fact.round, at) or manual_result(state, fact) is not None


def is_past(state: League, round_number: int, at: datetime) -> bool:
    """Return whether the deadline of a round is over."""
    return state.seasons[-1].deadlines[round_number - 1] < at


def manual_result(state: League, fact: facts.ResultEntered | facts.FixtureRuled) -> ManualResult | None:
    """Return the manual result of the table before the fact, or None."""
    return state.seasons[-1].groups[fact.group].ruling(fact.round, fact.table)


def require_reason(state: League, fact: facts.Fact, at: datetime) -> None:
    """Raise `LeagueRefused` if an act needs a reason and the fact has none.

    A change of the plan needs one only after the first draw.
    """
    if type(fact) not in REASONED or act_kind(state, fact, at) is None:
        return
    if isinstance(fact, facts.LeaguePlanChanged) and not any(season.groups for season in state.seasons):
        return
    if not reason_of(fact).strip():
        raise LeagueRefused(f"{REASONED[type(fact)]} needs a reason")


def reason_of(fact: facts.Fact) -> str:
    """Return the reason stated in a fact, or an empty string."""
    return str(getattr(fact, "reason", ""))


def act_of(state: League, record: Record, fact: facts.Fact) -> LeagueAct | None:
    """Return the act in a record, with its details such as the former result; None if the fact is no act.

    `state` is the league before the record. A change of the plan has season 0, all other acts the latest.
    """
    kind = act_kind(state, fact, record.timestamp)
    if kind is None:
        return None
    details: dict[str, Any] = {}
    if isinstance(fact, facts.ResultEntered | facts.FixtureRuled):
        group = state.seasons[-1].groups[fact.group]
        details = {"group": fact.group + 1, "round": fact.round, "table": fact.table, "was": manual_result(state, fact)}
        details |= {"players": group.players_at(fact.round, fact.table), "scores": fact.scores, "places": fact.places}
        details |= {"late": is_past(state, fact.round, record.timestamp)}
        details |= {"void": isinstance(fact, facts.FixtureRuled) and fact.void}
    elif isinstance(fact, facts.SubstituteNamed):
        place = state.seasons[-1].groups[fact.group].places[fact.place]
        details = {"group": fact.group + 1, "round": fact.from_round, "players": (place.actor,), "actor": fact.actor}
    elif isinstance(fact, facts.PlayerEntered) or (isinstance(fact, PlayerInvited) and not fact.to.seat):
        details = {"players": (fact.actor,)}
    elif isinstance(fact, PlayerInvited):
        place = state.seasons[-1].groups[fact.to.group].places[fact.to.place]
        details = {
            "group": fact.to.group + 1,
            "round": fact.to.from_round,
            "players": (place.actor,),
            "actor": fact.actor,
        }
    elif isinstance(fact, facts.PenaltyGiven):
        place = state.seasons[-1].groups[fact.group].places[fact.place]
        details = {"group": fact.group + 1, "players": (place.actor,), "sixtieths": fact.sixtieths}
    elif isinstance(fact, facts.DeadlineMoved):
        before = state.seasons[-1].deadlines[fact.round - 1]
        details = {"round": fact.round, "deadline": fact.deadline, "was_deadline": before}
    elif isinstance(fact, facts.TableLeftToBots):
        players = state.seasons[-1].groups[fact.group].players_at(fact.round, fact.table)
        details = {"group": fact.group + 1, "round": fact.round, "table": fact.table, "players": players}
    elif isinstance(fact, facts.RoundOpened):
        details = {"round": fact.round, "deadline": fact.deadline}
    elif isinstance(fact, facts.PlayerLeft):
        details = {"players": (fact.actor,)}
    elif isinstance(fact, ABOUT_PERSON):
        details = {"players": (fact.player,)}
    return LeagueAct(
        version=record.version,
        at=record.timestamp,
        by=author_of(fact),
        kind=kind,
        reason=reason_of(fact),
        season=0 if isinstance(fact, facts.LeaguePlanChanged) else len(state.seasons),
        **details,
    )


def record_acts(
    batch: Transaction, league_id: UUID, new_facts: Sequence[facts.Fact], *, expected_version: int | None = None
) -> Stream[League]:
    """Record facts of a league, and an audit line for each act that uses a role, in one transaction.

    Raise `LeagueRefused` if a required reason is missing, `StaleVersion` unless the league is at
    `expected_version`.
    """
    state, acts = batch.get(LEAGUE, league_id).state, list[EventActed]()
    # Record all facts at once, because orders that arrive together are signed together.
    stream = batch.record(LEAGUE, league_id, *new_facts, expected_version=expected_version)
    records = [event for event in batch.events if isinstance(event, Record) and event.stream_id == league_id]
    for record, fact in zip(records[len(records) - len(new_facts) :], new_facts, strict=True):
        require_reason(state, fact, batch.at)
        if (kind := act_kind(state, fact, batch.at)) is not None and not needs_no_role(state, fact):
            acts.append(audit_fact(batch, author_of(fact), league_id, kind, record.version, reason_of(fact)))
        state = LEAGUE.evolve(state, record, fact)
    if acts:
        append_to_trail(batch, *acts)
    return stream
