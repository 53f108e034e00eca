"""What organisers of a league decide, for everybody to read: each act with who did it, when and why, and its line in
the trail."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.kernel.values import Value
from domain.leagues import facts
from domain.leagues.invited import InvitedTo, PlayerInvited
from domain.leagues.plan import LeagueRefused
from domain.leagues.state import LEAGUE, League, Ruled
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Record, Stream
from domain.matches.transaction import Transaction
from domain.roles.audit import EventActed
from domain.roles.commands import acted, keep_in_trail


class LeagueAct(Value, frozen=True, kw_only=True, omit_defaults=True):
    """An act of an organiser: `version` is that of its record, `season` the number of the season it is about (0: none),
    `group` counted from 1. `was`: the word about the table in whose place it comes; `late`: after the deadline of its
    round. `players` are those of the table by seat, or whose place it is; `actor` plays for it from the round on."""

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
    was: Ruled | None = None
    late: bool = False
    deadline: datetime | None = None
    was_deadline: datetime | None = None
    actor: Actor = ""
    sixtieths: int = 0


KINDS: Final[dict[type[Any], str]] = {
    facts.LeaguePlanChanged: "plan_changed",
    facts.PlayerLeft: "entry_withdrawn",
    facts.SeasonDrawn: "season_drawn",
    facts.RoundOpened: "round_opened",
    facts.DeadlineMoved: "deadline_moved",
    PlayerInvited: "person_invited",
    facts.SubstituteNamed: "substitute_named",
    facts.ResultEntered: "result_entered",
    facts.FixtureRuled: "result_ruled",
    facts.PenaltyGiven: "penalty_given",
    facts.SeasonClosed: "season_closed",
}
"""The facts that are acts, where an organiser is responsible for them."""
REASONED: Final[dict[type[Any], str]] = {
    facts.LeaguePlanChanged: "another plan of a league whose groups have been drawn",
    facts.PlayerLeft: "the withdrawal of somebody else",
    facts.DeadlineMoved: "another deadline",
    PlayerInvited: "a substitute",
    facts.SubstituteNamed: "a substitute",
    facts.ResultEntered: "a result after the deadline, or in the place of another,",
    facts.FixtureRuled: "a ruling",
    facts.PenaltyGiven: "a penalty",
}
"""The acts that have a reason."""


def act_kind(state: League, fact: facts.Fact, at: datetime) -> str | None:
    """What kind of act a fact of that time is, before it is taken; none where nobody decided anything about others:
    what people do about their own place, the first result of a table in its time, and what the service does by itself.
    What has a reason it never does by itself: there it is the word of whoever works at its console."""
    kind = KINDS.get(type(fact)) if fact.by != SERVICE or type(fact) in REASONED else None
    if isinstance(fact, facts.PlayerLeft) and fact.actor == fact.by:
        return None
    if isinstance(fact, PlayerInvited) and not fact.to.seat:
        return None
    if isinstance(fact, facts.ResultEntered) and not fact.reason and not is_late(state, fact, at):
        return None
    return kind


def is_own_word(state: League, fact: facts.Fact) -> bool:
    """Return whether an act uses no role: an account accepts to be a substitute."""
    if not isinstance(fact, facts.SubstituteNamed) or fact.by != fact.actor:
        return False
    to = InvitedTo(len(state.seasons), fact.group, fact.place, fact.from_round)
    return state.invitations.is_open_for_seat(fact.actor, to.seat)


def is_late(state: League, fact: facts.ResultEntered, at: datetime) -> bool:
    """The result comes after the deadline of its round, or in the place of another word about its table."""
    return is_past(state, fact.round, at) or word_about(state, fact) is not None


def is_past(state: League, turn: int, at: datetime) -> bool:
    return state.seasons[-1].deadlines[turn - 1] < at


def word_about(state: League, fact: facts.ResultEntered | facts.FixtureRuled) -> Ruled | None:
    """What held of the table by the organiser's word before."""
    return state.seasons[-1].groups[fact.group].ruling(fact.round, fact.table)


