"""Results entered by the players of face-to-face tables: when they count, and when they contradict."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from domain.matches.facts import SERVICE, Actor
from domain.standings.contest import RoundTable
from domain.standings.results import check_order, check_result
from domain.tournaments import facts
from domain.tournaments.claim_facts import CodeRenewed, ResultClaimed, ResultConfirmed, is_of_players
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.registration import entry_named, require_not_ended, require_reason
from domain.tournaments.rounds import needs_match, table_of
from domain.tournaments.state import Tournament

CLAIMS_MAX: Final = 12
"""Claims that one entry may make about a table, so that no one can flood the log."""


def claim(
    state: Tournament,
    number: int,
    table: int,
    entry: str,
    scores: Sequence[int],
    places: Sequence[int],
    key: UUID,
    *,
    sure: bool = False,
) -> tuple[facts.Fact, ...]:
    """Decide the facts that follow when an entry claims a result; a repeated claim gives none.

    The result is entered as soon as enough entries agree and none disagrees. Raise `TournamentRefused` if the entry
    is not at the table, the round is not open or the table is played on this server, an organiser has entered
    another result, or its `CLAIMS_MAX` claims are used up; `NoSuchRound` for an unknown table, `WrongResult` for an
    invalid result, and `PlacesContradict` for contradictory places without `sure`.
    """
    round_table = require_claimable_table(state, number, table)
    if entry not in round_table.entries:
        raise TournamentRefused(f"{entry} is not seated at table {table} of round {number}")
    by_entry = {each.entry: each for each in round_table.claims}
    own_claim, claimed = by_entry.get(entry), (tuple(scores), tuple(places))
    if own_claim is not None and (key in own_claim.keys or own_claim.result == claimed):
        return ()
    if round_table.given is not None and not is_of_players(round_table.given):
        if (round_table.given.scores, round_table.given.places) == claimed:
            return ()
        raise TournamentRefused(f"an organiser has entered the result of table {table}; contact them about errors")
    check_result(len(round_table.entries), scores, places)
    if not sure:
        check_order(scores, places)
    if own_claim is not None and len(own_claim.keys) >= CLAIMS_MAX:
        raise TournamentRefused(
            f"{entry} has entered {CLAIMS_MAX} results for table {table}; only an organiser can enter another one"
        )
    others = [each for each in round_table.claims if each.entry != entry]
    agreeing = [each.entry for each in others if each.result == claimed]
    fact: facts.Fact = ResultClaimed(number, table, entry, *claimed, key)
    if agreeing:
        fact = ResultConfirmed(number, table, entry, agreeing[0], key)
    is_enough = len(agreeing) + 1 >= agreements_needed(state, round_table) and len(agreeing) == len(others)
    if round_table.given is not None or not is_enough:
        return (fact,)
    return fact, facts.ResultEntered(SERVICE, number, table, *claimed)


def require_claimable_table(state: Tournament, number: int, table: int) -> RoundTable:
    """Return a face-to-face table of an open round, whose players may enter its result.

    Raise `TournamentRefused` if it is played on this server or its round is not open, `NoSuchRound` if it is
    unknown.
    """
    round_table = table_of(state, number, table)
    if needs_match(state, round_table):
        raise TournamentRefused(f"table {table} of round {number} is played online; its result comes from the match")
    status = state.rounds[number - 1].status
    if status != "opened":
        raise TournamentRefused(f"round {number} is {status}; only an organiser can enter results now")
    return round_table


def agreements_needed(state: Tournament, table: RoundTable) -> int:
    """Return the number of entries that must agree: two, or with `confirm_all` everyone present but bots.

    At least two, so that a table with a single player needs an organiser.
    """
    if not state.plan.confirm_all:
        return 2
    return max(2, sum(name not in table.absent and not entry_named(state, name).is_bot for name in table.entries))


def renew_code(state: Tournament, entry: str, by: Actor, reason: str) -> CodeRenewed:
    """Renew the code of an entry, because it was lost or seen by others.

    Raise `TournamentRefused` without a reason or after the end, `NoSuchEntry` if it is unknown.
    """
    require_not_ended(state)
    entry_named(state, entry)
    return CodeRenewed(by, entry, require_reason(reason, "another code"))
