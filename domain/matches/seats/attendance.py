"""Whether people still play a match, and limits on matches left to bots."""

from collections.abc import Iterable, Iterator

from domain.matches.aggregate import Match
from domain.matches.errors import TooManyBotTables, TooManyTablesWithBots
from domain.matches.facts import Actor, is_bot


def is_attended(match: Match) -> bool:
    """Return whether a person still plays the match, or it is the demonstration on the first page.

    A person plays until they resign or run out of time. A seat whose player ran out of time under the policy `skip`
    counts as unattended until its player is replaced.
    """
    return match.is_demonstration or any(True for _ in playing_people(match))


def playing_people(match: Match) -> Iterator[Actor]:
    """Yield the people who have neither resigned nor run out of time, by seat."""
    for seat, info in enumerate(match.seats):
        if info.actor is not None and info.is_person and not info.resigned and not has_run_out(match, seat):
            yield info.actor


def account_of(match: Match) -> Actor:
    """Return the account whose share of the workers the match uses: the first person playing, otherwise the opener.

    The opener of a tournament table does not play, and players on one device have no accounts.
    """
    if match.table.is_one_device:
        return match.opened_by
    return next(playing_people(match), match.opened_by)


def has_run_out(match: Match, seat: int) -> bool:
    """Return whether the person who began on the seat has let its clock run out."""
    if not match.starters:
        return False
    starter = match.starters[seat]
    return starter.left == "timed_out" and starter.actor == match.seats[seat].actor


def is_left_to_bots(match: Match) -> bool:
    """Return whether a running match with all seats taken has only bots left.

    Matches of tournaments, leagues and arbitration do not count, nor do demonstrations or retired rules.
    """
    if match.status != "running" or match.is_retired or any(info.actor is None for info in match.seats):
        return False
    is_official = match.table.event_id or match.docket.dispute or match.docket.ruling
    return not is_official and not is_attended(match)


def plays_unrated_with_bots(match: Match) -> bool:
    """Return whether the match is unfinished, unrated and has a bot on a seat.

    Practice matches and matches of tournaments, leagues, arbitration and retired rules do not count.
    """
    is_official = match.table.counts or match.docket.dispute or match.docket.ruling
    if is_official or match.practice or match.is_over or match.is_retired:
        return False
    return any(info.is_bot for info in match.seats)


def leaves_bots_alone(match: Match, seat: int) -> bool:
    """Return whether only bots and players who resigned hold the other seats."""
    return all(info.is_bot or info.resigned for other, info in enumerate(match.seats) if other != seat)


def are_bots(players: Iterable[Actor | None]) -> bool:
    """Return whether every seat is taken and held by a bot."""
    return all(is_bot(player) for player in players)


def require_bot_room(opener: Actor, running: int, limit: int) -> None:
    """Raise `TooManyBotTables` if the opener has `limit` or more running tables that only bots play."""
    if running >= limit:
        sentence = f"{opener!r} already has {running} running bot-only tables; the limit is {limit}"
        raise TooManyBotTables(sentence, {"tables": running, "most": limit})


def require_room_with_bots(opener: Actor, unfinished: int, limit: int) -> None:
    """Raise `TooManyTablesWithBots` if the opener has `limit` or more unrated tables with bots that have not ended."""
    if unfinished >= limit:
        sentence = f"{opener!r} already has {unfinished} unfinished unrated tables with bots; the limit is {limit}"
        raise TooManyTablesWithBots(sentence, {"tables": unfinished, "most": limit})
