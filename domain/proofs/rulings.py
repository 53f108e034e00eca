"""Who was entitled to the rulings in the log of a proof (docs/specifications/proof.md)."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from domain.matches.errors import LogFault
from domain.matches.facts import Actor, RulingGiven
from domain.matches.log.entries import first_look
from domain.matches.log.file import LogFile
from domain.matches.log.proof import ProofFile
from domain.matches.rulings.orders import place_of_ruling
from domain.proofs.grants import KIND, Register, Warrant
from domain.roles.state import EVERYWHERE, Role

RULING: Final = "ruling_given"
FORK: Final = "match_forked"
HEAD: Final[tuple[Role, ...]] = ("head_arbiter", "operator")
ARBITER: Final[tuple[Role, ...]] = ("arbiter", *HEAD)
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
        warrant, is_signed = entitled(register, ruled, opened.table.event or "")
        unsigned += not is_signed
        checked.append(told(ruled, warrant, register))
    register.read_to(None)
    unchecked = [NOT_SIGNED.format(count=register.unsigned)] if rulings and register.unsigned else []
    return RulingsShown(tuple(checked), (*unchecked, *([RULED_UNSIGNED.format(count=unsigned)] if unsigned else [])))


def entitled(register: Register, ruled: Ruled, scope: str) -> tuple[Warrant, bool]:
    """By which role somebody ruled, and whether it is signed."""
    fact = ruled.fact
    wanted = HEAD if fact.appeal_of else ARBITER
    if fact.authority == "service":
        scope = EVERYWHERE
    warrant = register.warrant(fact.by, scope, *wanted, ever=ruled.is_repeated)
    if warrant is None:
        of = "the service" if fact.authority == "service" else "this match"
        why = f"{fact.by!r} was no {wanted[0].replace('_', ' ')} of {of} when the ruling was given"
        raise LogFault(ruled.entry, KIND, why)
    try:
        place = None if fact.signed is None else place_of_ruling(fact)
        return warrant, register.check_signed(fact, place, ever=ruled.is_repeated)
    except LogFault as fault:
        raise LogFault(ruled.entry, KIND, fault.why) from fault


def told(ruled: Ruled, warrant: Warrant, register: Register) -> str:
    """Who ruled, as what, by whose leave."""
    by: Actor = ruled.fact.by
    role, records = warrant.role.replace("_", " "), ", ".join(map(str, register.lineage(warrant)))
    return f"the ruling of entry {ruled.entry}: {by} was {role}, by {warrant.by} (records of the roles: {records})"
