"""Proof files: a log, the leaves of its entries in the tree, and a signed checkpoint.

JSON Lines like a LOG file; `docs/specifications/proof.md` is the specification. `domain.proofs.match` verifies them. In
format 2 the records of roles follow the log, with their leaves. In format 3 leaves have labels, whose proofs are in the
file, and the roles may be missing.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple, Protocol, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.entries import Entry, digest
from domain.matches.log.log_files import ENTRIES_MAX, LINE_MAX, LogFile, lines_in, log_bytes, parse_log
from domain.matches.log.record_lines import line_of, read_records
from domain.matches.log.records import Record, record_digest
from domain.transparency.checkpoints import Checkpoint, parse_signed
from domain.transparency.errors import Malformed
from domain.transparency.leaves import SALT_BYTES, PlacedLeaf
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, VerifierKey
from domain.transparency.vrf import PROOF_BYTES as LABEL_PROOF_BYTES

FORMATS: Final = ("esporles.proof/1", "esporles.proof/2", "esporles.proof/3")
"""Formats of a log alone, of one with the records of roles, and of both with labels."""
LABELLED: Final = FORMATS[2]
ROLES: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000001")
"""The stream of roles; a test checks that it is the one of `domain.roles`."""
BEGINNING: Final = b'{"format":"esporles.proof/'
"""Start of every proof file; no log starts so."""
EVENT_BEGINNING: Final = b'{"format":"esporles.event/'
"""Start of the proof of a tournament, which contains proofs of matches (`domain.proofs.event_file`)."""
KIND: Final = "proof"
RECORDS_MAX: Final = 10_000
"""Maximum number of role records in a file; verifying a signature takes 0.1 ms."""

T = TypeVar("T", bound=Value)


class ProofHeader(Value, frozen=True, omit_defaults=True):
    """The header of a proof file: log, tree and number of role records; every field is verified."""

    format: str
    match: UUID
    entries: int
    head: str
    origin: str
    size: int
    roles: int = 0


class LeafLine(Value, frozen=True, omit_defaults=True):
    """The index and the salt of an entry's leaf.

    `stream` is omitted if it is the match for which the entry was made; otherwise it is a later match of the line that
    stores the entry. `label`: the proof of the label of a record in hex, empty for entries and leaves without a label.
    """

    version: int
    leaf: int
    salt: str
    stream: UUID | None = None
    label: str = ""


class ProofEnd(Value, frozen=True):
    """The hashes from the leaves to the root, the signed checkpoint, and the key of each signature, in order."""

    hashes: tuple[str, ...]
    checkpoint: str
    keys: tuple[str, ...]


class LogLine(Value, frozen=True):
    """An announcement of the log: the index of its leaf, and its JSON text."""

    leaf: int
    text: str


class LabelLine(Value, frozen=True):
    """The proof of the labels of a match (hex), by the stream that stores its entries."""

    stream: UUID
    proof: str


class LabelledEnd(ProofEnd, frozen=True):
    """The last line in format 3: also all announcements in the tree, and the proofs of labels of matches."""

    log: tuple[LogLine, ...]
    labels: tuple[LabelLine, ...]


class ProofLabels(NamedTuple):
    """The announcements and the proofs of labels of matches in a file; formats 1 and 2 have neither."""

    log: tuple[LogLine, ...] = ()
    matches: tuple[LabelLine, ...] = ()


class Recorded(NamedTuple):
    """The records of a stream, with their leaves in the tree."""

    records: tuple[Record, ...] = ()
    leaves: tuple[LeafLine, ...] = ()


class ProofFile(NamedTuple):
    """A parsed proof, not verified yet."""

    log: LogFile
    leaves: tuple[LeafLine, ...]
    hashes: tuple[bytes, ...]
    note: Note
    checkpoint: Checkpoint
    keys: tuple[VerifierKey, ...]
    roles: Recorded = Recorded()
    labels: ProofLabels = ProofLabels()


def entry_leaf(line: LeafLine, entry: Entry) -> PlacedLeaf:
    """Return the leaf of an entry."""
    salt, stream = bytes.fromhex(line.salt), line.stream or entry.originator_id
    return PlacedLeaf(line.leaf, salt, stream, entry.version, digest(entry))


def record_leaves(recorded: Recorded) -> list[PlacedLeaf]:
    """Return the leaf of each record."""
    return [
        PlacedLeaf(line.leaf, bytes.fromhex(line.salt), record.stream_id, record.version, record_digest(record))
        for record, line in zip(recorded.records, recorded.leaves, strict=True)
    ]


def is_proof(content: bytes) -> bool:
    """Return whether the content starts as a proof file."""
    return content.startswith(BEGINNING)


def proof_bytes(proof: ProofFile) -> bytes:
    """Encode the file; the same proof always gives the same bytes."""
    log, checkpoint, roles = proof.log.header, proof.checkpoint, proof.roles
    count = len(roles.records)
    header = ProofHeader(
        LABELLED if proof.labels.log else FORMATS[count > 0],
        log.match,
        log.entries,
        log.head,
        checkpoint.origin,
        checkpoint.size,
        count,
    )
    tail = (*map(line_of, roles.records), *proof.leaves, *roles.leaves, end_of(proof))
    return msgspec.json.encode(header) + b"\n" + log_bytes(proof.log) + json_lines(tail)


def json_lines(values: Iterable[Value]) -> bytes:
    """Encode values as JSON, one per line."""
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


class Ending(Protocol):
    """The content of the last line of a proof."""

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """The hashes from the leaves to the root."""
        ...

    @property
    def note(self) -> Note:
        """The signed checkpoint."""
        ...

    @property
    def keys(self) -> tuple[VerifierKey, ...]:
        """The key of each signature."""
        ...

    @property
    def labels(self) -> ProofLabels:
        """The announcements, and the proofs of labels."""
        ...


def end_of(proof: Ending) -> ProofEnd:
    """Return the last line of a proof."""
    hashes, note, keys = tuple(each.hex() for each in proof.hashes), str(proof.note), tuple(map(str, proof.keys))
    if not proof.labels.log:
        return ProofEnd(hashes, note, keys)
    return LabelledEnd(hashes, note, keys, *proof.labels)


def read_end(line: memoryview | bytes, what: str, *, is_labelled: bool) -> tuple[ProofEnd, ProofLabels]:
    """Parse the last line of a proof without verifying it, with the labels in it; raise `LogFault` if it is malformed.

    `what` names the line in the message.
    """
    if not is_labelled:
        return read_line(line, ProofEnd, None, what), ProofLabels()
    end = read_line(line, LabelledEnd, None, what)
    if not end.log:
        raise LogFault(None, KIND, "the log must announce its labels once, not 0 times")
    for each in end.labels:
        bytes_in(each.proof, LABEL_PROOF_BYTES, None)
    return end, ProofLabels(end.log, end.labels)


def lines_of(header: ProofHeader) -> int:
    """Return the number of lines of the whole file."""
    return 2 * header.entries + 2 * header.roles + 3


def read_header(line: memoryview | bytes) -> ProofHeader:
    """Parse the first line; raise `LogFault` for an unknown format, or counts of entries or roles out of bounds."""
    header = read_line(line, ProofHeader, None, "the header of the proof")
    if header.format not in FORMATS:
        raise LogFault(None, KIND, f"unknown format {header.format!r}; expected {' or '.join(FORMATS)}")
    if not 0 < header.entries <= ENTRIES_MAX:
        raise LogFault(None, KIND, f"a proof has 1 to {ENTRIES_MAX:,} entries, not {header.entries}")
    has_wrong_format = (header.roles > 0) != (header.format == FORMATS[1]) and header.format != LABELLED
    if not 0 <= header.roles <= RECORDS_MAX or has_wrong_format:
        raise LogFault(None, KIND, f"a file of {header.format} cannot have {header.roles} records of roles")
    return header


def parse_proof_file(content: bytes) -> ProofFile:
    """Parse a proof file with its log; raise `LogFault` for the first fault.

    Signatures and hashes are not verified. The lines that only a proof has are read before the log.
    """
    lines = lines_in(content, 0, len(content))
    header = read_header(next(lines, b""))
    expected_count, line_count = lines_of(header) - 1, content.count(b"\n") - 1
    if line_count != expected_count or not content.endswith(b"\n"):
        raise LogFault(
            None,
            KIND,
            f"{expected_count} lines follow the header of a proof of {header.entries} entries, not {line_count}",
        )
    start = content.index(b"\n") + 1
    log_end = start + sum(len(next(lines)) + 1 for _ in range(1 + header.entries))
    last = content.rindex(b"\n", 0, -1) + 1
    is_labelled = header.format == LABELLED
    end, labels = read_end(memoryview(content)[last:-1], "the last line of the proof", is_labelled=is_labelled)
    hashes = tuple(bytes_in(each, HASH_BYTES, None) for each in end.hashes)
    tail_lines = lines_in(content, log_end, last)
    recorded = tuple(islice(tail_lines, header.roles))
    leaves = tuple(read_leaf(line, number) for number, line in enumerate(islice(tail_lines, header.entries), start=1))
    role_leaves = tuple(
        read_record_leaf(line, version, ROLES, "roles", is_labelled=is_labelled)
        for version, line in enumerate(tail_lines, start=1)
    )
    try:
        note, checkpoint, keys = parse_signed(end.checkpoint, end.keys)
    except Malformed as fault:
        raise LogFault(None, KIND, f"its checkpoint: {fault}") from fault
    if (checkpoint.origin, checkpoint.size) != (header.origin, header.size):
        raise LogFault(None, KIND, "the header of the proof does not match the checkpoint below it")
    log = parse_log(content, start, log_end)
    if (log.header.match, log.header.entries, log.header.head) != (header.match, header.entries, header.head):
        raise LogFault(None, KIND, "the header of the proof does not match the log below it")
    last_of = {entry.originator_id: entry.version for entry in log.entries}
    for entry, leaf in zip(log.entries, leaves, strict=True):
        if leaf.stream is not None and (
            leaf.stream == entry.originator_id or last_of.get(leaf.stream, 0) < entry.version
        ):
            raise LogFault(entry.version, KIND, f"its stream {leaf.stream} is not a later match of its line")
    records = read_records(recorded, ROLES, "roles", KIND)
    return ProofFile(log, leaves, hashes, note, checkpoint, keys, Recorded(records, role_leaves), labels)


def read_line(line: memoryview | bytes, kind: type[T], entry: int | None, what: str, length_max: int = LINE_MAX) -> T:
    """Decode a line; raise `LogFault` unless it is in canonical encoding and has at most `length_max` bytes.

    `what` names the line in the message.
    """
    if len(line) > length_max:
        raise LogFault(entry, KIND, f"{what} is longer than {length_max} bytes")
    try:
        decoded = msgspec.json.decode(line, type=kind)
        encoded = msgspec.json.encode(decoded)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise LogFault(entry, KIND, f"{what} cannot be read: {error}") from error
    if encoded != bytes(line):
        raise LogFault(entry, KIND, f"{what} is not in canonical form")
    return decoded


def bytes_in(text: str, length: int, entry: int | None) -> bytes:
    """Decode lower-case hexadecimal digits; raise `LogFault` unless they are exactly this many bytes."""
    try:
        decoded = bytes.fromhex(text)
    except ValueError:
        decoded = b""
    if len(decoded) != length or decoded.hex() != text:
        raise LogFault(entry, KIND, f"{text[:80]!r} is not {length} bytes in hexadecimal digits")
    return decoded


def read_leaf(line: memoryview, number: int) -> LeafLine:
    """Parse the leaf line of an entry without verifying it; raise `LogFault` if it is malformed or of another entry."""
    leaf = read_line(line, LeafLine, number, "the line of its leaf")
    if leaf.version != number:
        raise LogFault(number, KIND, f"the leaf of entry {leaf.version} is in its place")
    if leaf.label:
        raise LogFault(number, KIND, "its leaf has a proof of its label, which is for records only")
    bytes_in(leaf.salt, SALT_BYTES, number)
    return leaf


def read_record_leaf(line: memoryview, version: int, stream: UUID, what: str, *, is_labelled: bool) -> LeafLine:
    """Parse the leaf line of a record without verifying it; raise `LogFault` if it is malformed.

    Also raise it if the line is of another record, or has a proof of a label in a file without labels.
    """
    leaf = read_line(line, LeafLine, None, f"the leaf of record {version} of the {what}")
    if (leaf.version, leaf.stream) != (version, stream):
        raise LogFault(None, KIND, f"expected the leaf of record {version} of the {what}, found another one")
    bytes_in(leaf.salt, SALT_BYTES, None)
    if leaf.label and not is_labelled:
        raise LogFault(None, KIND, f"the leaf of record {version} of the {what} has a label, but its format has none")
    if leaf.label:
        bytes_in(leaf.label, LABEL_PROOF_BYTES, None)
    return leaf
