"""The state of a league: an immutable value, evolved by facts."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from domain.contests.notices import Notice
from domain.contests.people import ContestPeople, people_after
from domain.kernel.values import Value, replace
from domain.leagues import facts
from domain.leagues.contest_facts import SHARED, SharedFact
from domain.leagues.invitation_facts import (
    WHOLE_LEAGUE,
    InvitationDeclined,
    InvitationWithdrawn,
    InvitedTo,
    LeagueInvitations,
    PlayerInvited,
    scopes_in,
)
from domain.leagues.plan import LeaguePlan, with_original_defaults
from domain.leagues.season_state import (
    GroupPlace,
    Holder,
    LeagueGroup,
    ManualResult,
    RoundClock,
    Season,
    SeasonEntry,
    TableWithBots,
)
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.log.records import Kind, Record


class League(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a league."""

    id: UUID
    organiser: Actor
    opened_at: datetime
    plan: LeaguePlan
    seasons: tuple[Season, ...] = ()
    invitations: LeagueInvitations = LeagueInvitations()
    notices: tuple[Notice, ...] = ()
    people: ContestPeople = ContestPeople()

    @property
    def players(self) -> frozenset[Actor]:
        """The people who entered the latest season, or have held a place in it; no bots."""
        if self.season is None:
            return frozenset()
        entrants = {each.actor for each in self.season.entered}
        places = [place for group in self.season.groups for place in group.places]
        holder_actors = {holder.actor for place in places for holder in place.holders}
        return frozenset(actor for actor in entrants | holder_actors if not is_bot(actor))

    def has_accepted(self, actor: Actor, season: int) -> bool:
        """Return whether an account itself entered a season, or took a place in it.

        Entries made by others, as older versions allowed, count for results and ratings but not as consent.
        """
        return self.invitations.has_accepted(actor, InvitedTo(season).scope)

    @property
    def season(self) -> Season | None:
        """The latest season, or None."""
        return self.seasons[-1] if self.seasons else None


def match_of(league_id: UUID, season: int, group: int, round_number: int, table: int) -> UUID:
    """Return the id of the match at a table (counted from 1, the group from 0), known before it is opened."""
    return uuid5(league_id, f"{season}/{group}/{round_number}/{table}")


def replace_season(state: League, **changes: object) -> League:
    """Return the state with the latest season changed."""
    return replace(state, seasons=(*state.seasons[:-1], replace(state.seasons[-1], **changes)))


def replace_clock(state: League, round_number: int, **changes: object) -> League:
    """Return the state with the clock of an open round of the latest season changed."""
    clocks, at = state.seasons[-1].clocks, round_number - 1
    return replace_season(state, clocks=(*clocks[:at], replace(clocks[at], **changes), *clocks[at + 1 :]))


def replace_group(state: League, number: int, change: Callable[[LeagueGroup], LeagueGroup]) -> League:
    """Return the state with one group of the latest season changed."""
    groups = state.seasons[-1].groups
    return replace_season(state, groups=(*groups[:number], change(groups[number]), *groups[number + 1 :]))


def league_plan_changed(state: League, _: Record, fact: facts.LeaguePlanChanged) -> League:
    """Apply a plan; see `with_original_defaults`."""
    return replace(state, plan=with_original_defaults(fact.plan))


def player_invited(state: League, _: Record, fact: PlayerInvited) -> League:
    """Apply an invitation."""
    return replace(state, invitations=state.invitations.with_new(fact))


def invitation_declined(state: League, _: Record, fact: InvitationDeclined) -> League:
    """Apply a declined invitation."""
    return replace(state, invitations=state.invitations.with_refusal(fact))


def invitation_withdrawn(state: League, _: Record, fact: InvitationWithdrawn) -> League:
    """Apply a withdrawn invitation."""
    return replace(state, invitations=state.invitations.with_closed(fact))


def season_opened(state: League, _: Record, fact: facts.SeasonOpened) -> League:
    """Apply the opening of a season."""
    number = len(state.seasons) + 1
    season = Season(
        number=number,
        name=fact.name,
        starts=fact.starts,
        entry_closes=fact.entry_closes,
        prizes=state.seasons[-1].prizes if state.seasons else (),
    )
    return replace(state, seasons=(*state.seasons, season))


def prizes_set(state: League, _: Record, fact: facts.PrizesSet) -> League:
    """Apply the prizes of a division."""
    season = state.seasons[-1]
    count = max(len(season.prizes), fact.division + 1)
    changed = [season.prizes_of(number) for number in range(count)]
    changed[fact.division] = fact.prizes
    return replace_season(state, prizes=tuple(changed))


def season_postponed(state: League, _: Record, fact: facts.SeasonPostponed) -> League:
    """Apply a postponement."""
    return replace_season(state, starts=fact.starts, entry_closes=fact.entry_closes)


