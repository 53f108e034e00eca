"""Authority for the records of a tournament: who decided, and whether it is signed or follows from other records.

Specified in docs/specifications/proof.md, *Authority in tournaments*.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from domain.contests.deadlines import Consequence
from domain.contests.errors import ContestRefused
from domain.kernel.values import Value, replace
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE, Actor
from domain.matches.log.records import Record, has_signature_field
from domain.matches.rulings.orders import StreamHead
from domain.proofs.grants import KIND as ROLES
from domain.proofs.grants import Register
from domain.tournaments import facts as event_facts
from domain.tournaments.claim_facts import ResultClaimed, ResultConfirmed
from domain.tournaments.derivation import (
    NEEDS_RESULTS,
    followers,
    is_own,
    require_derivable,
    require_possible,
    take_expected,
)
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.moments import Moment
from domain.tournaments.orders import ORDERS, is_order
from domain.tournaments.state import Tournament

Ground = Literal["signed", "unsigned", "own", "rule", "console"]
"""Why an act counts.

Signed by an official; by an official without a key; by a person about their own entry; by the service, as earlier
records imply; by the console of the service that organises the tournament.
"""


class Act(Value, frozen=True):
    """A record that can change who plays, who wins or by which rule; `is_late`: after the end of the tournament."""

    record: int
    kind: str
    by: Actor
    ground: Ground
    is_late: bool = False


class Pending(NamedTuple):
    """An order by the service whose agreement with the results is still to be checked, and the state before it."""

    record: int
    state: Tournament
    fact: Any


class DeadlineRuling(NamedTuple):
    """A ruling of the service at a deadline, with the consequence in the calendar at that time."""

    fact: event_facts.ResultRuled
    consequence: Consequence


class Authority:
    """The judge of the records of a tournament, one after the other."""

    def __init__(self, register: Register, records: Sequence[Record], facts: Sequence[Any]) -> None:
        self.acts: list[Act] = []
        self.pending: list[Pending] = []
        self.rulings: dict[tuple[int, int], DeadlineRuling] = {}
        """The latest ruling of the service at a deadline, by round and table."""
        self.orders = self.signed = 0
        """The number of orders by officials, and of signed ones."""
        self.claims = sum(isinstance(fact, ResultClaimed | ResultConfirmed) for fact in facts)
        self._register = register
        self._records = records
        self._facts = facts
        self._expected: tuple[Any, ...] = ()
        """The records that must follow (`followers`)."""

    def judge(self, state: Tournament, index: int, leaf: int) -> None:
        """Judge a record by the state before it; raise `LogFault` for an order without a right, or unsigned.

        Raise `TournamentRefused` for a record of format 2 that is not possible, or by the service without a rule.
        """
        fact = self._facts[index]
        self._register.read_to(leaf, self._records[index].timestamp)
        if state.format > 1:
            self._judge_second(state, index)
        elif is_order(state, fact):
            self._add(state, index, self._ground_of_order(state, index))
        elif type(fact) in ORDERS:
            self._add(state, index, self._ground_unjudged(state, fact))

    def _ground_unjudged(self, state: Tournament, fact: Any) -> Ground:
        """Return the ground of an act of format 1 that nothing proves."""
        return "own" if is_own(state, fact) else "unsigned"

    def _add(self, state: Tournament, index: int, ground: Ground) -> None:
        fact = self._facts[index]
        kind = self._records[index].tag.partition(".")[2]
        self.acts.append(Act(index + 1, kind, fact.by, ground, state.status == "ended"))

    def _judge_second(self, state: Tournament, index: int) -> None:
        """Judge a record of format 2."""
        fact = self._facts[index]
        is_follower, self._expected = take_expected(self._expected, fact)
        if type(fact) not in ORDERS:
            if not is_follower:
                require_possible(state, fact)
            return
        require_possible(state, fact)
        ground = "rule" if is_follower and fact.by == SERVICE else self._ground(state, index)
        if state.status == "ended" and ground not in ("signed", "console"):
            raise TournamentRefused("after the end only a signed correction counts")
        self._add(state, index, ground)
        self._expected = self._expected or followers(state, fact)
        if ground == "rule" and isinstance(fact, event_facts.ResultRuled):
            self.rulings[fact.round, fact.table] = DeadlineRuling(fact, state.calendar.consequence)
        if ground == "rule" and isinstance(fact, NEEDS_RESULTS):
            self.pending.append(Pending(index + 1, state, fact))

    def settle_pending(self, unfitting: Sequence[Pending]) -> None:
        """Keep the orders by the service that do not agree with the results; the console may decide without a rule."""
        at_console = {each.record for each in unfitting if each.state.organiser == SERVICE}
        self.acts = [replace(act, ground="console") if act.record in at_console else act for act in self.acts]
        self.pending = [each for each in unfitting if each.record not in at_console]

    def _ground(self, state: Tournament, index: int) -> Ground:
        """Return why an order of format 2 counts; raise `LogFault` or `TournamentRefused` if it does not."""
        fact, record = self._facts[index], self._records[index]
        if fact.by == SERVICE:
            self._is_signed(state, index)
            try:
                require_derivable(state, fact, Moment(record.timestamp, record.previous, self._facts[index - 1]))
            except (ContestRefused, NoSuchRound):
                if state.organiser != SERVICE:
                    raise
                return "console"
            return "rule"
        if fact.signed is None and is_own(state, fact):
            return "own"
        return self._ground_of_order(state, index)

    def _ground_of_order(self, state: Tournament, index: int) -> Ground:
        """Return whether an order is signed, and count it."""
        is_signed = self._is_signed(state, index)
        self.orders += 1
        self.signed += is_signed
        return "signed" if is_signed else "unsigned"

    def _is_signed(self, state: Tournament, index: int) -> bool:
        """Return whether an order is signed; raise `LogFault` if it should be, or if its author had no right."""
        fact, record = self._facts[index], self._records[index]
        is_own_event = fact.by in (SERVICE, state.organiser)
        if not is_own_event and self._register.warrant(fact.by, str(state.id), "organiser", "operator") is None:
            raise LogFault(None, ROLES, f"{fact.by!r} was not an organiser of the tournament")
        head = StreamHead(record.stream_id, index, record.previous)
        if fact.signed is None or not fact.signed.version:
            return self._register.check_signed(fact, head)
        first = fact.signed.version
        if not 0 < first <= index or (first < index and not is_signed_with(fact, self._facts[index - 1])):
            raise LogFault(None, ROLES, f"it is signed together with record {first + 1}, but does not follow its order")
        if first < index:
            return True
        others = tuple(takewhile(lambda other: is_signed_with(fact, other), self._facts[index + 1 :]))
        return self._register.check_signed(fact, head, *others)


def is_signed_with(fact: Any, other: Any) -> bool:
    """Return whether two orders were signed together."""
    return has_signature_field(other) and (other.by, other.signed) == (fact.by, fact.signed)
