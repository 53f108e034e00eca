"""Commands about leagues, as pure functions that return the facts to record."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from domain.contests.alternates import stand_in
from domain.contests.conditions import Entrant
from domain.contests.entry_clubs import choose_club
from domain.contests.times import RoundTime
from domain.contests.waiting_list import has_place, next_from_list
from domain.kernel.texts import fault_of_line, name_key
from domain.kernel.values import replace
from domain.leagues import facts
from domain.leagues.admission import is_invited, is_waived, require_new
from domain.leagues.draw import draw_groups
from domain.leagues.duties import schedule_of
from domain.leagues.filling import fill_places
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.leagues.plan import LeaguePlan, LeagueRefused, check_league, normal_league
from domain.leagues.season_state import LeagueGroup, Season, TableKey, place_key
from domain.leagues.standings import Fixture, fixture, fixtures, plan_of, unfinished_tables
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.matches.seats.acceptance import needs_acceptance
from domain.standings.contest import NEWEST_RULE
from domain.standings.results import Results

NAMED_MAX: Final = 5
"""The maximum number of open tables named in a message."""
LAST_YEAR: Final = 2199
"""Last year of a deadline, so that conversion to other time zones cannot overflow."""


def open_league(by: Actor, plan: LeaguePlan) -> facts.LeagueOpened:
    """Open a league by the latest standings rule."""
    check_league(plan)
    return facts.LeagueOpened(by, replace(normal_league(plan), standings=NEWEST_RULE))


def change_plan(league: League, by: Actor, plan: LeaguePlan, reason: str = "") -> tuple[facts.Fact, ...]:
    """Change the plan; the running season keeps the plan it was drawn with.

    If a season takes entries and has more places now, waiting players get them.

    Raise `LeagueRefused` if the title changes or the plan is inconsistent. The new plan gets the current rule
    of standings.
    """
    check_league(plan)
    if plan.title != league.plan.title:
        raise LeagueRefused(f"a league for {league.plan.title} cannot be changed to {plan.title}")
    changed = facts.LeaguePlanChanged(by, replace(normal_league(plan), standings=NEWEST_RULE), reason)
    season = league.season
    if season is None or season.status != "registering":
        return (changed,)
    return (changed, *promote_waiting(replace(league, plan=changed.plan), len(season.entrants)))


def open_season(league: League, by: Actor, name: str) -> facts.SeasonOpened:
    """Open registration for a season with a new name, compared as by `name_key`.

    Raise `LeagueRefused` unless the previous season is closed, and for a known or invalid name.
    """
    if league.season is not None and league.season.status != "closed":
        raise LeagueRefused(f"season {league.season.number} is not over yet")
    if any(name_key(season.name) == name_key(name) for season in league.seasons):
        raise LeagueRefused(f"the league already has a season named {name!r}")
    if (fault := fault_of_line("the name of the season", name)) is not None:
        raise LeagueRefused(fault)
    return facts.SeasonOpened(by, name)


def enter(
    league: League,
    by: Actor,
    actor: Actor,
    seeding: int,
    *,
    is_organiser: bool,
    entered: Collection[Actor] | None = None,
    added: int = 0,
    entrant: Entrant | None = None,
    reason: str = "",
    waives: bool = False,
    club_id: UUID | None = None,
) -> facts.PlayerEntered | PlayerInvited:
    """Enter a player for the next season; the account of another person is invited to it.

    Raise `LeagueRefused` if registration is closed, if the player has entered, was invited or has declined
    (when invited again), or lacks an invitation that the plan requires of all but organisers; `EntryRefused` for an
    `entrant` who does not meet the conditions, unless an organiser `waives` them with a `reason`. An open
    invitation's seeding goes first. Pass `entered`, its players so far, and the number of entries with a place `added`
    to them, to decide many entries in linear time. An own entry takes its club from the person's memberships;
    `club_id` chooses among them.
    """
    season = registering_season(league)
    if actor in ({entry.actor for entry in season.entered} if entered is None else entered):
        raise LeagueRefused(f"{actor} is already registered for season {season.number}")
    if league.plan.registration == "invite" and not is_invited(league, actor) and not is_organiser:
        raise LeagueRefused("this league is by invitation only")
    to = InvitedTo(season.number)
    has_waiver = is_waived(league, actor, entrant, is_organiser=is_organiser, waives=waives)
    stated_reason = reason.strip() if has_waiver and is_organiser else ""
    if has_waiver and is_organiser and not stated_reason:
        raise LeagueRefused("an entry against the conditions needs a reason")
    if needs_acceptance(by, actor):
        return require_new(league, PlayerInvited(by, actor, to, seeding, stated_reason, has_waiver))
    invitation = league.invitations.find(actor, to.target)
    stated_seeding = invitation.fact.seeding if invitation is not None and invitation.is_open else seeding
    # The places of a proposed draw are taken.
    is_waiting = bool(season.proposed) or not has_place(league.plan.cap, len(season.entrants) + added)
    club = choose_club(league.plan.conditions, entrant, club_id)
    return facts.PlayerEntered(by, actor, stated_seeding, is_waiting, stated_reason, club)


def leave(league: League, by: Actor, actor: Actor, reason: str = "") -> tuple[facts.Fact, ...]:
    """Withdraw a player from the season; before the draw the first waiting player gets the place.

    Raise `LeagueRefused` if they have not entered, hold no place or have left already, or if the season is
    closed.
    """
    season = current_season(league)
    if season.status == "registering":
        entry = next((entry for entry in season.entered if entry.actor == actor), None)
        if entry is None:
            raise LeagueRefused(f"{actor} is not registered for season {season.number}")
        promotions = () if entry.waiting else promote_waiting(league, len(season.entrants) - 1)
        return (facts.PlayerLeft(by, actor, reason), *promotions)
    location = season.of_actor(actor)
    if season.status == "closed" or location is None:
        raise LeagueRefused(f"{actor} has no place in season {season.number}")
    if actor in season.groups[location[0]].left:
        raise LeagueRefused(f"{actor} has already left season {season.number}")
    return (facts.PlayerLeft(by, actor, reason),)


def promote_waiting(league: League, taken: int) -> tuple[facts.PlayerPromoted, ...]:
    """Give the free places of the season to waiting players, in order; `taken`: the number of places with players.

    A proposed draw has a fixed number of places.
    """
    season = registering_season(league)
    places = sum(len(group.players) for group in season.proposed) or league.plan.cap
    waiting = [entry.actor for entry in season.entered if entry.waiting]
    return tuple(map(facts.PlayerPromoted, next_from_list(places, taken, waiting)))


def draw(league: League, by: Actor, results: Results) -> facts.SeasonDrawn:
    """Draw the groups of the season, with its plan as of now."""
    season = registering_season(league)
    if schedule_of(league, season) is not None and season.starts is not None:
        raise LeagueRefused(f"season {season.number} is drawn by its schedule, at {season.starts.isoformat()}")
    return facts.SeasonDrawn(by, draw_groups(league, results), replace(league.plan, standings=NEWEST_RULE))


def open_round(league: League, by: Actor, at: datetime) -> tuple[facts.Fact, ...]:
    """Open the next round, or all remaining ones, with a common deadline, if the season is played at once.

    Raise `LeagueRefused` if the season is not running or scheduled, if no round is left, or if a place needs a
    substitute.
    """
    season = running_season(league)
    first = season.rounds_opened + 1
    if schedule_of(league, season) is not None:
        raise LeagueRefused(f"the rounds of season {season.number} are opened by its schedule")
    if first > season.rounds:
        raise LeagueRefused(f"all {season.rounds} rounds of season {season.number} are already open")
    empty = [
        place.in_round(first)
        for index, group in enumerate(season.groups)
        for at, place in enumerate(group.places)
        if place.in_round(first) in group.left
        and stand_in(league.people.offers, season.number, place_key(index, at), first) is None
    ]
    if empty:
        raise LeagueRefused(f"{', '.join(empty)} left: name substitutes before you open round {first}")
    return openings_of_rounds(league, by, at)


def openings_of_rounds(league: League, by: Actor, start: datetime) -> tuple[facts.Fact, ...]:
    """Return the opening of the next round, or of all remaining ones; their deadlines count from `start`.

    Bots take the places of players who have left or are away before (`fill_places`).
    """
    season = running_season(league)
    plan, first = plan_of(league, season), season.rounds_opened + 1
    rounds = range(first, (season.rounds if plan.at_once else first) + 1)
    end = start + timedelta(days=plan.round_days * len(rounds))
    filled = fill_places(league, season, rounds, RoundTime(start, end))
    return (*filled, *(facts.RoundOpened(by, number, end) for number in rounds))


def move_deadline(
    league: League, by: Actor, round_number: int, deadline: datetime, at: datetime, reason: str = ""
) -> facts.DeadlineMoved:
    """Move the deadline of an open round; raise `LeagueRefused` if the round is not open.

    Also raise it unless the deadline is in the future and at most in the year `LAST_YEAR`.
    """
    season = running_season(league)
    if not 1 <= round_number <= season.rounds_opened:
        raise LeagueRefused(f"round {round_number} of season {season.number} is not open")
    if deadline <= at:
        raise LeagueRefused(f"the deadline {deadline.isoformat()} is in the past")
    if deadline.year > LAST_YEAR:
        raise LeagueRefused(f"the deadline {deadline.isoformat()} is after the year {LAST_YEAR}")
    return facts.DeadlineMoved(by, round_number, deadline, reason)


def rule(league: League, fact: facts.FixtureRuled, results: Results) -> facts.FixtureRuled:
    """Rule on a table that cannot be finished; a voided table loses places and scores.

    Raise `LeagueRefused` for invalid places, for numbers that do not fit the seats, and if its round is not
    open or its match was played to the end on this server.
    """
    seats = len(undecided_table(league, (fact.group, fact.round, fact.table), results).players)
    if fact.void:
        return facts.FixtureRuled(fact.by, fact.round, fact.group, fact.table, void=True, reason=fact.reason)
    if len(fact.places) != seats or len(fact.scores) != seats:
        raise LeagueRefused(f"enter {seats} places and {seats} scores, one for each seat")
    if not are_places(fact.places):
        raise LeagueRefused(
            f"{', '.join(map(str, fact.places))} are not valid places; tied players share a place, as in 1, 2, 2, 4"
        )
    return fact


def penalise(league: League, by: Actor, actor: Actor, sixtieths: int, reason: str) -> facts.PenaltyGiven:
    """Deduct sixtieths of a point from a player in the group table; a negative number gives them back.

    Raise `LeagueRefused` if the season is not running or the player holds no place in it.
    """
    season = running_season(league)
    location = season.of_actor(actor)
    if location is None:
        raise LeagueRefused(f"{actor} has no place in season {season.number}")
    return facts.PenaltyGiven(by, *location, sixtieths, reason)


def table_of(league: League, at: TableKey) -> tuple[Season, LeagueGroup]:
    """Return the running season and the group of a table; raise `LeagueRefused` if its round is not open.

    Also raise it if no season is running, or if there is no such group or table.
    """
    season, (number, round_number, table) = running_season(league), at
    group = group_of(season, number)
    if not 1 <= round_number <= season.rounds_opened or round_number > len(group.rounds):
        raise LeagueRefused(f"round {round_number} of group {number + 1} is not open")
    tables = group.rounds[round_number - 1]
    if not 1 <= table <= len(tables):
        raise LeagueRefused(f"round {round_number} of group {number + 1} has tables 1 to {len(tables)}, not {table}")
    return season, group


def players_to_seat(league: League, at: TableKey) -> tuple[Actor, ...]:
    """Return the players of a table whose match is to be opened, by seat.

    Raise `LeagueRefused` if the table has a manual result or its round is not open.
    """
    _, group = table_of(league, at)
    number, round_number, table = at
    if group.ruling(round_number, table) is not None:
        raise LeagueRefused(
            f"the organiser has already decided the result of {table_text(number, round_number, table)}"
        )
    return group.players_at(round_number, table)


def entrants_at(league: League, at: TableKey) -> tuple[Actor, ...]:
    """Return the original holders of the places at a table, by seat; raise `LeagueRefused` unless its round is open."""
    _, group = table_of(league, at)
    _, round_number, table = at
    return tuple(group.places[place].first for place in group.rounds[round_number - 1][table - 1])


def undecided_table(league: League, at: TableKey, results: Results) -> Fixture:
    """Return a table of an open round; raise `LeagueRefused` if its match was played to the end on this server.

    Tables with a ruling or a result entered by hand pass. Also raise it if the round is not open.
    """
    season, (number, round_number, table) = table_of(league, at)[0], at
    current = fixture(league, season, at, results)
    if current.is_over and not current.ruled and not current.unverified:
        raise LeagueRefused(played_match_text(number, round_number, table))
    return current


def played_match_text(number: int, round_number: int, table: int) -> str:
    """Return the error message for a table whose match was played to the end on this server."""
    return (
        f"{table_text(number, round_number, table)} was played on this server: its result comes from the match log, "
        "and only an arbiter's ruling can correct it"
    )


def close_season(league: League, by: Actor, results: Results, disputed: Collection[UUID] = ()) -> facts.SeasonClosed:
    """Close the running season.

    Raise `LeagueRefused` while a round is unopened, a table without a result, or a match in `disputed`.
    """
    season = running_season(league)
    if season.rounds_opened < season.rounds:
        raise LeagueRefused(f"round {season.rounds_opened + 1} of {season.rounds} has not been opened")
    missing = unfinished_tables(league, season, results)
    if missing:
        listed = "; ".join(map(fixture_text, missing[:NAMED_MAX]))
        suffix = f" and {len(missing) - NAMED_MAX} more" if len(missing) > NAMED_MAX else ""
        raise LeagueRefused(f"these tables have no result yet: {listed}{suffix}")
    open_to_doubt = [each for each in fixtures(league, season, results) if each.match in disputed]
    if open_to_doubt:
        listed = "; ".join(map(fixture_text, open_to_doubt[:NAMED_MAX]))
        raise LeagueRefused(f"disputes about these tables are still open: {listed}")
    return facts.SeasonClosed(by)


def announce(by: Actor, text: str) -> facts.LeagueAnnounced:
    """Announce a stripped text; raise `LeagueRefused` if it is blank."""
    if not text.strip():
        raise LeagueRefused("enter the text of the announcement")
    return facts.LeagueAnnounced(by, text.strip())


def fixture_text(table: Fixture) -> str:
    """Return a fixture for a message."""
    return table_text(table.group, table.round, table.table)


def table_text(number: int, round_number: int, table: int) -> str:
    """Return a table for a message; the group counts from 0."""
    return f"group {number + 1}, round {round_number}, table {table}"


def are_places(places: tuple[int, ...]) -> bool:
    """Return whether each place is one more than the number of better ones, as in 1, 2, 2, 4."""
    return all(place == 1 + sum(other < place for other in places) for place in places)


def current_season(league: League) -> Season:
    """Return the latest season; raise `LeagueRefused` if the league had none."""
    if league.season is None:
        raise LeagueRefused("the league has no season yet")
    return league.season


def registering_season(league: League) -> Season:
    """Return the latest season; raise `LeagueRefused` unless it takes entries."""
    season = current_season(league)
    if season.status != "registering":
        raise LeagueRefused(f"registration for season {season.number} is closed")
    return season


def running_season(league: League) -> Season:
    """Return the latest season; raise `LeagueRefused` unless it is drawn and not over."""
    season = current_season(league)
    if season.status != "running":
        status_text = "has not been drawn yet" if season.status == "registering" else "is over"
        raise LeagueRefused(f"season {season.number} {status_text}")
    return season


def group_of(season: Season, number: int) -> LeagueGroup:
    """Return a group by index from 0; raise `LeagueRefused` if the season has no such group."""
    if not 0 <= number < len(season.groups):
        raise LeagueRefused(f"season {season.number} has groups 1 to {len(season.groups)}, not {number + 1}")
    return season.groups[number]
