"""The group tables, the crosstable and the certificates of a season as PDF."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from api.contests.pdf import Certificate, cell_text, place_text, render_certificates, render_list, results_text
from api.http.languages import _, format_day, localize_decimal
from api.leagues.responses import group_text
from api.leagues.schemas import LeagueShown
from api.leagues.season_schemas import SeasonShown
from domain.leagues.plan import LeagueRefused


def render_paper(name: str, league: LeagueShown, season: SeasonShown) -> bytes:
    """Return `standings`, `certificates` or, for any other name, the crosstable as PDF.

    The same season gives the same bytes. Raise `LeagueRefused` for certificates before the season is closed.
    """
    contest = f"{league.plan.name} · {season.season.name}"
    if name == "certificates":
        return render_certificates(contest, certificates_of(contest, league, season))
    if name == "standings":
        columns = [_("Rank"), _("Player"), _("Group"), _("Points"), _("Tables played")]
        cells = [
            [line.rank, line.player.name, group_text(group), localize_decimal(line.points_text), line.played]
            for group in season.groups
            for line in group.lines
        ]
        return render_list(contest, _("Standings"), columns, cells)
    count = season.season.rounds_opened
    columns = [_("Rank"), _("Player"), *(_("Round {number}", number=number) for number in range(1, count + 1))]
    rows = [
        [line.rank, line.player.name, *(map(cell_text, line.cells)), *[""] * (count - len(line.cells))]
        for group in season.groups
        for line in group.lines
    ]
    return render_list(contest, _("Crosstable"), columns, rows)


def certificates_of(contest: str, league: LeagueShown, season: SeasonShown) -> Iterator[Certificate]:
    """Yield a certificate for everyone in the group tables; raise `LeagueRefused` before the season is closed."""
    closed_at = season.season.closed_at
    if closed_at is None:
        raise LeagueRefused("certificates are available when the season is closed")
    zone = ZoneInfo(league.plan.schedule.zone if league.plan.schedule else "UTC")
    for group in season.groups:
        for line in group.lines:
            yield Certificate(
                contest=contest,
                player=line.player.name,
                place=place_text(line.rank, len(group.lines)),
                results=results_text(line.points_text, line.played),
                place_and_date=f"{group_text(group)} · {format_day(closed_at.astimezone(zone))}",
                organiser=league.organiser.name,
            )
