"""The standings, the crosstable and the certificates of a tournament as PDF."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from api.accounts.service import AccountService
from api.contests.pdf import Certificate, cell_text, place_text, render_certificates, render_list, results_text
from api.http.languages import _, format_day, localize_decimal
from api.tournaments.responses import organiser_name, show_crosstable, show_standings
from domain.standings.results import Results
from domain.tournaments.commands import TournamentStream
from domain.tournaments.errors import TournamentRefused


def render_paper(name: str, event: TournamentStream, results: Results, accounts: AccountService) -> bytes:
    """Return `standings`, `certificates` or, for any other name, the crosstable as PDF.

    The same event gives the same bytes. Raises `TournamentRefused` for certificates before the end of the event.
    """
    contest = event.state.plan.name
    if name == "certificates":
        return render_certificates(contest, certificates_of(event, results, accounts))
    if name == "standings":
        rows = show_standings(event, results, accounts).standings
        columns = [_("Rank"), _("Player"), _("Points"), _("Tables played")]
        cells = [[row.rank, row.name, localize_decimal(row.points), row.played] for row in rows]
        return render_list(contest, _("Standings"), columns, cells)
    lines = show_crosstable(event, results, accounts).lines
    rounds = [_("Round {number}", number=each.number) for each in event.state.played_rounds]
    cells = [[line.rank, line.name, *map(cell_text, line.cells)] for line in lines]
    return render_list(contest, _("Crosstable"), [_("Rank"), _("Player"), *rounds], cells)


def certificates_of(event: TournamentStream, results: Results, accounts: AccountService) -> tuple[Certificate, ...]:
    """Return a certificate for everyone in the final standings.

    Raises `TournamentRefused` before the end of the event.
    """
    state = event.state
    if state.status != "ended":
        raise TournamentRefused("certificates are available when the event has ended")
    rows = show_standings(event, results, accounts).standings
    ended = max((each.closed_at for each in state.rounds if each.closed_at is not None), default=state.opened_at)
    date = format_day(ended.astimezone(ZoneInfo(state.calendar.zone)))
    return tuple(
        Certificate(
            contest=state.plan.name,
            player=row.name,
            place=place_text(row.rank, len(rows)),
            results=results_text(row.points, row.played),
            place_and_date=" · ".join(filter(None, (state.calendar.place, date))),
            organiser=organiser_name(state.organiser, accounts),
        )
        for row in rows
    )
