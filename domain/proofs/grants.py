"""Authority by the records of roles: every grant is traced back to the key of the service.

Specified in docs/specifications/proof.md.
"""

from collections import Counter
from datetime import datetime
from typing import Any, Final, NamedTuple

from domain.matches.errors import BadSignature, LogFault, MatchError
from domain.matches.facts import SERVICE, Actor, RulingGiven
from domain.matches.log.entries import EPOCH
from domain.matches.log.records import Record
from domain.matches.rulings.orders import StreamHead, check_order, head_of_ruling
from domain.proofs.match_file import Recorded
from domain.roles.state import EVERYWHERE, ROLES, Role, RoleGranted, RoleRevoked, check_change
from domain.signatures.acts import Signed
from domain.transparency.key_chain import KeyChain

KIND: Final = "roles"
SHOWN_MAX: Final = 8
HEAD: Final[tuple[Role, ...]] = ("head_arbiter", "operator")
ARBITER: Final[tuple[Role, ...]] = ("arbiter", *HEAD)
HeldRole = tuple[Actor, str, str]
"""A person, a role, a scope."""


class Warrant(NamedTuple):
    """The role by which a person decided: the record and author of its grant, and whether it was still held."""

    role: Role
    version: int
    by: Actor
    is_held: bool


class GivenRole(NamedTuple):
    """A grant: its record, its author and its keys."""

    version: int
    by: Actor
    keys: tuple[str, ...]