def player_entered(state: League, _: Record, fact: facts.PlayerEntered) -> League:
    """Apply an entry to the latest season; it accepts the player's invitations to the season and the league."""
    state = replace_season(
        state, entered=(*state.seasons[-1].entered, SeasonEntry(fact.actor, fact.seeding, fact.waiting, fact.club_id))
    )
    targets, scopes = (InvitedTo(len(state.seasons)).target, WHOLE_LEAGUE.target), scopes_in(len(state.seasons))
    return replace(state, invitations=state.invitations.with_entry(fact.by, fact.actor, targets, scopes))


def player_promoted(state: League, _: Record, fact: facts.PlayerPromoted) -> League:
    """Apply a place for a waiting player."""
    entered = (
        replace(entry, waiting=False) if entry.actor == fact.actor else entry for entry in state.seasons[-1].entered
    )
    return replace_season(state, entered=tuple(entered))


def player_left(state: League, _: Record, fact: facts.PlayerLeft) -> League:
    """Apply a departure: before the draw the entry is removed, later the place waits for a substitute."""
    season = state.seasons[-1]
    if season.status == "registering":
        remaining = tuple(entry for entry in season.entered if entry.actor != fact.actor)
        return replace_season(state, entered=remaining)
    location = season.of_actor(fact.actor)
    assert location is not None, "only a player with a place can leave it"
    departed = (fact.actor,) if fact.by == fact.actor else ()
    is_annulling = season.plan is not None and season.plan.withdrawal == "annul"

    def change(group: LeagueGroup) -> LeagueGroup:
        is_early = is_annulling and 2 * season.rounds_opened < len(group.rounds)
        annulled = (*group.annulled, location[1]) if is_early else group.annulled
        return replace(group, left=(*group.left, fact.actor), gone=(*group.gone, *departed), annulled=annulled)

    return replace_group(state, location[0], change)


def draw_proposed(state: League, _: Record, fact: facts.DrawProposed | facts.DrawChanged) -> League:
    """Apply a proposed draw, or a change of it."""
    return replace_season(state, proposed=fact.groups)


def season_drawn(state: League, record: Record, fact: facts.SeasonDrawn) -> League:
    """Apply a draw: the season runs with these groups and the plan of the draw."""
    groups = tuple(
        LeagueGroup(
            group.division, tuple(GroupPlace((Holder(actor),)) for actor in group.players), group.rounds, group.built
        )
        for group in fact.groups
    )
    return replace_season(
        state,
        status="running",
        groups=groups,
        proposed=(),
        plan=with_original_defaults(fact.plan),
        drawn_at=record.timestamp,
    )


def round_opened(state: League, record: Record, fact: facts.RoundOpened) -> League:
    """Apply the opening of a round."""
    season = state.seasons[-1]
    clocks = (*season.clocks, RoundClock(record.timestamp, fact.deadline))
    return replace_season(state, deadlines=(*season.deadlines, fact.deadline), clocks=clocks)


def players_reminded(state: League, _: Record, fact: facts.PlayersReminded) -> League:
    """Apply a reminder."""
    return replace_clock(state, fact.round, reminded=fact.minutes, reminded_of=fact.deadline)


def deadline_passed(state: League, _: Record, fact: facts.DeadlinePassed) -> League:
    """Apply an enforced deadline."""
    return replace_clock(state, fact.round, expired=fact.deadline, undecided_until=fact.until)


def deadline_moved(state: League, _: Record, fact: facts.DeadlineMoved) -> League:
    """Apply a new deadline."""
    deadlines = list(state.seasons[-1].deadlines)
    deadlines[fact.round - 1] = fact.deadline
    return replace_season(state, deadlines=tuple(deadlines))


def table_left_to_bots(state: League, _: Record, fact: facts.TableLeftToBots) -> League:
    """Apply that bots play on at a table."""
    table = TableWithBots((fact.group, fact.round, fact.table), fact.until)
    return replace_season(state, left_to_bots=(*state.seasons[-1].left_to_bots, table))


def result_given(state: League, fact: facts.FixtureRuled | facts.ResultEntered, result: ManualResult) -> League:
    """Apply a result given by hand; bots no longer play on at the table."""
    key = (fact.group, fact.round, fact.table)
    others = tuple(each for each in state.seasons[-1].left_to_bots if each.key != key)
    state = replace_season(state, left_to_bots=others)
    return replace_group(state, fact.group, lambda group: replace(group, ruled=(*group.ruled, result)))


