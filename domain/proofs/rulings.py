"""Authority for the rulings in the log of a proof (docs/specifications/proof.md)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from domain.matches.errors import LogFault
from domain.matches.facts import RulingGiven
from domain.matches.log.entries import peek_fact_type
from domain.matches.log.log_files import LogFile
from domain.proofs.grants import KIND, Register
from domain.proofs.match_file import ProofFile
from domain.transparency.key_chain import KeyChain

RULING: Final = "ruling_given"
FORK: Final = "match_forked"
UNGRANTED: Final = "rulings: the roles of their authors are not in the file"
OTHER_RULES: Final = "rulings: the match started on another service, or before this one signed, so other roles apply"
NOT_SIGNED: Final = "rulings: {count} unsigned records of roles, stated by the service only"
RULED_UNSIGNED: Final = "rulings: {count} by officials without a key, stated by the service only"


class TableExcerpt(msgspec.Struct, frozen=True):
    """The event of a table."""

    event: str | None = None


class OpeningExcerpt(msgspec.Struct, frozen=True):
    """The event and the service of an opening."""

    table: TableExcerpt
    house: str = ""


class ForkExcerpt(msgspec.Struct, frozen=True):
    """The ruling by which a fork replaced another line; empty if none."""

    ruling: str = ""


class LoggedRuling(NamedTuple):
    """A ruling at an entry of a log; `is_repeated`: a valid ruling copied from a replaced line."""

    entry: int
    fact: RulingGiven
    is_repeated: bool


class RulingsShown(NamedTuple):
    """The verified authority for rulings in words, and open points."""

    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def opening_of(log: LogFile) -> OpeningExcerpt:
    """Return the event and the service that a log states."""
    return msgspec.json.decode(log.entries[0].body, type=OpeningExcerpt)


def rulings_in(log: LogFile) -> Iterator[LoggedRuling]:
    """Yield the rulings of a valid log, with whether each is repeated from an earlier line.

    After a fork by a ruling, earlier valid rulings are repeated before that ruling.
    """
    repeated_until = ""
    for entry in log.entries:
        kind = peek_fact_type(entry).type
        if kind == FORK:
            repeated_until = msgspec.json.decode(entry.body, type=ForkExcerpt).ruling
        elif kind == RULING:
            fact = msgspec.json.decode(entry.body, type=RulingGiven)
            repeated_until = "" if fact.ruling == repeated_until else repeated_until
            yield LoggedRuling(entry.version, fact, repeated_until != "")


def examine_rulings(proof: ProofFile, chain: KeyChain) -> RulingsShown:
    """Verify every ruling against the roles in the file; raise `LogFault` for the first unauthorised one.

    Without any roles, or for a match of another service, rulings are only listed as unchecked.
    """
    opening, rulings = opening_of(proof.log), tuple(rulings_in(proof.log))
    register = Register(proof.roles, chain)
    if rulings and not proof.roles.records:
        return RulingsShown(unchecked=(UNGRANTED,))
    if rulings and not chain.has(opening.house):
        register.read_to(None)
        return RulingsShown(unchecked=(OTHER_RULES,))
    checked, unsigned = list[str](), 0
    for logged in rulings:
        register.read_to(proof.leaves[logged.entry - 1].leaf, proof.log.entries[logged.entry - 1].timestamp)
        try:
            warrant, is_signed = register.entitle(
                logged.fact, opening.table.event or "", is_repeated=logged.is_repeated
            )
        except LogFault as fault:
            raise LogFault(logged.entry, KIND, fault.why) from fault
        unsigned += not is_signed
        checked.append(f"the ruling of entry {logged.entry}: {register.describe(warrant, logged.fact.by)}")
    register.read_to(None)
    unchecked = [NOT_SIGNED.format(count=register.unsigned)] if rulings and register.unsigned else []
    return RulingsShown(tuple(checked), (*unchecked, *([RULED_UNSIGNED.format(count=unsigned)] if unsigned else [])))
