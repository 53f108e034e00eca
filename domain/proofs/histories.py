"""Histories in several valid files: two files that contain different entries for one place contradict each other.

Files are compared by the last digests of their streams first; a digest confirms everything before it. Only streams that
end differently in two files are read again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from domain.matches.log.log_files import Content, lines_in
from domain.proofs.event_file import EventHeader, first_lines, parts_of
from domain.proofs.match_file import BEGINNING, EVENT_BEGINNING, ROLES, LogLine, ProofHeader
from domain.transparency.checkpoints import Checkpoint, parse_signed
from domain.transparency.errors import FalseProof
from domain.transparency.key_chain import KeyHistory, require_same_history

KIND: Final = "history"
BEGUN: Final = '{"type":"log.begun",'
ENTRY: Final = "entry {version} of match {stream} is another one in {other}: two histories"
RECORD: Final = "record {version} of {stream} is another one in {other}: two histories"
TREE: Final = "the tree with {size} leaves is another one in {other}: two histories"
ANNOUNCED: Final = "the announcements of the log are others in {other}: two histories"


class DigestedRecord(msgspec.Struct):
    """The place and the digest of a record."""

    version: int
    digest: str


class DigestedEntry(msgspec.Struct):
    """The place and the digest of an entry."""

    match: UUID
    version: int
    digest: str


class Found(NamedTuple):
    """An entry or record in a file; `is_entry`: of a match."""

    stream: UUID
    version: int
    digest: bytes
    is_entry: bool


class StreamEnd(NamedTuple):
    """The last entry or record of a stream in a file."""

    version: int
    digest: bytes
    is_entry: bool


class SignedTree(NamedTuple):
    """The tree of a proof: the key of its service, the checkpoint, and the announcements of the log."""

    key: str
    checkpoint: Checkpoint
    log: tuple[LogLine, ...]

    @property
    def beginning(self) -> str:
        """The first announcement if it declares a new log, which has another tree than the one before; else empty."""
        return self.log[0].text if self.log and self.log[0].text.startswith(BEGUN) else ""

    @property
    def announced(self) -> KeyHistory:
        """The announcements with the size of the tree, to compare two trees."""
        return KeyHistory(tuple((line.leaf, line.text) for line in self.log), self.checkpoint.size)


class FileHistory(NamedTuple):
    """The ends of the streams in a valid file, and its tree, if it is a proof."""

    ends: Mapping[UUID, StreamEnd]
    tree: SignedTree | None = None


class Contradiction(NamedTuple):
    """Why a file is false: the entry of a match that differs (None: something else), and a sentence."""

    entry: int | None
    why: str


Read = Callable[[int], Content]
"""Returns the content of the file with a number."""


class Ending(msgspec.Struct):
    """The checkpoint, the keys and the announcements in the last line of a proof."""

    checkpoint: str
    keys: tuple[str, ...]
    log: tuple[LogLine, ...] = ()


def read_digests(content: Content) -> Iterator[Found]:
    """Yield the entries and records of a valid log or proof, each stream in ascending order."""
    lines = lines_in(content, 0, len(content))
    if content[: len(EVENT_BEGINNING)] == EVENT_BEGINNING:
        header = msgspec.json.decode(next(lines), type=EventHeader)
        yield from records_in(islice(lines, header.records), header.event)
        yield from records_in(islice(lines, header.roles), ROLES)
        for start, end in parts_of(content, header):
            yield from read_proof_digests(lines_in(content, start, end))
    elif content[: len(BEGINNING)] == BEGINNING:
        yield from read_proof_digests(lines)
    else:
        yield from entries_in(islice(lines, 1, None))


def read_proof_digests(lines: Iterator[memoryview]) -> Iterator[Found]:
    """Yield the entries, then the records of roles, of the proof of a match."""
    header = msgspec.json.decode(next(lines), type=ProofHeader)
    yield from entries_in(islice(lines, 1, 1 + header.entries))
    yield from records_in(islice(lines, header.roles), ROLES)


def entries_in(lines: Iterable[memoryview]) -> Iterator[Found]:
    """Yield the entries of lines of a log."""
    for line in lines:
        found = msgspec.json.decode(line, type=DigestedEntry)
        yield Found(found.match, found.version, bytes.fromhex(found.digest), is_entry=True)


def records_in(lines: Iterable[memoryview], stream: UUID) -> Iterator[Found]:
    """Yield the records of a stream."""
    for line in lines:
        found = msgspec.json.decode(line, type=DigestedRecord)
        yield Found(stream, found.version, bytes.fromhex(found.digest), is_entry=False)


def history_of(content: Content) -> FileHistory:
    """Return the history in a valid log or proof."""
    ends = dict[UUID, StreamEnd]()
    for found in read_digests(content):
        if found.stream not in ends or ends[found.stream].version < found.version:
            ends[found.stream] = StreamEnd(found.version, found.digest, found.is_entry)
    return FileHistory(ends, tree_in(content))


def tree_in(content: Content) -> SignedTree | None:
    """Return the tree of a valid proof, None for a log; the matches of a tournament have the same."""
    lines = lines_in(content, 0, len(content))
    if content[: len(EVENT_BEGINNING)] == EVENT_BEGINNING:
        header = msgspec.json.decode(next(lines), type=EventHeader)
        line = next(islice(lines, first_lines(header) - 3, None))
    elif content[: len(BEGINNING)] == BEGINNING:
        line = memoryview(content)[content.rfind(b"\n", 0, len(content) - 1) + 1 :]
    else:
        return None
    end = msgspec.json.decode(line, type=Ending)
    _, checkpoint, _ = parse_signed(end.checkpoint, end.keys)
    return SignedTree(end.keys[0], checkpoint, end.log)


def find_contradictions(
    histories: Mapping[int, FileHistory], names: Sequence[str], read: Read
) -> dict[int, Contradiction]:
    """Return why files contradict others, by number, from the histories of valid files.

    `names`: of all files. `read` is called for files whose streams end differently in others, once per file and stream
    that is the longest.
    """
    found = dict[int, Contradiction]()
    for number, other, sentence in different_trees(histories):
        found.setdefault(number, Contradiction(None, sentence.format(other=names[other])))
    for difference in different_streams(histories, read):
        sentence = ENTRY if difference.is_entry else RECORD
        why = sentence.format(version=difference.version, stream=difference.stream, other=names[difference.other])
        found.setdefault(difference.number, Contradiction(difference.version if difference.is_entry else None, why))
    return found


def different_trees(histories: Mapping[int, FileHistory]) -> Iterator[tuple[int, int, str]]:
    """Yield (file, other file, sentence) for trees of one service that cannot be one tree."""
    by_log = dict[tuple[str, str], dict[int, SignedTree]]()
    for number, history in histories.items():
        if history.tree is not None:
            by_log.setdefault((history.tree.key, history.tree.beginning), {})[number] = history.tree
    for trees in by_log.values():
        longest = max(trees, key=lambda number: trees[number].checkpoint.size)
        first_of_size = dict[int, int]()
        for number, tree in trees.items():
            same = first_of_size.setdefault(tree.checkpoint.size, number)
            if trees[same].checkpoint.root != tree.checkpoint.root:
                sentence = TREE.replace("{size}", str(tree.checkpoint.size))
                yield from ((number, same, sentence), (same, number, sentence))
            try:
                require_same_history([tree.announced, trees[longest].announced])
            except FalseProof:
                yield from ((number, longest, ANNOUNCED), (longest, number, ANNOUNCED))


class Difference(NamedTuple):
    """The first place at which a file differs from another."""

    number: int
    other: int
    stream: UUID
    version: int
    is_entry: bool


def different_streams(histories: Mapping[int, FileHistory], read: Read) -> Iterator[Difference]:
    """Yield a difference for each file and each of its streams that differs in another file."""
    shared = dict[UUID, dict[StreamEnd, list[int]]]()
    for number, history in histories.items():
        for stream, end in history.ends.items():
            shared.setdefault(stream, {}).setdefault(end, []).append(number)
    suspicious = {stream: ends for stream, ends in shared.items() if len(ends) > 1}
    longest = {stream: max(ends, key=lambda end: end.version) for stream, ends in suspicious.items()}
    wanted = dict[int, dict[UUID, set[int]]]()
    for stream, ends in suspicious.items():
        wanted.setdefault(ends[longest[stream]][0], {})[stream] = {end.version for end in ends}
    for number, streams in wanted.items():
        digests = {
            (found.stream, found.version): found.digest
            for found in read_digests(read(number))
            if found.version in streams.get(found.stream, ())
        }
        for stream in streams:
            ends = suspicious[stream]
            false = [end for end in ends if digests.get((stream, end.version)) != end.digest]
            if false:
                yield from differences_in(stream, ends, false, number, read)


def differences_in(
    stream: UUID, ends: Mapping[StreamEnd, Sequence[int]], false: Sequence[StreamEnd], longest: int, read: Read
) -> Iterator[Difference]:
    """Yield the differences of a stream: the files with these false ends differ from the longest, and it from them."""
    digests = digests_of(stream, read(longest))
    earliest: tuple[int, int] | None = None
    for end in false:
        others = digests_of(stream, read(ends[end][0]))
        version = min(version for version, digest in others.items() if digests.get(version) != digest)
        yield from (Difference(number, longest, stream, version, end.is_entry) for number in ends[end])
        earliest = min(earliest or (version, ends[end][0]), (version, ends[end][0]))
    assert earliest is not None
    version, other = earliest
    for end, numbers in ends.items():
        if end not in false and end.version >= version:
            yield from (Difference(number, other, stream, version, end.is_entry) for number in numbers)


def digests_of(stream: UUID, content: Content) -> dict[int, bytes]:
    """Return the digests of a stream in a valid file, by version."""
    return {found.version: found.digest for found in read_digests(content) if found.stream == stream}