def substitute_named(state: League, _: Record, fact: facts.SubstituteNamed) -> League:
    """Apply a substitute."""
    holder = Holder(fact.actor, fact.from_round, fact.reason, is_substitute=True)
    to = InvitedTo(len(state.seasons), fact.group, fact.place, fact.from_round)
    scopes = scopes_in(len(state.seasons))
    if fact.by != SERVICE or not is_bot(fact.actor):
        # An invited substitute may still accept a place from the service's bot; an alternate has accepted an offer.
        by = fact.actor if fact.by == SERVICE else fact.by
        state = replace(state, invitations=state.invitations.with_seat(by, fact.actor, to.seat, scopes))

    def change(group: LeagueGroup) -> LeagueGroup:
        place = group.places[fact.place]
        changed = place.with_temporary(holder, fact.until) if fact.until else place.with_holder(holder)
        if fact.until:
            return replace(group, places=(*group.places[: fact.place], changed, *group.places[fact.place + 1 :]))
        remaining_left = tuple(actor for actor in group.left if actor != place.actor)
        places = (*group.places[: fact.place], changed, *group.places[fact.place + 1 :])
        gone = tuple(actor for actor in group.gone if actor != fact.actor)
        return replace(group, places=places, left=remaining_left, gone=gone)

    return replace_group(state, fact.group, change)


def fixture_ruled(state: League, _: Record, fact: facts.FixtureRuled) -> League:
    """Apply a ruling."""
    result = ManualResult(fact.round, fact.table, fact.places, fact.scores, fact.void, fact.by, fact.reason)
    return result_given(state, fact, result)


def result_entered(state: League, _: Record, fact: facts.ResultEntered) -> League:
    """Apply an unverified result."""
    result = ManualResult(
        fact.round, fact.table, fact.places, fact.scores, False, fact.by, fact.reason, unverified=True
    )
    return result_given(state, fact, result)


def penalty_given(state: League, _: Record, fact: facts.PenaltyGiven) -> League:
    """Apply a penalty: add it to the penalties of the place."""

    def change(group: LeagueGroup) -> LeagueGroup:
        place = group.places[fact.place]
        penalised = replace(place, penalty=place.penalty + fact.sixtieths)
        return replace(group, places=(*group.places[: fact.place], penalised, *group.places[fact.place + 1 :]))

    return replace_group(state, fact.group, change)


def import_noted(state: League, _: Record, fact: facts.ImportNoted) -> League:
    """Apply an import."""
    return replace_season(state, imports=(*state.seasons[-1].imports, fact.digest))


def season_closed(state: League, record: Record, _: facts.SeasonClosed) -> League:
    """Apply the closing of a season."""
    return replace_season(state, status="closed", closed_at=record.timestamp)


def league_announced(state: League, record: Record, fact: facts.LeagueAnnounced) -> League:
    """Apply an announcement."""
    return replace(state, notices=(*state.notices, Notice(record.timestamp, fact.by, fact.text)))


def people_changed(state: League, record: Record, fact: SharedFact) -> League:
    """Apply a fact that tournaments share."""
    return replace(state, people=people_after(state.people, fact, record.timestamp))


EVOLVE: Final[dict[type[Any], Callable[[League, Record, Any], League]]] = {
    facts.LeaguePlanChanged: league_plan_changed,
    PlayerInvited: player_invited,
    InvitationDeclined: invitation_declined,
    InvitationWithdrawn: invitation_withdrawn,
    facts.SeasonOpened: season_opened,
    facts.SeasonPostponed: season_postponed,
    facts.PrizesSet: prizes_set,
    facts.PlayerEntered: player_entered,
    facts.PlayerPromoted: player_promoted,
    facts.PlayerLeft: player_left,
    facts.DrawProposed: draw_proposed,
    facts.DrawChanged: draw_proposed,
    facts.SeasonDrawn: season_drawn,
    facts.RoundOpened: round_opened,
    facts.DeadlineMoved: deadline_moved,
    facts.PlayersReminded: players_reminded,
    facts.DeadlinePassed: deadline_passed,
    facts.TableLeftToBots: table_left_to_bots,
    facts.SubstituteNamed: substitute_named,
    facts.FixtureRuled: fixture_ruled,
    facts.ResultEntered: result_entered,
    facts.PenaltyGiven: penalty_given,
    facts.ImportNoted: import_noted,
    facts.SeasonClosed: season_closed,
    facts.LeagueAnnounced: league_announced,
    **dict.fromkeys(SHARED, people_changed),
}


def evolve(state: League | None, record: Record, fact: facts.Fact) -> League:
    """Return the league after one more record; never refuses one."""
    if isinstance(fact, facts.LeagueOpened):
        return League(
            id=record.stream_id, organiser=fact.by, opened_at=record.timestamp, plan=with_original_defaults(fact.plan)
        )
    assert state is not None, "a league begins with its opening"
    return EVOLVE[type(fact)](state, record, fact)


LEAGUE: Final[Kind[facts.Fact, League]] = Kind("league", facts.Fact, evolve)
