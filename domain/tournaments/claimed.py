"""Facts of results that players enter themselves: what a seat says, who agrees, and a code that is another one."""

from collections.abc import Sequence
from uuid import UUID

from domain.kernel.values import replace
from domain.matches.facts import SERVICE, Actor
from domain.standings.contest import Claim, GivenResult, RoundTable
from domain.tournaments.fact import Text, TournamentFact


class ResultClaimed(TournamentFact, frozen=True):
    """A player of a table face to face says what it came to, by seats. `key`: what the same message is known by when it
    comes again. It counts nothing by itself; with it, or with a later confirmation, comes `ResultEntered`."""

    round: int
    table: int
    entry: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    key: UUID


class ResultConfirmed(TournamentFact, frozen=True):
    """A player of the table says the same as another entry has said; in the place of what they said before."""

    round: int
    table: int
    entry: str
    agrees_with: str
    key: UUID


class CodeRenewed(TournamentFact, frozen=True):
    """From now on the code of an entry is another one; the codes themselves are in no record. Older ones have no
    reason."""

    by: Actor
    entry: str
    reason: Text = ""


def claims_after(table: RoundTable, fact: ResultClaimed | ResultConfirmed) -> tuple[Claim, ...]:
    """What the players of a table say after one of them has spoken: the newest word of each."""
    known = {claim.entry: claim for claim in table.claims}
    before = known.pop(fact.entry, None)
    keys = (*(before.keys if before else ()), fact.key)
    if isinstance(fact, ResultConfirmed):
        return (*known.values(), replace(known[fact.agrees_with], entry=fact.entry, keys=keys))
    return (*known.values(), Claim(fact.entry, fact.scores, fact.places, keys))


def is_of_players(given: GivenResult) -> bool:
    """The result counts by the word of players, and no organiser has decided it."""
    return given.by == SERVICE and not given.ruled


def is_contradicted(table: RoundTable) -> bool:
    """Its players have said different things: an organiser decides."""
    said = {each.result for each in table.claims}
    if table.given is not None and said:
        said.add((table.given.scores, table.given.places))
    return len(said) > 1


def contradicted_tables(tables: Sequence[RoundTable]) -> tuple[int, ...]:
    """The numbers of these tables."""
    return tuple(number for number, table in enumerate(tables, start=1) if is_contradicted(table))
