"""Who was entitled to what, by the records of roles: grant by grant back to the key of the house
(docs/specifications/proof.md)."""

from collections import Counter
from typing import Any, Final, NamedTuple

from domain.matches.errors import BadSignature, LogFault, MatchError
from domain.matches.facts import SERVICE, Actor, RulingGiven
from domain.matches.log.records import Record
from domain.matches.rulings.orders import Place, check_order, place_of_ruling
from domain.proofs.match_file import Recorded
from domain.roles.state import EVERYWHERE, ROLES, Role, RoleGranted, RoleRevoked, check_change
from domain.signatures.acts import Signed

KIND: Final = "roles"
SHOWN_MAX: Final = 8
HEAD: Final[tuple[Role, ...]] = ("head_arbiter", "operator")
ARBITER: Final[tuple[Role, ...]] = ("arbiter", *HEAD)
Held = tuple[Actor, str, str]
"""A person, a role, a scope."""


class Warrant(NamedTuple):
    """By which role somebody decided: the record that gave it, who gave that, and whether it was held still."""

    role: Role
    version: int
    by: Actor
    is_held: bool


class GivenRole(NamedTuple):
    """A grant: its record, who gave it, its keys."""

    version: int
    by: Actor
    keys: tuple[str, ...]


class Register:
    """Who held which role when, read once along the tree: what is asked comes in the order of leaves.

    Every record is examined when it is passed: whoever gave a role might, and has signed where they had a key.
    """

    def __init__(self, roles: Recorded, house: str) -> None:
        self.unsigned = 0
        """How many of the records passed are unsigned."""
        self._house = house
        self._records = iter(zip(roles.records, (line.leaf for line in roles.leaves), strict=True))
        self._next = next(self._records, None)
        self._held: dict[Held, GivenRole] = {}
        self._ever: dict[Held, GivenRole] = {}
        self._above: dict[int, int] = {}
        """Of each grant the one by which it was given; 0: by the service."""
        self._keys: dict[Actor, Counter[str]] = {}
        self._keys_ever: dict[Actor, set[str]] = {}
        self._keyless = set[Actor]()
        """Who has held a role and had no key yet: what they decided then is unsigned."""

    def read_to(self, leaf: int | None) -> None:
        """Takes in all records before a leaf; without one all there are."""
        while self._next is not None and (leaf is None or self._next[1] < leaf):
            self._take(self._next[0])
            self._next = next(self._records, None)

    def _take(self, record: Record) -> None:
        try:
            fact = ROLES.read_canonical(record)
            above = self._warrant_to_grant(fact)
            check_change(fact.person, fact.role, fact.scope, fact.by, may=above is not None)
            self.unsigned += not self.check_signed(fact, Place(record.stream_id, record.version - 1, record.previous))
        except LogFault as fault:
            raise LogFault(None, KIND, f"record {record.version} of the roles: {fault.why}") from fault
        except MatchError as fault:
            raise LogFault(None, KIND, f"record {record.version} of the roles: {fault}") from fault
        self._above[record.version] = above or 0
        self._change(record.version, fact)

    def _warrant_to_grant(self, fact: RoleGranted | RoleRevoked) -> int | None:
        """The record by which somebody may give or take a role; 0 for the service."""
        if fact.by == SERVICE:
            return 0
        found = self.warrant(fact.by, EVERYWHERE, "operator")
        if found is None and fact.scope != EVERYWHERE and fact.role != "operator":
            found = self.warrant(fact.by, fact.scope, "organiser")
        return None if found is None else found.version

    def _change(self, version: int, fact: RoleGranted | RoleRevoked) -> None:
        held = (fact.person, fact.role, fact.scope)
        before = self._held.pop(held, None)
        own = self._keys.setdefault(fact.person, Counter())
        if before is not None:
            own.subtract(before.keys)
        if isinstance(fact, RoleGranted):
            self._held[held] = self._ever[held] = GivenRole(version, fact.by, fact.keys)
            own.update(fact.keys)
            ever = self._keys_ever.setdefault(fact.person, set())
            ever.update(fact.keys)
            if not ever:
                self._keyless.add(fact.person)

    def warrant(self, person: Actor, scope: str, *wanted: Role, ever: bool = False) -> Warrant | None:
        """By which of the roles somebody might decide in a scope, as far as was read; with `ever` at any time."""
        for given, is_held in ((self._held, True), *([(self._ever, False)] if ever else [])):
            for role in wanted:
                for where in dict.fromkeys((scope, EVERYWHERE)):
                    if (person, role, where) in given:
                        version, by, _ = given[person, role, where]
                        return Warrant(role, version, by, is_held)
        return None

    def lineage(self, warrant: Warrant) -> tuple[int, ...]:
        """The records by which a role leads back to the service, the newest first; a few of them, where they are
        many."""
        found, version = list[int](), warrant.version
        while version and len(found) < SHOWN_MAX:
            found.append(version)
            version = self._above[version]
        return tuple(found)

    def entitle(self, fact: RulingGiven, scope: str, *, is_repeated: bool) -> tuple[Warrant, bool]:
        """By which role somebody gave a ruling in the scope of its event, and whether it is signed."""
        wanted = HEAD if fact.appeal_of else ARBITER
        if fact.authority == "service":
            scope = EVERYWHERE
        warrant = self.warrant(fact.by, scope, *wanted, ever=is_repeated)
        if warrant is None:
            of = "the service" if fact.authority == "service" else "this match"
            why = f"{fact.by!r} was no {wanted[0].replace('_', ' ')} of {of} when the ruling was given"
            raise LogFault(None, KIND, why)
        place = None if fact.signed is None else place_of_ruling(fact)
        return warrant, self.check_signed(fact, place, ever=is_repeated)

    def describe(self, warrant: Warrant, by: Actor) -> str:
        """A warrant in words: who had which role, by whose leave."""
        role, records = warrant.role.replace("_", " "), ", ".join(map(str, self.lineage(warrant)))
        return f"{by} was {role}, by {warrant.by} (records of the roles: {records})"

    def check_signed(self, fact: Any, place: Place | None, *others: object, ever: bool = False) -> bool:
        """Whether an order is signed; `LogFault` where that is not by whoever gave it, with a key of theirs, over this
        place (what is unsigned needs none), together with these others."""
        signed: Signed | None = fact.signed
        if fact.by == SERVICE:
            known, is_needed = signed is not None and signed.key == self._house, False
        else:
            now = {key for key, count in self._keys.get(fact.by, Counter()).items() if count > 0}
            keys = self._keys_ever.get(fact.by, set()) if ever else now
            known, is_needed = signed is not None and signed.key in keys, bool(now)
            if ever:
                is_needed = bool(keys) and fact.by not in self._keyless
        if signed is None:
            if is_needed:
                raise LogFault(None, KIND, f"{fact.by!r} signs what an official does, and has not signed this")
            return False
        if not known:
            raise LogFault(None, KIND, f"it is signed with {signed.key}, which is no key of {fact.by!r} by any role")
        assert place is not None
        try:
            check_order(fact, place, *others)
        except BadSignature as fault:
            raise LogFault(None, KIND, f"the signature of {fact.by!r} is false: {fault}") from fault
        return True