class Register:
    """The roles held at each point of the tree, read once; queries must be in the order of leaves.

    Every record is verified when it is read: its author was authorised, and has signed if they had a key.
    """

    def __init__(self, roles: Recorded, chain: KeyChain) -> None:
        self.unsigned = 0
        """The number of unsigned records read so far."""
        self._chain = chain
        self._place = (-1, EPOCH)
        """Leaf and time of the order that is examined; they decide which key the service had."""
        self._records = iter(zip(roles.records, (line.leaf for line in roles.leaves), strict=True))
        self._next = next(self._records, None)
        self._current: dict[HeldRole, GivenRole] = {}
        self._all_time: dict[HeldRole, GivenRole] = {}
        self._authorised_by: dict[int, int] = {}
        """Record of a grant -> record of the grant that authorised it; 0: the service."""
        self._keys: dict[Actor, Counter[str]] = {}
        self._keys_ever: dict[Actor, set[str]] = {}
        self._keyless = set[Actor]()
        """People who held a role before they had a key, so that decisions from then are unsigned."""

    def read_to(self, leaf: int | None, at: datetime = EPOCH) -> None:
        """Read all records before a leaf, or all with None; raise `LogFault` for the first bad one.

        An order with this leaf and time is examined next.
        """
        while self._next is not None and (leaf is None or self._next[1] < leaf):
            record, record_leaf = self._next
            self._place = (record_leaf, record.timestamp)
            self._read_record(record)
            self._next = next(self._records, None)
        if leaf is not None:
            self._place = (leaf, at)

    def _read_record(self, record: Record) -> None:
        """Apply one record of the roles and count it if it is unsigned.

        Raise `LogFault` if it is not canonical, not authorised, or its signature is false or missing.
        """
        try:
            fact = ROLES.read_canonical(record)
            authority = self._warrant_to_grant(fact)
            check_change(fact.person, fact.role, fact.scope, fact.by, is_allowed=authority is not None)
            self.unsigned += not self.check_signed(
                fact, StreamHead(record.stream_id, record.version - 1, record.previous)
            )
        except LogFault as fault:
            raise LogFault(None, KIND, f"record {record.version} of the roles: {fault.why}") from fault
        except MatchError as fault:
            raise LogFault(None, KIND, f"record {record.version} of the roles: {fault}") from fault
        self._authorised_by[record.version] = authority or 0
        self._change(record.version, fact)

    def _warrant_to_grant(self, fact: RoleGranted | RoleRevoked) -> int | None:
        """Return the record that authorises a change of roles; 0 for the service, None if there is none."""
        if fact.by == SERVICE:
            return 0
        warrant = self.warrant(fact.by, EVERYWHERE, "operator")
        if warrant is None and fact.scope != EVERYWHERE and fact.role != "operator":
            warrant = self.warrant(fact.by, fact.scope, "organiser")
        return None if warrant is None else warrant.version

    def _change(self, version: int, fact: RoleGranted | RoleRevoked) -> None:
        """Apply a change of roles: update the roles held, past roles, and the keys of the person."""
        role_key = (fact.person, fact.role, fact.scope)
        before = self._current.pop(role_key, None)
        key_counts = self._keys.setdefault(fact.person, Counter())
        if before is not None:
            key_counts.subtract(before.keys)
        if isinstance(fact, RoleGranted):
            self._current[role_key] = self._all_time[role_key] = GivenRole(version, fact.by, fact.keys)
            key_counts.update(fact.keys)
            all_keys = self._keys_ever.setdefault(fact.person, set())
            all_keys.update(fact.keys)
            if not all_keys:
                self._keyless.add(fact.person)

    def warrant(self, person: Actor, scope: str, *role_names: Role, include_past: bool = False) -> Warrant | None:
        """Return the warrant by which a person may decide in a scope, or None. `include_past`: also by a past role.

        Wanted roles go in order, each first in the scope, then everywhere; held roles go before past ones.
        """
        for grants, is_held in ((self._current, True), *([(self._all_time, False)] if include_past else [])):
            for role in role_names:
                for candidate in dict.fromkeys((scope, EVERYWHERE)):
                    if (person, role, candidate) in grants:
                        version, by, _ = grants[person, role, candidate]
                        return Warrant(role, version, by, is_held)
        return None

    def lineage(self, warrant: Warrant) -> tuple[int, ...]:
        """Return the records that trace a role back to the service, latest first, at most `SHOWN_MAX`."""
        versions, version = list[int](), warrant.version
        while version and len(versions) < SHOWN_MAX:
            versions.append(version)
            version = self._authorised_by[version]
        return tuple(versions)

    def entitle(self, fact: RulingGiven, scope: str, *, is_repeated: bool) -> tuple[Warrant, bool]:
        """Return the warrant for a ruling in the scope of its event, and whether the ruling is signed.

        Appeals need a head arbiter; a repeated ruling may rest on a past role. Raise `LogFault` without such a
        role, or for a missing or false signature.
        """
        role_names = HEAD if fact.appeal_of else ARBITER
        if fact.authority == "service":
            scope = EVERYWHERE
        warrant = self.warrant(fact.by, scope, *role_names, include_past=is_repeated)
        if warrant is None:
            of = "the service" if fact.authority == "service" else "this match"
            why = (
                f"{fact.by!r} did not have the role {role_names[0].replace('_', ' ')} of {of} when the ruling was given"
            )
            raise LogFault(None, KIND, why)
        head = None if fact.signed is None else head_of_ruling(fact)
        return warrant, self.check_signed(fact, head, include_past=is_repeated)

    def describe(self, warrant: Warrant, by: Actor) -> str:
        """Describe a warrant: person, role and granter."""
        role, records = warrant.role.replace("_", " "), ", ".join(map(str, self.lineage(warrant)))
        return f"{by} was {role}, granted by {warrant.by} (records of roles: {records})"

    def check_signed(self, fact: Any, head: StreamHead | None, *others: object, include_past: bool = False) -> bool:
        """Return whether an order is signed; raise `LogFault` if it should be, or if the signature is false.

        The signature must be by a key of the author, with `include_past` also a former one, over this head, together
        with the other orders. Only the service, and people without a key, need not sign.
        """
        signed: Signed | None = fact.signed
        if fact.by == SERVICE:
            is_known, is_needed = signed is not None and self._chain.may_sign(signed.key, *self._place), False
        else:
            now = {key for key, count in self._keys.get(fact.by, Counter()).items() if count > 0}
            keys = self._keys_ever.get(fact.by, set()) if include_past else now
            is_known, is_needed = signed is not None and signed.key in keys, bool(now)
            if include_past:
                is_needed = bool(keys) and fact.by not in self._keyless
        if signed is None:
            if is_needed:
                raise LogFault(None, KIND, f"{fact.by!r} must sign as an official, but has not signed this")
            return False
        if not is_known:
            raise LogFault(None, KIND, f"it is signed with {signed.key}, which is not a key of {fact.by!r} in any role")
        assert head is not None
        try:
            check_order(fact, head, *others)
        except BadSignature as fault:
            raise LogFault(None, KIND, f"invalid signature of {fact.by!r}: {fault}") from fault
        return True
