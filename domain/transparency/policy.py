"""Trust policies (C2SP tlog-policy, as of July 2026): known logs and witnesses, and the quorum of a checkpoint.

Names, URLs and comments are opaque octets and therefore bytes here.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from domain.transparency.errors import Malformed
from domain.transparency.notes import COSIGNATURE, ED25519, NOTE_BYTES_MAX, VerifierKey, parse_key

NONE: Final = b"none"
"""The predefined name of the quorum that needs no cosignature."""
ALL: Final = b"all"
ANY: Final = b"any"
TRUSTED: Final = b"trusted"
LINES_MAX: Final = 256
"""Maximum numbers of logs, of witnesses and of groups; the specification recommends at least 32 each."""
BLANK: Final = re.compile(rb"[ \t]+")
CONTROL: Final = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
THRESHOLD: Final = re.compile(rb"[1-9][0-9]{0,2}")

T = TypeVar("T")


class PolicyLog(NamedTuple):
    """A log: its verifier key, and its URL or an empty text."""

    key: VerifierKey
    url: bytes = b""


class PolicyWitness(NamedTuple):
    """A witness: its name within the policy, its verifier key, and its URL or an empty text."""

    name: bytes
    key: VerifierKey
    url: bytes = b""


class PolicyGroup(NamedTuple):
    """A group that has witnessed a checkpoint if at least `threshold` of its members have."""

    name: bytes
    threshold: int
    members: tuple[bytes, ...]


class Policy(NamedTuple):
    """Known logs, and which witnesses together are enough; members of groups are defined before them."""

    logs: tuple[PolicyLog, ...] = ()
    witnesses: tuple[PolicyWitness, ...] = ()
    groups: tuple[PolicyGroup, ...] = ()
    quorum: bytes = NONE
    """The name of a witness or group, or `NONE`."""

    def __bytes__(self) -> bytes:
        """Return the policy file: logs, witnesses, groups, quorum, a line each, with single spaces."""
        lines = [
            *((b"log", str(log.key).encode(), log.url) for log in self.logs),
            *((b"witness", each.name, str(each.key).encode(), each.url) for each in self.witnesses),
            *((b"group", each.name, threshold_text(each), *each.members) for each in self.groups),
            (b"quorum", self.quorum),
        ]
        return b"".join(b" ".join(filter(None, line)) + b"\n" for line in lines)

    @property
    def log_keys(self) -> tuple[VerifierKey, ...]:
        """The keys of the known logs."""
        return tuple(log.key for log in self.logs)

    @property
    def witness_keys(self) -> tuple[VerifierKey, ...]:
        """The keys of the known witnesses."""
        return tuple(witness.key for witness in self.witnesses)

    def is_met(self, cosigners: Collection[VerifierKey]) -> bool:
        """Return whether these witnesses together reach the quorum; unknown keys do not count."""
        met = {witness.name for witness in self.witnesses if witness.key in cosigners}
        for group in self.groups:
            if sum(member in met for member in group.members) >= group.threshold:
                met.add(group.name)
        return self.quorum == NONE or self.quorum in met

    def describe_quorum(self) -> str:
        """Describe the quorum by the names of the witnesses' keys, such as `2 of (a, b, c)`."""
        described = {witness.name: witness.key.name for witness in self.witnesses}
        for group in self.groups:
            members = ", ".join(described[member] for member in group.members)
            described[group.name] = f"{group.threshold} of ({members})"
        return described.get(self.quorum, "no witness")


def threshold_text(group: PolicyGroup) -> bytes:
    """Return the threshold as written in a policy file: `all`, `any` or a number."""
    if group.threshold == len(group.members):
        return ALL
    return ANY if group.threshold == 1 else str(group.threshold).encode()


def policy_of_keys(keys: Sequence[VerifierKey]) -> Policy:
    """Return the policy of a plain list of trusted keys: any one of its witnesses suffices, none without witnesses."""
    logs = tuple(PolicyLog(key) for key in keys if key.kind == ED25519)
    witnesses = tuple(PolicyWitness(str(key).encode(), key) for key in keys if key.kind == COSIGNATURE)
    if not witnesses:
        return Policy(logs)
    return Policy(logs, witnesses, (PolicyGroup(TRUSTED, 1, tuple(each.name for each in witnesses)),), TRUSTED)


