"""Proof files: a log, where each of its entries stands in the tree of the house, and the signed checkpoint over them.

JSON Lines as a LOG file is; `docs/proof.md` is the specification. Here is the form, `domain.matches.proving` examines.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.file import ENTRIES_MAX, LINE_MAX, LogFile, lines_in, log_bytes, parse_log
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import Malformed
from domain.transparency.leaves import SALT_BYTES
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import COSIGNATURE, ED25519, Note, VerifierKey, parse_key, parse_note

FORMAT: Final = "esporles.proof/1"
BEGINNING: Final = b'{"format":"esporles.proof/'
"""How every proof file begins, and no log does."""
KIND: Final = "proof"

T = TypeVar("T", bound=Value)


class ProofHeader(Value, frozen=True):
    """What a proof file says of itself, every word of it checked: the log, and the tree it stands in."""

    format: str
    match: UUID
    entries: int
    head: str
    origin: str
    size: int


class LeafLine(Value, frozen=True, omit_defaults=True):
    """Where an entry stands in the tree, and the salt of its leaf. `stream` is left out where it is the match the entry
    was made for; else it is a later match of the line, in whose stream the house keeps the entry."""

    version: int
    leaf: int
    salt: str
    stream: UUID | None = None


class ProofEnd(Value, frozen=True):
    """The hashes that lead from the leaves to the root, the checkpoint as a signed note, and the key of each of its
    signatures, in their order."""

    hashes: tuple[str, ...]
    checkpoint: str
    keys: tuple[str, ...]


class Cosigned(Value, frozen=True):
    """A witness below the checkpoint, when it cosigned, and whether its key is trusted; null: nobody said whom to
    trust."""

    name: str
    key: str
    at: datetime
    is_trusted: bool | None


class ProofShown(Value, frozen=True):
    """What a proof shows: the checkpoint, who has signed it, and in words what was checked."""

    origin: str
    key: str
    is_trusted: bool | None
    size: int
    root: str
    leaves_checked: int
    cosigned: tuple[Cosigned, ...]
    checked: tuple[str, ...]


class ProofFile(NamedTuple):
    """A proof whose form is good; its signatures and hashes are not looked at yet."""

    log: LogFile
    leaves: tuple[LeafLine, ...]
    hashes: tuple[bytes, ...]
    note: Note
    checkpoint: Checkpoint
    keys: tuple[VerifierKey, ...]


def is_proof(content: bytes) -> bool:
    """Whether these bytes want to be a proof file."""
    return content.startswith(BEGINNING)


def proof_bytes(proof: ProofFile) -> bytes:
    """The file, byte for byte the same for the same proof."""
    log, checkpoint = proof.log.header, proof.checkpoint
    header = ProofHeader(FORMAT, log.match, log.entries, log.head, checkpoint.origin, checkpoint.size)
    end = ProofEnd(tuple(each.hex() for each in proof.hashes), str(proof.note), tuple(map(str, proof.keys)))
    below = b"".join(msgspec.json.encode(line) + b"\n" for line in (*proof.leaves, end))
    return msgspec.json.encode(header) + b"\n" + log_bytes(proof.log) + below


def parse_proof_file(content: bytes) -> ProofFile:
    """The proof in these bytes, its log read as any other; `LogFault` says what is wrong with its form."""
    lines = lines_in(content, 0, len(content))
    header = read_line(next(lines, b""), ProofHeader, None, "the header of the proof")
    if header.format != FORMAT:
        raise LogFault(None, KIND, f"the format {header.format!r} is not {FORMAT}")
    if not 0 < header.entries <= ENTRIES_MAX:
        raise LogFault(None, KIND, f"a proof is of 1 to {ENTRIES_MAX:,} entries, not {header.entries}")
    due, held = 2 * header.entries + 2, content.count(b"\n") - 1
    if held != due or not content.endswith(b"\n"):
        raise LogFault(None, KIND, f"{due} lines follow the header of a proof of {header.entries} entries, not {held}")
    start = content.index(b"\n") + 1
    below = start + sum(len(next(lines)) + 1 for _ in range(1 + header.entries))
    log = parse_log(content, start, below)
    if (log.header.match, log.header.entries, log.header.head) != (header.match, header.entries, header.head):
        raise LogFault(None, KIND, "the header of the proof names another log than the one below it")
    last = content.rindex(b"\n", 0, -1) + 1
    end = read_line(memoryview(content)[last:-1], ProofEnd, None, "the last line of the proof")
    note, checkpoint, keys = read_end(end)
    if (checkpoint.origin, checkpoint.size) != (header.origin, header.size):
        raise LogFault(None, KIND, "the header of the proof names another checkpoint than the one below it")
    hashes = tuple(bytes_in(each, HASH_BYTES, None) for each in end.hashes)
    last_of = {entry.originator_id: entry.version for entry in log.entries}
    below_log = enumerate(lines_in(content, below, last), start=1)
    leaves = tuple(read_leaf(line, number, log, last_of) for number, line in below_log)
    return ProofFile(log, leaves, hashes, note, checkpoint, keys)


def read_line(line: memoryview | bytes, kind: type[T], entry: int | None, what: str) -> T:
    """What a line holds, if it is the canonical encoding of that."""
    if len(line) > LINE_MAX:
        raise LogFault(entry, KIND, f"{what} is longer than {LINE_MAX} bytes")
    try:
        found = msgspec.json.decode(line, type=kind)
        encoded = msgspec.json.encode(found)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise LogFault(entry, KIND, f"{what} cannot be read: {error}") from error
    if encoded != bytes(line):
        raise LogFault(entry, KIND, f"{what} is not written the canonical way")
    return found


def bytes_in(text: str, length: int, entry: int | None) -> bytes:
    """Lower-case hexadecimal digits of that many bytes."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != length or found.hex() != text:
        raise LogFault(entry, KIND, f"{text[:80]!r} is not {length} bytes in hexadecimal digits")
    return found


