"""Responses about tournaments, built from the domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from uuid import UUID

from api.accounts.display_names import people_in, shown_bot_name
from api.accounts.service import AccountService
from api.contests.prize_schemas import AwardShown
from api.http.languages import say
from api.tournaments.date_schemas import AppointmentShown
from api.tournaments.prize_schemas import AwardsShown
from api.tournaments.reasons import with_names
from api.tournaments.schemas import (
    ActShown,
    ClaimShown,
    EntryShown,
    InvitationShown,
    NoticeShown,
    PenaltyShown,
    RoundShown,
    SubstituteShown,
    TableShown,
    TournamentListed,
    TournamentShown,
)
from api.tournaments.standing_schemas import CellShown, CrosstableShown, LineShown, StandingShown, StandingsShown
from domain.contests.prizes import awards
from domain.invitations.decisions import visible_invitations
from domain.matches.facts import SERVICE, is_bot
from domain.standings.contest import RoundTable
from domain.standings.counted import counted_table
from domain.standings.crosstable import CrosstableLine, crosstable
from domain.standings.points import points_text
from domain.standings.ranking import Standing, standings
from domain.standings.results import Results, missing_from, result_of
from domain.tournaments.acts import Act
from domain.tournaments.claim_facts import is_contradicted
from domain.tournaments.commands import TournamentStream
from domain.tournaments.entries import TournamentEntry
from domain.tournaments.invitations import holds
from domain.tournaments.proposal_checks import list_misfits
from domain.tournaments.rounds import needs_match
from domain.tournaments.schedule import Appointment
from domain.tournaments.state import Round, Tournament
from projections.matches.results import TablesPlayed
from projections.tournaments.listing import TournamentRow

SERVICE_NAME = "Esporles"


def entry_names(event: Tournament, accounts: AccountService) -> dict[str, str]:
    """Return the name of every entry."""
    account_names = accounts.names(people_in(entry.actor or None for entry in event.entries))
    return {entry.id: entry_name(entry, account_names) for entry in event.entries}


def entry_name(entry: TournamentEntry, account_names: Mapping[str, str]) -> str:
    """Return the name of an entry; `account_names` maps accounts to names.

    A bot without a name gets its short name and number.
    """
    if entry.is_bot:
        return entry.name or f"{shown_bot_name(entry.actor)} {entry.id.removeprefix('e')}"
    return account_names[entry.actor] if entry.actor else entry.name


def organiser_name(organiser: str, accounts: AccountService) -> str:
    """Return the name of an organiser."""
    return SERVICE_NAME if organiser == SERVICE else accounts.names([organiser])[organiser]


def encode_tournament(
    event: TournamentStream,
    played: TablesPlayed,
    accounts: AccountService,
    *,
    is_organiser: bool,
    person: str | None,
    rated: bool,
    with_reasons: bool = True,
) -> TournamentShown:
    """Return a tournament for a response; only organisers see rounds and announcements that are not public yet."""
    state = event.state
    names = entry_names(state, accounts)
    clubs = accounts.clubs.names(entry.club_id for entry in state.entries if entry.club_id is not None)
    own = state.entry_of(person) if person else None
    return TournamentShown(
        event_id=event.id,
        version=event.version,
        head=event.head,
        status=state.status,
        organiser=state.organiser,
        organiser_name=organiser_name(state.organiser, accounts),
        opened_at=state.opened_at,
        plan=state.plan,
        rated=rated,
        entries=tuple(show_entry(entry, names[entry.id], clubs) for entry in state.entries),
        invitations=show_invitations(state, accounts, is_organiser=is_organiser, person=person),
        rounds=tuple(
            show_round(state, each, played, names, accounts, with_reasons=with_reasons)
            for each in state.rounds
            if is_organiser or each.is_public
        ),
        notices=tuple(
            NoticeShown(notice.at, notice.text, notice.since)
            for notice in state.notices
            if is_organiser or notice.since is None
        ),
        calendar=state.calendar,
        check_in_closed=state.is_checked_in,
        penalties=tuple(PenaltyShown(each.at, each.entry, each.sixtieths, each.reason) for each in state.penalties),
        is_organiser=is_organiser,
        entry=own.id if own is not None and own.status != "withdrawn" else None,
    )


def show_invitations(
    state: Tournament, accounts: AccountService, *, is_organiser: bool, person: str | None
) -> tuple[InvitationShown, ...]:
    """Return the invitations that can still be accepted: to organisers all, to others their own open ones."""
    can_accept = partial(holds, state)
    visible = visible_invitations(state.invitations, person or "", can_accept, is_organiser=is_organiser)
    account_names = accounts.names(people_in(actor for each in visible for actor in (each.actor, each.fact.by)))
    return tuple(
        InvitationShown(
            each.actor,
            account_names.get(each.actor, each.actor),
            SERVICE_NAME if each.fact.by == SERVICE else account_names.get(each.fact.by, each.fact.by),
            each.fact.entry or None,
            each.fact.round or None,
            each.answer or "open",
            each.fact.reason,
            each.fact.club,
            each.fact.family,
            each.fact.seeding,
        )
        for each in visible
    )


def show_entry(entry: TournamentEntry, name: str, clubs: Mapping[UUID, str]) -> EntryShown:
    """Return an entry for a response; its kind is "bot", "person" (an account) or "guest" (only a name).

    `clubs`: the names of the clubs by id.
    """
    kind = "bot" if entry.is_bot else "person" if entry.actor else "guest"
    return EntryShown(
        entry.id,
        name,
        kind,
        entry.actor or None,
        entry.club if entry.club_id is None else clubs.get(entry.club_id, entry.club),
        entry.family,
        entry.seeding,
        entry.status,
        entry.penalty,
        entry.is_there,
        entry.club_id,
    )


def show_round(
    event: Tournament,
    round_: Round,
    played: TablesPlayed,
    names: Mapping[str, str],
    accounts: AccountService,
    *,
    with_reasons: bool = True,
) -> RoundShown:
    """Return a round for a response; only the latest has the misfits of its proposal and the time its start is due."""
    awaits_start = round_ == event.round and round_.status == "opened" and not round_.begun
    substitutes = accounts.names({each.actor for table in round_.tables for each in table.stand_ins})
    return RoundShown(
        round=round_.number,
        stage=round_.stage,
        status=round_.status,
        tables=tuple(
            show_table(event, round_, number, table, played, names, substitutes, with_reasons=with_reasons)
            for number, table in enumerate(round_.tables, start=1)
        ),
        byes=round_.byes,
        levels=round_.levels,
        engine=round_.engine,
        why=round_.why,
        edited=round_.edited,
        misfits=tuple(say(with_names(message, names)) for message in list_misfits(event, played.results))
        if round_ is event.round
        else (),
        start_due=event.start_due if awaits_start else None,
        starts=event.calendar.round(round_.number).starts,
        deadline=event.calendar.round(round_.number).deadline,
        deadline_passed=round_.expired is not None and round_.expired == event.calendar.round(round_.number).deadline,
        reminded=round_.reminded if round_.reminded_of == event.calendar.round(round_.number).deadline else 0,
    )


def show_table(
    event: Tournament,
    round_: Round,
    number: int,
    table: RoundTable,
    played: TablesPlayed,
    names: Mapping[str, str],
    substitutes: Mapping[str, str],
    *,
    with_reasons: bool = True,
) -> TableShown:
    """Return a table for a response, with result and match only once its round is public.

    If a ruling replaced the match, `match_id` is the official line and `began_as` the first one.
    """
    result = result_of(table, played.results) if round_.is_public else None
    counted = counted_table(table, result, event.plan.standings) if result is not None and not result.void else None
    is_played_here = round_.is_public and needs_match(event, table)
    match_id = table.match if is_played_here and round_.status != "published" else None
    # The official line, if a ruling has replaced the match.
    match_id = played.lines.get(match_id, match_id) if match_id is not None else None
    return TableShown(
        table=number,
        entries=table.entries,
        names=tuple(names[name] for name in table.entries),
        match_id=match_id,
        began_as=table.match if match_id is not None and match_id != table.match else None,
        status=table_status(is_played_here, result is not None, counted is not None),
        scores=result.scores if result is not None and counted is not None else None,
        places=counted.places if counted is not None else None,
        unverified=result is not None and result.unverified,
        ruled=result is not None and result.ruled,
        locked=number in round_.locked,
        absent=tuple(sorted(missing_from(table, result, event.plan.standings))),
        handed_over=tuple(table.entries[seat] for seat in counted.handed_over) if counted is not None else (),
        substitutes=tuple(
            SubstituteShown(each.entry, each.actor, substitutes.get(each.actor, each.actor)) for each in table.stand_ins
        ),
        reasons=tuple(say(with_names(message, names)) for message in table.reasons) if with_reasons else (),
        claims=tuple(ClaimShown(each.entry, each.scores, each.places) for each in table.claims),
        contradicted=is_contradicted(table),
    )


def table_status(is_played_here: bool, is_over: bool, counts: bool) -> str:
    """Return "over", "void" (over without a counted result), "playing" (has a match here) or "waiting"."""
    if is_over:
        return "over" if counts else "void"
    return "playing" if is_played_here else "waiting"


def show_listed(row: TournamentRow, accounts: AccountService) -> TournamentListed:
    """Return a list item for a response."""
    return TournamentListed(
        event_id=row.event_id,
        name=row.name,
        title=row.title,
        size=row.size,
        status=row.status,
        registration=row.registration,
        entries=row.entries,
        rounds=row.rounds,
        organiser_name=organiser_name(row.organiser, accounts),
        opened_at=row.opened_at,
    )


def show_standings(event: TournamentStream, results: Results, accounts: AccountService) -> StandingsShown:
    """Return the standings for a response."""
    return show_rows(event, standings(event.state, results), accounts)


def show_rows(event: TournamentStream, rows: Sequence[Standing], accounts: AccountService) -> StandingsShown:
    """Return the rows of the standings for a response, in the given order, with names and points as text."""
    state = event.state
    names = entry_names(state, accounts)
    return StandingsShown(
        event_id=event.id,
        version=event.version,
        head=event.head,
        rounds=len(state.played_rounds),
        is_final=state.status == "ended",
        tie_breaks=state.plan.scoring.tie_breaks,
        standings=tuple(
            StandingShown(
                rank=row.rank,
                entry=row.entry,
                name=names[row.entry],
                points=points_text(row.points),
                sixtieths=row.points,
                tie_breaks=row.tie_breaks,
                played=row.played,
                byes=row.byes,
                wins=row.wins,
                penalty=row.penalty,
                stage=row.stage,
            )
            for row in rows
        ),
    )


def show_awards(event: TournamentStream, results: Results, accounts: AccountService) -> AwardsShown:
    """Return the awards for a response."""
    return show_awards_from(event, standings(event.state, results), accounts)


def show_awards_from(event: TournamentStream, rows: Sequence[Standing], accounts: AccountService) -> AwardsShown:
    """Return the awards for these rows of the standings, with names; they are final once the event has ended."""
    state, names = event.state, entry_names(event.state, accounts)
    prizes = awards(state.prizes, state.plan.stages, rows)
    encoded = tuple(AwardShown(each.entry, names[each.entry], each.rank, each.amount, each.name) for each in prizes)
    return AwardsShown(event.id, state.prizes, state.status == "ended", encoded)


def show_standings_and_awards(
    event: TournamentStream, results: Results, accounts: AccountService
) -> tuple[StandingsShown, AwardsShown]:
    """Return standings and awards, computing the standings once."""
    rows = standings(event.state, results)
    return show_rows(event, rows, accounts), show_awards_from(event, rows, accounts)


def show_crosstable(event: TournamentStream, results: Results, accounts: AccountService) -> CrosstableShown:
    """Return the crosstable for a response."""
    return CrosstableShown(event.id, event.version, show_lines(event, results, accounts)[0])


def show_lines(
    event: TournamentStream, results: Results, accounts: AccountService, first: int | None = None
) -> tuple[tuple[LineShown, ...], int]:
    """Return the first lines of the crosstable (None: all), in the order of the standings, and the number of all."""
    names, rows = entry_names(event.state, accounts), standings(event.state, results)
    lines = crosstable(event.state, results, rows, first)
    return tuple(LineShown(line.rank, line.entry, names[line.entry], show_cells(line)) for line in lines), len(rows)


def show_cells(line: CrosstableLine) -> tuple[CellShown, ...]:
    """Return the cells of a line, one per round, with points as text."""
    return tuple(
        CellShown(
            cell.table,
            cell.opponents,
            cell.place,
            None if cell.points is None else points_text(cell.points),
            cell.is_bye,
            cell.unverified,
            cell.absent,
        )
        for cell in line.cells
    )


def show_appointment(each: Appointment, names: Mapping[str, str]) -> AppointmentShown:
    """Return an appointment for a response, with the names of its entries; None for no round or table."""
    return AppointmentShown(
        kind=each.kind,
        starts=each.starts,
        ends=each.ends,
        name=each.name,
        round=each.round or None,
        table=each.table or None,
        entries=each.entries,
        names=tuple(names[entry] for entry in each.entries),
        status=each.status,
    )


def show_acts(acts: Sequence[Act], event: Tournament, accounts: AccountService) -> list[ActShown]:
    """Return acts for a response, in the given order, with the names of their people."""
    names = entry_names(event, accounts)
    people = {actor for act in acts for actor in (act.by, act.actor) if actor and not is_bot(actor)}
    account_names = accounts.names(people_in(people))
    return [show_act(act, names, account_names) for act in acts]


def show_act(act: Act, names: Mapping[str, str], account_names: Mapping[str, str]) -> ActShown:
    """Return an act for a response; `names` maps entries, `account_names` accounts to names."""
    return ActShown(
        version=act.version,
        at=act.at,
        by=act.by,
        by_name=SERVICE_NAME if act.by == SERVICE else account_names[act.by],
        kind=act.kind,
        reason=act.reason,
        round=act.round or None,
        table=act.table or None,
        entries=act.entries,
        names=tuple(names[entry] for entry in act.entries),
        tables=tuple((number, tuple(names[entry] for entry in entries)) for number, entries in act.tables),
        scores=act.scores,
        places=act.places,
        was_scores=act.was.scores if act.was else (),
        was_places=act.was.places if act.was else (),
        late=act.late,
        sixtieths=act.sixtieths,
        actor_name=shown_bot_name(act.actor) if is_bot(act.actor) else account_names.get(act.actor, ""),
    )
