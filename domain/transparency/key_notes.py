"""Signed notes that name the root key of a log or change its key; specified in `docs/specifications/keys.md`."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple, get_args

from domain.transparency.checkpoints import parse_hash, parse_size
from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.keys import is_signed
from domain.transparency.notes import ED25519, Note, VerifierKey, encode, parse_key

CHANGE: Final = "esporles.key-change/1"
ROOT: Final = "esporles.root/1"
"""First lines; the second line of a checkpoint is a number, so no such note is a checkpoint."""

Reason = Literal["planned", "lost", "stolen"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


class KeyChange(NamedTuple):
    """The text that replaces the key of a log.

    `size` and `root` belong to the latest checkpoint that is known to be good. `until` ends the overlap of a planned
    change; it is None for a lost or stolen key.
    """

    old: VerifierKey
    new: VerifierKey
    reason: Reason
    size: int
    root: bytes
    until: datetime | None = None

    @property
    def text(self) -> str:
        """The text of the note."""
        until = "" if self.until is None else f"until {write_time(self.until)}\n"
        head = f"{CHANGE}\nold {self.old}\nnew {self.new}\nreason {self.reason}\n"
        return f"{head}size {self.size}\nroot {encode(self.root)}\n{until}"

    def signers(self, root: VerifierKey) -> tuple[VerifierKey, ...]:
        """Return the keys that have to sign, in the order of their lines."""
        return (self.new, self.old, root) if self.reason == "planned" else (self.new, root)


class RootNaming(NamedTuple):
    """The text that names the root key of a log, whose key is `log` at that time."""

    log: VerifierKey
    root: VerifierKey

    @property
    def text(self) -> str:
        """The text of the note."""
        return f"{ROOT}\nlog {self.log}\nroot {self.root}\n"

    def signers(self, earlier: VerifierKey | None) -> tuple[VerifierKey, ...]:
        """Return the keys that have to sign, in the order of their lines; `earlier`: the root key until now."""
        return (self.log, self.root) if earlier is None else (self.log, self.root, earlier)


def write_time(at: datetime) -> str:
    """Return a time in UTC with whole seconds, as RFC 3339."""
    # Not strftime, which writes a year before 1000 with fewer than four digits.
    return f"{at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def parse_time(text: str) -> datetime:
    """Parse a time with whole seconds and `Z`; raise `Malformed` otherwise."""
    try:
        at = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise Malformed(f"{text[:60]!r} is not a time such as 2030-01-31T00:00:00Z") from None
    return at


def parse_key_note(text: str) -> KeyChange | RootNaming:
    """Parse the text of a note about keys, without its signatures; raise `Malformed` if it is not canonical."""
    head, *lines = text.split("\n")
    fields = {name: value for name, _, value in (line.partition(" ") for line in lines)}
    if head not in READERS:
        raise Malformed(f"unknown first line {head[:60]!r}; expected {CHANGE} or {ROOT}")
    try:
        parsed = READERS[head](fields)
    except KeyError as missing:
        raise Malformed(f"a note about keys has no line {missing.args[0]!r}") from None
    if parsed.text != text:
        raise Malformed("a note about keys is not in canonical form")
    return parsed


def read_change(fields: Mapping[str, str]) -> KeyChange:
    """Return the change in the lines of a note; raise `KeyError` for a missing line, `Malformed` for a bad value."""
    reason = next((each for each in REASONS if each == fields["reason"]), None)
    if reason is None:
        raise Malformed(f"unknown reason {fields['reason'][:60]!r}; expected {', '.join(REASONS)}")
    return KeyChange(
        parse_key(fields["old"], [ED25519]),
        parse_key(fields["new"], [ED25519]),
        reason,
        parse_size(fields["size"]),
        parse_hash(fields["root"]),
        parse_time(fields["until"]) if reason == "planned" else None,
    )


def read_naming(fields: Mapping[str, str]) -> RootNaming:
    """Return the root key in the lines of a note; raise as `read_change`."""
    return RootNaming(parse_key(fields["log"], [ED25519]), parse_key(fields["root"], [ED25519]))


READERS: Final[Mapping[str, Callable[[Mapping[str, str]], KeyChange | RootNaming]]] = {
    CHANGE: read_change,
    ROOT: read_naming,
}


def require_signatures(note: Note, keys: Sequence[VerifierKey]) -> None:
    """Raise `NotSigned` unless a note has one valid signature by each of these keys, in this order, and no others."""
    if len(note.signatures) != len(keys):
        raise NotSigned(f"a note about keys has {len(note.signatures)} signatures, expected {len(keys)}")
    for key, signature in zip(keys, note.signatures, strict=True):
        if not is_signed(key, note.text, signature):
            raise NotSigned(f"a note about keys is not signed with {key}")
