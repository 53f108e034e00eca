"""Whether a person still plays a match, or only bots do, and how many of the latter one person may have."""

from collections.abc import Iterable

from domain.matches.aggregate import Match
from domain.matches.errors import TooManyBotTables
from domain.matches.facts import Actor, is_bot


def is_attended(match: Match) -> bool:
    """Return whether a person who has neither resigned nor run out of time sits there, or visitors watch the match as
    the demonstration of the first page.

    A seat whose player ran out of time under the policy `skip` counts as unattended until its player is replaced.
    """
    return match.is_demonstration or any(
        info.is_person and not info.resigned and not has_run_out(match, seat) for seat, info in enumerate(match.seats)
    )


def has_run_out(match: Match, seat: int) -> bool:
    """Return whether the person who began on the seat has let its clock run out."""
    if not match.starters:
        return False
    starter = match.starters[seat]
    return starter.left == "timed_out" and starter.actor == match.seats[seat].actor


def is_left_to_bots(match: Match) -> bool:
    """Return whether the match runs with every seat taken and only bots still play it, outside tournaments, leagues and
    arbitration."""
    if match.status != "running" or match.is_retired or any(info.actor is None for info in match.seats):
        return False
    is_official = match.table.event_id or match.docket.dispute or match.docket.ruling
    return not is_official and not is_attended(match)


def leaves_bots_alone(match: Match, seat: int) -> bool:
    """Return whether only bots and players who resigned hold the other seats."""
    return all(info.is_bot or info.resigned for other, info in enumerate(match.seats) if other != seat)


def are_bots(players: Iterable[Actor | None]) -> bool:
    """Return whether every seat is taken and held by a bot."""
    return all(is_bot(player) for player in players)


def require_bot_room(opener: Actor, running: int, most: int) -> None:
    """Raise `TooManyBotTables` where the opener has `most` running tables that only bots play."""
    if running >= most:
        sentence = f"{opener!r} has {running} running tables that only bots play; {most} at once are allowed"
        raise TooManyBotTables(sentence, {"tables": running, "most": most})
