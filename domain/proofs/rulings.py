"""Who was entitled to the rulings in the log of a proof (docs/specifications/proof.md)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from domain.matches.errors import LogFault
from domain.matches.facts import RulingGiven
from domain.matches.log.entries import first_look
from domain.matches.log.file import LogFile
from domain.proofs.grants import KIND, Register
from domain.proofs.match_file import ProofFile

RULING: Final = "ruling_given"
FORK: Final = "match_forked"
UNGRANTED: Final = "rulings: the grants of the roles behind them are not in the file"
OTHER_RULES: Final = "rulings: the match was not begun in this house, or before it signed, so the roles of others count"
NOT_SIGNED: Final = "rulings: {count} of the records behind them are unsigned; that they were made so the house says"
RULED_UNSIGNED: Final = "rulings: {count} are by officials without a key; that they gave them the house says"


class TableLook(msgspec.Struct, frozen=True):
    """Of what event a table is."""

    event: str | None = None


class OpenedLook(msgspec.Struct, frozen=True):
    """What the opening says of event and house."""

    table: TableLook
    house: str = ""


class ForkLook(msgspec.Struct, frozen=True):
    """By which ruling a fork took the place of another line, if by any."""

    ruling: str = ""


class Ruled(NamedTuple):
    """A ruling of a log, at which entry; `is_repeated`: it still stands in a line that took another's place."""

    entry: int
    fact: RulingGiven
    is_repeated: bool


class RulingsShown(NamedTuple):
    """Who was entitled to rule, in words, and what that leaves open."""

    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def opening_of(log: LogFile) -> OpenedLook:
    """The event and the house that a log says it is of."""
    return msgspec.json.decode(log.entries[0].body, type=OpenedLook)


def rulings_in(log: LogFile) -> Iterator[Ruled]:
    """The rulings of a log that was found good.

    After a fork by a ruling those that still stand are repeated, then that one is given.
    """
    owed = ""
    for entry in log.entries:
        kind = first_look(entry).type
        if kind == FORK:
            owed = msgspec.json.decode(entry.body, type=ForkLook).ruling
        elif kind == RULING:
            fact = msgspec.json.decode(entry.body, type=RulingGiven)
            owed = "" if fact.ruling == owed else owed
            yield Ruled(entry.version, fact, owed != "")


def examine_rulings(proof: ProofFile) -> RulingsShown:
    """Every ruling against the roles in the file; `LogFault` at the first by somebody who was not entitled to it."""
    house, opened, rulings = proof.keys[0].public.hex(), opening_of(proof.log), tuple(rulings_in(proof.log))
    register = Register(proof.roles, house)
    if rulings and not proof.roles.records:
        return RulingsShown(unchecked=(UNGRANTED,))
    if rulings and opened.house != house:
        register.read_to(None)
        return RulingsShown(unchecked=(OTHER_RULES,))
    checked, unsigned = list[str](), 0
    for ruled in rulings:
        register.read_to(proof.leaves[ruled.entry - 1].leaf)
        try:
            warrant, is_signed = register.entitle(ruled.fact, opened.table.event or "", is_repeated=ruled.is_repeated)
        except LogFault as fault:
            raise LogFault(ruled.entry, KIND, fault.why) from fault
        unsigned += not is_signed
        checked.append(f"the ruling of entry {ruled.entry}: {register.describe(warrant, ruled.fact.by)}")
    register.read_to(None)
    unchecked = [NOT_SIGNED.format(count=register.unsigned)] if rulings and register.unsigned else []
    return RulingsShown(tuple(checked), (*unchecked, *([RULED_UNSIGNED.format(count=unsigned)] if unsigned else [])))