def require_reason(state: League, fact: facts.Fact, at: datetime) -> None:
    """Refused where an organiser decides about others without saying why."""
    if type(fact) not in REASONED or act_kind(state, fact, at) is None:
        return
    if isinstance(fact, facts.LeaguePlanChanged) and not any(season.groups for season in state.seasons):
        return
    if not reason_of(fact).strip():
        raise LeagueRefused(f"{REASONED[type(fact)]} needs a reason")


def reason_of(fact: facts.Fact) -> str:
    return str(getattr(fact, "reason", ""))


def act_of(state: League, record: Record, fact: facts.Fact) -> LeagueAct | None:
    """The act that a record is, if it is one; `state` is the league before it."""
    kind = act_kind(state, fact, record.timestamp)
    if kind is None:
        return None
    told: dict[str, Any] = {}
    if isinstance(fact, facts.ResultEntered | facts.FixtureRuled):
        group = state.seasons[-1].groups[fact.group]
        told = {"group": fact.group + 1, "round": fact.round, "table": fact.table, "was": word_about(state, fact)}
        told |= {"players": group.players_at(fact.round, fact.table), "scores": fact.scores, "places": fact.places}
        told |= {"late": is_past(state, fact.round, record.timestamp)}
        told |= {"void": isinstance(fact, facts.FixtureRuled) and fact.void}
    elif isinstance(fact, facts.SubstituteNamed):
        place = state.seasons[-1].groups[fact.group].places[fact.place]
        told = {"group": fact.group + 1, "round": fact.from_round, "players": (place.actor,), "actor": fact.actor}
    elif isinstance(fact, PlayerInvited):
        place = state.seasons[-1].groups[fact.to.group].places[fact.to.place]
        told = {"group": fact.to.group + 1, "round": fact.to.from_round, "players": (place.actor,), "actor": fact.actor}
    elif isinstance(fact, facts.PenaltyGiven):
        place = state.seasons[-1].groups[fact.group].places[fact.place]
        told = {"group": fact.group + 1, "players": (place.actor,), "sixtieths": fact.sixtieths}
    elif isinstance(fact, facts.DeadlineMoved):
        before = state.seasons[-1].deadlines[fact.round - 1]
        told = {"round": fact.round, "deadline": fact.deadline, "was_deadline": before}
    elif isinstance(fact, facts.RoundOpened):
        told = {"round": fact.round, "deadline": fact.deadline}
    elif isinstance(fact, facts.PlayerLeft):
        told = {"players": (fact.actor,)}
    return LeagueAct(
        version=record.version,
        at=record.timestamp,
        by=fact.by,
        kind=kind,
        reason=reason_of(fact),
        season=0 if isinstance(fact, facts.LeaguePlanChanged) else len(state.seasons),
        **told,
    )


def keep(
    batch: Transaction, league_id: UUID, decided: Sequence[facts.Fact], *, expected_version: int | None = None
) -> Stream[League]:
    """These facts are added to a league, and each that is an act to the audit trail, in one transaction; one without
    the reason it needs is refused."""
    state, told = batch.get(LEAGUE, league_id).state, list[EventActed]()
    # All at once, because orders that come together are signed together.
    found = batch.record(LEAGUE, league_id, *decided, expected_version=expected_version)
    records = [event for event in batch.events if isinstance(event, Record) and event.stream_id == league_id]
    for record, fact in zip(records[len(records) - len(decided) :], decided, strict=True):
        require_reason(state, fact, batch.at)
        if (kind := act_kind(state, fact, batch.at)) is not None and not is_own_word(state, fact):
            told.append(acted(batch, fact.by, league_id, kind, record.version, reason_of(fact)))
        state = LEAGUE.evolve(state, record, fact)
    if told:
        keep_in_trail(batch, *told)
    return found