def read_leaf(line: memoryview, number: int, log: LogFile, last_of: Mapping[UUID, int]) -> LeafLine:
    """The line of an entry; where it stands in the tree is not examined. `last_of`: the last entry of each match."""
    found = read_line(line, LeafLine, number, "the line of its leaf")
    if found.version != number:
        raise LogFault(number, KIND, f"the leaf of entry {found.version} stands in its place")
    bytes_in(found.salt, SALT_BYTES, number)
    own = log.entries[number - 1].originator_id
    if found.stream is not None and (found.stream == own or last_of.get(found.stream, 0) < number):
        raise LogFault(number, KIND, f"its stream {found.stream} is no later match of its line")
    return found


def read_end(end: ProofEnd) -> tuple[Note, Checkpoint, tuple[VerifierKey, ...]]:
    """The checkpoint with its keys: that of the house first, then those of witnesses."""
    try:
        note = parse_note(end.checkpoint.encode())
        checkpoint = parse_checkpoint(note.text)
        keys = read_keys(end.keys, note, checkpoint)
    except Malformed as fault:
        raise LogFault(None, KIND, f"its checkpoint: {fault}") from fault
    return note, checkpoint, keys


def read_keys(texts: Sequence[str], note: Note, checkpoint: Checkpoint) -> tuple[VerifierKey, ...]:
    """One for each signature, none twice."""
    if len(texts) != len(note.signatures):
        raise Malformed(f"it has {len(note.signatures)} signatures, and {len(texts)} keys are named")
    keys = tuple(parse_key(text, [COSIGNATURE] if place else [ED25519]) for place, text in enumerate(texts))
    fits = [key.made(signature) for key, signature in zip(keys, note.signatures, strict=True)]
    if not all(fits) or len(set(keys)) != len(keys):
        raise Malformed("its keys are not those of its signatures, in their order and each once")
    if keys[0].name != checkpoint.origin:
        raise Malformed(f"the first signature is not of {checkpoint.origin[:60]!r}, whose tree it is")
    return keys
