"""Responses about leagues, built from the domain."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import partial
from typing import Final
from uuid import UUID

from api.accounts.display_names import Names
from api.contests.bot_lines import TableLeftShown
from api.contests.schemas import ClubOfEntry
from api.http.languages import _
from api.leagues.schemas import (
    CareerShown,
    ChampionShown,
    LeagueActShown,
    LeagueInvitationShown,
    LeagueListed,
    LeagueNoticeShown,
    LeagueOwedShown,
    LeagueShown,
    PlacedShown,
    SeasonListed,
    TableAt,
)
from api.leagues.season_schemas import (
    DesignShown,
    FixtureShown,
    GroupShown,
    LeagueLineShown,
    ProposedGroupShown,
    RoundTables,
    SeasonShown,
)
from api.matches.responses import show_player
from api.matches.schemas import PlayerShown
from api.tournaments.responses import show_cells
from api.tournaments.standing_schemas import CellShown
from domain.designs.shapes import Design, balance
from domain.invitations.decisions import visible_invitations
from domain.kernel.messages import N_
from domain.leagues.acts import LeagueAct
from domain.leagues.duties import next_round_opens, registration_opens
from domain.leagues.invitations import holds
from domain.leagues.season_state import Season, TableKey
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
from domain.leagues.state import League
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.standings.crosstable import crosstable
from domain.standings.points import points_text
from domain.standings.results import Results
from projections.leagues import LeagueRow, Played

FIRST_DIVISION: Final = N_("First division")
"""The name of the division of a league without own names (`domain.leagues.plan`)."""


def actors_of(league: League) -> set[Actor]:
    """Return all actors that a response about the league may name: organiser, entrants, holders of places, invitees.

    A proposed draw names players who have left since.
    """
    found = {league.organiser}
    for season in league.seasons:
        found |= {entry.actor for entry in season.entered}
        found |= {actor for group in season.proposed for actor in group.players}
        found |= {holder.actor for group in season.groups for place in group.places for holder in place.holders}
    return found | {actor for each in league.invitations.made.values() for actor in (each.actor, each.fact.by)}


def clubs_of_season(league: League) -> dict[Actor, UUID]:
    """Return the clubs of the players of the latest season; players without one are left out."""
    entered = league.season.entered if league.season is not None else ()
    return {entry.actor: entry.club_id for entry in entered if entry.club_id is not None}


def with_names(actors: Iterable[Actor], names: Names) -> tuple[PlayerShown, ...]:
    """Return actors with their names."""
    return tuple(show_player(actor, names) for actor in actors)


def show_act(act: LeagueAct, league: League, names: Names) -> LeagueActShown:
    """Return an act with the names of its people; a season, group, round or table that it lacks is None."""
    previous = act.was
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
        players=with_names(act.players, names),
        scores=act.scores,
        places=act.places,
        void=act.void,
        was_scores=previous.scores if previous else (),
        was_places=previous.places if previous else (),
        was_void=previous is not None and previous.void,
        late=act.late,
        deadline=act.deadline,
        was_deadline=act.was_deadline,
        substitute=show_player(act.actor, names) if act.actor else None,
        sixtieths=act.sixtieths,
    )


def encode_row(row: LeagueRow) -> LeagueListed:
    """Return a list item for a response."""
    return LeagueListed(row.league_id, row.name, row.title, row.size, row.season, row.status, row.players)


def encode_season_row(season: Season) -> SeasonListed:
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
        season.starts,
        season.entry_closes,
    )


def encode_invitations(
    league: League, names: Names, *, own: Actor, is_organiser: bool
) -> tuple[LeagueInvitationShown, ...]:
    """Return the invitations that can still be accepted: to organisers all, to others their own open ones.

    Organisers also see declined ones; groups count from 1.
    """
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


def encode_league(
    stream: Stream[League],
    results: Results,
    names: Names,
    clubs: Mapping[UUID, str],
    *,
    rated: bool,
    own: Actor,
    is_organiser: bool,
) -> LeagueShown:
    """Return a league for a response; notices are latest first."""
    league = stream.state
    season = league.season
    fame = tuple(
        ChampionShown(
            each.season,
            each.name,
            with_names(each.champions, names),
            with_names(each.seconds, names),
            with_names(each.thirds, names),
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
        seasons=tuple(encode_season_row(each) for each in league.seasons),
        entered=with_names((entry.actor for entry in season.entrants), names) if season else (),
        clubs=tuple(
            ClubOfEntry(actor, club_id, clubs.get(club_id, "")) for actor, club_id in clubs_of_season(league).items()
        ),
        waiting=with_names((entry.actor for entry in season.entered if entry.waiting), names) if season else (),
        invitations=encode_invitations(league, names, own=own, is_organiser=is_organiser),
        hall_of_fame=fame,
        careers=careers(league, results, names),
        notices=tuple(LeagueNoticeShown(notice.at, notice.text) for notice in reversed(league.notices)),
        registration_opens=registration_opens(league),
    )


def careers(league: League, results: Results, names: Names) -> tuple[CareerShown, ...]:
    """Return everyone who held a place in a closed season, best podiums first, then by name.

    Each has the places reached, in order of the seasons, and the numbers of first, second and third places.
    """
    seasons_by_actor: dict[Actor, list[PlacedShown]] = {}
    for season in league.seasons:
        for number, group in enumerate(season.groups if season.status == "closed" else ()):
            division = plan_of(league, season).divisions[group.division].name
            for line in group_table(league, season, number, results):
                seasons_by_actor.setdefault(line.actor, []).append(
                    PlacedShown(season.number, division, line.standing.rank)
                )
    titles_by_actor = {actor: podium for actor, *podium in titles_won(hall_of_fame(league, results))}
    order = [
        *titles_by_actor,
        *sorted(seasons_by_actor.keys() - titles_by_actor.keys(), key=lambda actor: names[actor]),
    ]
    return tuple(
        CareerShown(show_player(actor, names), tuple(seasons_by_actor[actor]), *titles_by_actor.get(actor, (0, 0, 0)))
        for actor in order
    )


def encode_season(stream: Stream[League], number: int, played: Played, names: Names) -> SeasonShown:
    """Return the season with this number, from 1, for a response; it must exist."""
    league, season = stream.state, stream.state.seasons[number - 1]
    tables = fixtures(league, season, played.results)
    return SeasonShown(
        league_id=league.id,
        version=stream.version,
        season=encode_season_row(season),
        deadlines=season.deadlines,
        rounds=count_round_tables(season, tables, played.seated),
        proposed=encode_proposal(league, season, names),
        groups=tuple(encode_group(league, season, at, played.results, names) for at in range(len(season.groups))),
        fixtures=tuple(encode_fixture(each, played, names) for each in tables),
        next_round=next_round_opens(league, season),
    )


def encode_proposal(league: League, season: Season, names: Names) -> tuple[ProposedGroupShown, ...]:
    """Return the proposed groups of a season for a response."""
    divisions = plan_of(league, season).divisions
    return tuple(
        ProposedGroupShown(number, divisions[group.division].name, with_names(group.players, names))
        for number, group in enumerate(season.proposed, start=1)
    )


def count_round_tables(season: Season, tables: Iterable[Fixture], seated: Container[UUID]) -> tuple[RoundTables, ...]:
    """Return, for each opened round, its number, the number of opened tables, and of all tables.

    Finished tables count as opened.
    """
    opened_counts = [0] * (season.rounds + 1)
    table_counts = [0] * (season.rounds + 1)
    for each in tables:
        table_counts[each.round] += 1
        opened_counts[each.round] += each.is_over or each.match in seated
    return tuple(
        RoundTables(turn, opened_counts[turn], table_counts[turn]) for turn in range(1, season.rounds_opened + 1)
    )


def encode_duty(
    stream: Stream[League], step: str, tables: Iterable[TableKey], with_bots: tuple[TableLeftShown, ...] = ()
) -> LeagueOwedShown:
    """Return a duty for a response."""
    encoded = tuple(TableAt(number + 1, turn, table) for number, turn, table in tables)
    return LeagueOwedShown(stream.id, stream.version, step, encoded, with_bots)


def group_text(group: GroupShown) -> str:
    """Return the division and the number of a group in the reader's language."""
    division = _(FIRST_DIVISION) if group.division == FIRST_DIVISION else group.division
    return _("{division}, group {number}", division=division, number=group.group)