class PolicyReader:
    """The definitions read so far; each method takes the items of a line after the keyword."""

    def __init__(self) -> None:
        self.logs = list[PolicyLog]()
        self.witnesses = list[PolicyWitness]()
        self.groups = list[PolicyGroup]()
        self.quorum: bytes | None = None
        self._names, self._members = set[bytes](), set[bytes]()

    def log(self, *items: bytes) -> None:
        """Read `<vkey> [<url>]`."""
        key, url = with_url(items, 1, "log <vkey> [<url>]")
        add(self.logs, PolicyLog(new_key(key[0], ED25519, [each.key for each in self.logs]), url))

    def witness(self, *items: bytes) -> None:
        """Read `<name> <vkey> [<url>]`."""
        (name, key), url = with_url(items, 2, "witness <name> <vkey> [<url>]")
        verifier_key = new_key(key, COSIGNATURE, [each.key for each in self.witnesses])
        add(self.witnesses, PolicyWitness(self._new_name(name), verifier_key, url))

    def group(self, *items: bytes) -> None:
        """Read `<name> all|any|<k> <name>...`."""
        if len(items) < 3:
            raise Malformed("expected group <name> all|any|<k> <name>...")
        name, threshold, *members = items
        for member in members:
            self._require_defined(member)
            if member in self._members:
                raise Malformed(f"{quote_name(member)} is listed as a member twice")
            self._members.add(member)
        add(self.groups, PolicyGroup(self._new_name(name), parse_threshold(threshold, len(members)), tuple(members)))

    def set_quorum(self, *items: bytes) -> None:
        """Read `<name>`."""
        if len(items) != 1:
            raise Malformed("expected quorum <name>")
        if self.quorum is not None:
            raise Malformed("a policy has only one quorum")
        (self.quorum,) = items
        if self.quorum != NONE:
            self._require_defined(self.quorum)

    def _new_name(self, name: bytes) -> bytes:
        if name == NONE or name in self._names:
            raise Malformed(f"the name {quote_name(name)} is already in use")
        self._names.add(name)
        return name

    def _require_defined(self, name: bytes) -> None:
        if name not in self._names:
            raise Malformed(f"no witness or group {quote_name(name)} is defined above")


def add(definitions: list[T], definition: T) -> None:
    """Append a definition; raise `Malformed` above `LINES_MAX`."""
    if len(definitions) == LINES_MAX:
        raise Malformed(f"more than {LINES_MAX} of these lines")
    definitions.append(definition)


def with_url(items: Sequence[bytes], count: int, expected: str) -> tuple[Sequence[bytes], bytes]:
    """Return the first `count` items, and the URL after them or an empty text; raise `Malformed` for another number."""
    if not count <= len(items) <= count + 1:
        raise Malformed(f"expected {expected}")
    return items[:count], b"".join(items[count:])


def new_key(text: bytes, kind: bytes, known: Sequence[VerifierKey]) -> VerifierKey:
    """Parse a key of a kind; raise `Malformed` if it is invalid, or wraps the same public key as a known one."""
    try:
        key = parse_key(text.decode(), [kind])
    except UnicodeDecodeError:
        raise Malformed("the name of a key must be UTF-8") from None
    if any(key.public == each.public for each in known):
        raise Malformed(f"the key of {key.name[:60]!r} is listed twice")
    return key


def parse_threshold(text: bytes, count: int) -> int:
    """Parse the threshold of a group of `count` members: `all`, `any`, or a number from 1 to `count`."""
    if text in (ALL, ANY):
        return count if text == ALL else 1
    if THRESHOLD.fullmatch(text) is None or int(text) > count:
        raise Malformed(f"the threshold {quote_name(text)} must be all, any or a number from 1 to {count}")
    return int(text)


KEYWORDS: Final[Mapping[bytes, Callable[..., None]]] = {
    b"log": PolicyReader.log,
    b"witness": PolicyReader.witness,
    b"group": PolicyReader.group,
    b"quorum": PolicyReader.set_quorum,
}


def quote_name(name: bytes) -> str:
    """Return the beginning of a name for a message, in quotation marks."""
    return repr(name[:60].decode(errors="backslashreplace"))


def items_in(line: bytes) -> list[bytes]:
    """Return the items of a line; none for an empty line or a comment."""
    items = [item for item in BLANK.split(line) if item]
    return [] if items and items[0].startswith(b"#") else items


def parse_policy(data: bytes) -> Policy:
    """Parse a policy file; the newline of its last line may be missing.

    Raise `Malformed`, naming the line, if it is not in the format or too large, or if there is no quorum.
    """
    if len(data) > NOTE_BYTES_MAX:
        raise Malformed(f"more than {NOTE_BYTES_MAX:,} bytes")
    reader = PolicyReader()
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            if CONTROL.search(line):
                raise Malformed("control characters other than tab and newline are not allowed")
            for keyword, *items in filter(None, [items_in(line)]):
                if keyword not in KEYWORDS:
                    raise Malformed(f"{quote_name(keyword)} is not one of log, witness, group, quorum")
                KEYWORDS[keyword](reader, *items)
        except Malformed as fault:
            raise Malformed(f"line {number}: {fault}") from fault
    if reader.quorum is None:
        raise Malformed("there is no quorum line")
    return Policy(tuple(reader.logs), tuple(reader.witnesses), tuple(reader.groups), reader.quorum)
