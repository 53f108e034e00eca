"""Responses about leagues, built from the domain."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import partial
from uuid import UUID

from api.accounts.naming import Names
from api.leagues.wire import (
    CareerShown,
    ChampionShown,
    DesignShown,
    FixtureShown,
    GroupShown,
    LeagueActShown,
    LeagueInvitationShown,
    LeagueLineShown,
    LeagueListed,
    LeagueNoticeShown,
    LeagueOwedShown,
    LeagueShown,
    PlacedShown,
    RoundTables,
    SeasonListed,
    SeasonShown,
    TableAt,
)
from api.matches.showing import show_player
from api.matches.wire import PlayerShown
from api.tournaments.showing import cells_shown
from api.tournaments.wire_of_standings import CellShown
from domain.designs.shapes import Design, balance
from domain.invitations.deciding import visible_invitations
from domain.leagues.acts import LeagueAct
from domain.leagues.inviting import holds
from domain.leagues.standings import (
    Fixture,
    LeagueLine,
    contest_of,
    fixtures,
    group_table,
    hall_of_fame,
    plan_of,
    titles_won,
)
from domain.leagues.state import At, League, Season
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.standings.crosstable import crosstable
from domain.standings.points import points_text
from domain.standings.results import Results
from projections.leagues import Listed, Played


def actors_of(league: League) -> set[Actor]:
    """Return all actors that a response about the league may name."""
    found = {league.organiser}
    for season in league.seasons:
        found |= {entry.actor for entry in season.entered}
        found |= {held.actor for group in season.groups for place in group.places for held in place.holders}
    return found | {actor for each in league.invitations.made.values() for actor in (each.actor, each.fact.by)}


def all_named(actors: Iterable[Actor], names: Names) -> tuple[PlayerShown, ...]:
    """Return actors with their names."""
    return tuple(show_player(actor, names) for actor in actors)


def show_act(act: LeagueAct, league: League, names: Names) -> LeagueActShown:
    """Return an act with the names of its people."""
    was = act.was
    return LeagueActShown(
        version=act.version,
        at=act.at,
        by=act.by,
        by_name=show_player(act.by, names).name,
        kind=act.kind,
        reason=act.reason,
        season=act.season or None,
        season_name=league.seasons[act.season - 1].name if act.season else "",
        group=act.group or None,
        round=act.round or None,
        table=act.table or None,
        players=all_named(act.players, names),
        scores=act.scores,
        places=act.places,
        void=act.void,
        was_scores=was.scores if was else (),
        was_places=was.places if was else (),
        was_void=was is not None and was.void,
        late=act.late,
        deadline=act.deadline,
        was_deadline=act.was_deadline,
        substitute=show_player(act.actor, names) if act.actor else None,
        sixtieths=act.sixtieths,
    )


def encode_row(row: Listed) -> LeagueListed:
    """Return a list item for a response."""
    return LeagueListed(row.league_id, row.name, row.title, row.size, row.season, row.status, row.players)


def season_listed(season: Season) -> SeasonListed:
    """Return a season for a list."""
    return SeasonListed(
        season.number,
        season.name,
        season.status,
        season.player_count,
        season.rounds,
        season.rounds_opened,
        season.drawn_at,
        season.closed_at,
    )


def invitations_shown(
    league: League, names: Names, *, own: Actor, is_organiser: bool
) -> tuple[LeagueInvitationShown, ...]:
    """Return the invitations that can still be accepted: to organisers all, to others their own open ones."""
    season, can_accept = league.season, partial(holds, league)
    found = visible_invitations(league.invitations, own, can_accept, is_organiser=is_organiser)
    return tuple(
        LeagueInvitationShown(
            show_player(each.actor, names),
            show_player(each.fact.by, names),
            each.fact.to.season,
            each.fact.to.group + 1,
            each.fact.to.place,
            each.fact.to.from_round,
            show_player(season.groups[each.fact.to.group].places[each.fact.to.place].actor, names)
            if season is not None and each.fact.to.seat
            else None,
            each.answer or "open",
            each.fact.reason,
            each.fact.seeding,
        )
        for each in found
    )


def league_shown(
    stream: Stream[League], results: Results, names: Names, *, rated: bool, own: Actor, is_organiser: bool
) -> LeagueShown:
    """Return a league for a response."""
    league = stream.state
    season = league.season
    fame = tuple(
        ChampionShown(
            each.season,
            each.name,
            all_named(each.champions, names),
            all_named(each.seconds, names),
            all_named(each.thirds, names),
        )
        for each in hall_of_fame(league, results)
    )
    return LeagueShown(
        league_id=league.id,
        version=stream.version,
        head=stream.head,
        organiser=show_player(league.organiser, names),
        plan=league.plan,
        rated=rated,
        seasons=tuple(season_listed(each) for each in league.seasons),
        entered=all_named((entry.actor for entry in season.entered), names) if season else (),
        invitations=invitations_shown(league, names, own=own, is_organiser=is_organiser),
        hall_of_fame=fame,
        careers=careers(league, results, names),
        notices=tuple(LeagueNoticeShown(notice.at, notice.text) for notice in reversed(league.notices)),
    )


def careers(league: League, results: Results, names: Names) -> tuple[CareerShown, ...]:
    """Return everyone who held a place at the end of a season, best podiums first."""
    ways: dict[Actor, list[PlacedShown]] = {}
    for season in league.seasons:
        for number, group in enumerate(season.groups if season.status == "closed" else ()):
            division = plan_of(league, season).divisions[group.division].name
            for line in group_table(league, season, number, results):
                ways.setdefault(line.actor, []).append(PlacedShown(season.number, division, line.standing.rank))
    won = {actor: podium for actor, *podium in titles_won(hall_of_fame(league, results))}
    order = [*won, *sorted(ways.keys() - won.keys(), key=lambda actor: names[actor])]
    return tuple(
        CareerShown(show_player(actor, names), tuple(ways[actor]), *won.get(actor, (0, 0, 0))) for actor in order
    )


def season_shown(stream: Stream[League], number: int, played: Played, names: Names) -> SeasonShown:
    """Return an existing season of the league for a response."""
    league, season = stream.state, stream.state.seasons[number - 1]
    tables = fixtures(league, season, played.results)
    return SeasonShown(
        league_id=league.id,
        version=stream.version,
        season=season_listed(season),
        deadlines=season.deadlines,
        rounds=round_tables(season, tables, played.seated),
        groups=tuple(group_shown(league, season, at, played.results, names) for at in range(len(season.groups))),
        fixtures=tuple(fixture_shown(each, played, names) for each in tables),
    )


def round_tables(season: Season, tables: Iterable[Fixture], seated: Container[UUID]) -> tuple[RoundTables, ...]:
    """Return the number of opened tables in each round."""
    opened = [0] * (season.rounds + 1)
    counts = [0] * (season.rounds + 1)
    for each in tables:
        counts[each.round] += 1
        opened[each.round] += each.is_over or each.match in seated
    return tuple(RoundTables(turn, opened[turn], counts[turn]) for turn in range(1, season.rounds_opened + 1))


def owed_shown(stream: Stream[League], tables: Iterable[At]) -> LeagueOwedShown:
    """Return a duty for a response."""
    shown = tuple(TableAt(number + 1, turn, table) for number, turn, table in tables)
    return LeagueOwedShown(stream.id, stream.version, "open" if shown else "", shown)


def group_shown(league: League, season: Season, number: int, results: Results, names: Names) -> GroupShown:
    """Return a group for a response."""
    group, plan = season.groups[number], plan_of(league, season)
    counted = balance(Design(len(group.places), plan.size, group.rounds, group.built))
    design = DesignShown(
        group.built, counted.meetings_min, counted.meetings_max, counted.seats_min, counted.seats_max, counted.tables
    )
    table = group_table(league, season, number, results)
    ways = crosstable(contest_of(league, season, number), results, [line.standing for line in table])
    lines = tuple(line_shown(line, cells_shown(way), names) for line, way in zip(table, ways, strict=True))
    return GroupShown(number + 1, plan.divisions[group.division].name, design, lines)


def line_shown(line: LeagueLine, cells: tuple[CellShown, ...], names: Names) -> LeagueLineShown:
    """Return a row of a group table for a response."""
    row = line.standing
    return LeagueLineShown(
        rank=row.rank,
        player=show_player(line.actor, names),
        drawn=show_player(line.first, names),
        points=row.points,
        points_text=points_text(row.points),
        penalty=row.penalty,
        penalty_text=points_text(row.penalty),
        played=row.played,
        wins=row.wins,
        tie_breaks=row.tie_breaks,
        moves=line.moves,
        cells=cells,
    )


def fixture_shown(each: Fixture, played: Played, names: Names) -> FixtureShown:
    """Return a fixture for a response."""
    same = ("round", "table", "places", "scores", "is_over", "ruled", "void", "unverified")
    counted = ("absent", "handed_over", "counted_scores")
    return FixtureShown(
        group=each.group + 1,
        players=all_named(each.players, names),
        match_id=played.lines.get(each.match, each.match) if each.match in played.seated else None,
        **{name: getattr(each, name) for name in (*same, *counted)},
    )