def encode_group(league: League, season: Season, number: int, results: Results, names: Names) -> GroupShown:
    """Return a group, numbered from 0, for a response: its design and its table with the crosstable's cells."""
    group, plan = season.groups[number], plan_of(league, season)
    measures = balance(Design(len(group.places), plan.size, group.rounds, group.built))
    design = DesignShown(
        group.built,
        measures.meetings_min,
        measures.meetings_max,
        measures.seats_min,
        measures.seats_max,
        measures.tables,
    )
    table = group_table(league, season, number, results)
    rows = crosstable(contest_of(league, season, number), results, [line.standing for line in table])
    lines = tuple(encode_line(line, show_cells(row), names) for line, row in zip(table, rows, strict=True))
    return GroupShown(number + 1, plan.divisions[group.division].name, design, lines)


def encode_line(line: LeagueLine, cells: tuple[CellShown, ...], names: Names) -> LeagueLineShown:
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


def encode_fixture(each: Fixture, played: Played, names: Names) -> FixtureShown:
    """Return a fixture for a response; its match is the official line, None until it is open."""
    copied = ("round", "table", "places", "scores", "is_over", "ruled", "void", "unverified")
    copied_counts = ("absent", "handed_over", "counted_scores")
    return FixtureShown(
        group=each.group + 1,
        players=with_names(each.players, names),
        match_id=played.lines.get(each.match, each.match) if each.match in played.seated else None,
        **{name: getattr(each, name) for name in (*copied, *copied_counts)},
    )
