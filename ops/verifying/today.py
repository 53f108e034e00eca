"""`esporles verify FILE --service URL`: compare the checkpoint of a proof with the current tree of its service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Final, Literal, NamedTuple

import msgspec

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.proofs.entry_file import read_extra
from domain.proofs.key_history import read_history
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint, parse_signed
from domain.transparency.errors import FalseProof, Malformed, TileMissing
from domain.transparency.keys import cosignature_times, is_signed
from domain.transparency.merkle import check_consistency
from domain.transparency.notes import NOTE_BYTES_MAX, Note, VerifierKey, parse_note
from domain.transparency.policy import policy_of_keys
from domain.transparency.proofs import parse_proof
from domain.transparency.tiles import Tile, Tiles, width_of
from domain.transparency.witnesses import is_address
from ops.console import WrongUsage
from ops.transparency.log_client import LogClient, Unreachable
from ops.verifying.entry import is_entry_file

REQUEST_SECONDS: Final = 10.0
TOTAL_SECONDS: Final = 30.0
"""For all tiles of one file."""
STALE_HOURS: Final = 24
HOUR_SECONDS: Final = 3_600
TAIL_BYTES: Final = 8_000_000
"""The last line of a proof is within these bytes; it has hashes, announcements and labels."""

CHECKED: Final = "checked"
UNCHECKED: Final = "not checked"
INVALID: Final = "INVALID"
State = Literal["checked", "not checked", "INVALID"]


class TodayFinding(Value, frozen=True):
    """A finding about a file and the current tree of the service."""

    file: str
    state: State
    text: str

    def __str__(self) -> str:
        return f"{self.state}: {self.text}"


class WithService(msgspec.Struct, frozen=True):
    """The report on files, with the comparison with their service."""

    report: msgspec.Struct
    service: str
    findings: tuple[TodayFinding, ...]


class EndLine(msgspec.Struct, frozen=True):
    """The signed checkpoint of a proof file, as its last line has it, and the keys of the signatures."""

    checkpoint: str
    keys: tuple[str, ...]


class Proven(NamedTuple):
    """The checkpoint of a proof, the key of its log, and the keys of its witnesses."""

    checkpoint: Checkpoint
    key: VerifierKey
    witnesses: tuple[VerifierKey, ...]


Found = tuple[State, str]


class CurrentTree:
    """The checkpoint that a log shows now, and the tiles of its tree, each fetched once."""

    def __init__(self, client: LogClient) -> None:
        """Fetch the checkpoint; raise `Unreachable` or `Malformed` otherwise."""
        self.note: Final = parse_note(client.checkpoint())
        self.checkpoint: Final = parse_checkpoint(self.note.text)
        self._client, self._tiles = client, dict[tuple[int, int], bytes]()

    def tile(self, level: int, number: int) -> bytes | None:
        """Return a tile, or None if the tree has no such tile; raise `Unreachable` otherwise."""
        width = width_of(level, number, self.checkpoint.size)
        if width and (level, number) not in self._tiles:
            self._tiles[level, number] = self._client.tile(level, Tile(number, width))
        return self._tiles.get((level, number))

    def find_signer(self, key: VerifierKey) -> VerifierKey | None:
        """Return this key or its successor, whichever has signed the checkpoint, or None.

        A successor is read from the history of keys that the log shows (`docs/specifications/keys.md`).
        """
        if self._is_signed_by(key):
            return key
        try:
            known = read_history(self._client.keys(), "the service", policy_of_keys([key]))
        except (Unreachable, LogFault):
            return None
        term = known.chain.term_for(self.checkpoint.size)
        return term.key if term is not None and self._is_signed_by(term.key) else None

    def _is_signed_by(self, key: VerifierKey) -> bool:
        return any(is_signed(key, self.note.text, each) for each in self.note.signatures)


def require_url(url: str) -> None:
    """Raise `WrongUsage` unless the address is http or https."""
    if not is_address(url):
        raise WrongUsage(f"invalid --service {url!r}: expected http://… or https://…")


def compare_files(
    paths: Iterable[Path],
    url: str,
    witnesses: Sequence[VerifierKey] | None,
    now: Callable[[], float],
    seconds: float = REQUEST_SECONDS,
) -> tuple[TodayFinding, ...]:
    """Compare each proof with the current tree at an address; `witnesses`: trusted ones, else from the proof.

    `now` returns Unix time in seconds; `seconds` limits each request. Every failure of the service is a finding.
    """
    with closing(LogClient(url, seconds)) as client:
        try:
            current = CurrentTree(client)
        except (Unreachable, Malformed) as fault:
            why = f"the tree at {url}, because it shows no checkpoint: {fault}"
            return tuple(TodayFinding(str(path), UNCHECKED, why) for path in paths)
        return tuple(
            TodayFinding(str(path), state, text)
            for path in paths
            for state, text in compare_file(path, url, current, witnesses, now)
        )


def compare_file(
    path: Path, url: str, current: CurrentTree, witnesses: Sequence[VerifierKey] | None, now: Callable[[], float]
) -> list[Found]:
    """Return the findings about one file."""
    try:
        proven = read_proven(path)
    except (Malformed, LogFault, msgspec.MsgspecError):
        return [(UNCHECKED, f"the tree at {url}, because {path.name} has no readable checkpoint")]
    continued, signer = check_continued(proven, current), current.find_signer(proven.key)
    if signer is None:
        signers = ", ".join(each.name for each in current.note.signatures)
        unsigned = f"the signature of the current checkpoint at {url}, because it is by {signers}, not {proven.key}"
        # Without the signature, another tree proves nothing against this service.
        if continued[0] == INVALID:
            return [(UNCHECKED, unsigned), (UNCHECKED, f"whether the tree continues the proof: {continued[1]}")]
        return [(UNCHECKED, unsigned), continued]
    by = "the key in the proof" if signer == proven.key else f"{signer}, a successor of the key in the proof"
    signed = f"the current checkpoint of {current.checkpoint.size:,} leaves at {url} is signed with {by}"
    trusted = proven.witnesses if witnesses is None else witnesses
    return [(CHECKED, signed), continued, freshness_of(current.note, trusted, now())]


def read_proven(path: Path) -> Proven:
    """Read the checkpoint of a proof file; raise `Malformed`, `LogFault` or a `MsgspecError` if it has none."""
    if is_entry_file(path):
        with path.open("rb") as file:
            proof = parse_proof(file.read(NOTE_BYTES_MAX + 1))
        end = EndLine(str(proof.checkpoint), read_extra(proof).keys)
    else:
        end = msgspec.json.decode(last_line(path), type=EndLine)
    _, checkpoint, (key, *witnesses) = parse_signed(end.checkpoint, end.keys)
    return Proven(checkpoint, key, tuple(witnesses))


def last_line(path: Path) -> bytes:
    """Return the last line of a file, of which at most `TAIL_BYTES` are read."""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - TAIL_BYTES))
        return file.read().rstrip(b"\n").rpartition(b"\n")[2]


def check_continued(proven: Proven, current: CurrentTree) -> Found:
    """Return whether the current tree contains the tree of the proof as a prefix."""
    old, today, deadline = proven.checkpoint, current.checkpoint, monotonic() + TOTAL_SECONDS

    def read_tile(level: int, number: int) -> bytes | None:
        if monotonic() > deadline:
            raise Unreachable(f"the tiles took more than {TOTAL_SECONDS:.0f} seconds")
        return current.tile(level, number)

    sizes = f"the checkpoint of the proof has {old.size:,} leaves, the current tree {today.size:,}"
    if today.size < old.size:
        return INVALID, f"the service returned to an older tree: {sizes}"
    try:
        proof = Tiles(read_tile).consistency(old.size, today.size)
        check_consistency(old.size, today.size, old.root, today.root, proof)
    except FalseProof as fault:
        return INVALID, f"the service has another tree: {sizes}, and {fault}"
    except (Unreachable, TileMissing, ValueError) as fault:
        return UNCHECKED, f"whether the current tree continues the proof, because a tile is not available: {fault}"
    return CHECKED, f"the current tree of {today.size:,} leaves continues that of the proof ({old.size:,})"


def freshness_of(note: Note, witnesses: Sequence[VerifierKey], now: float) -> Found:
    """Return whether a known witness has cosigned within `STALE_HOURS`."""
    times = cosignature_times(note, witnesses, now)
    if not times:
        return (
            UNCHECKED,
            "whether the checkpoint is the current one, because no known witness has cosigned it until now",
        )
    hours = (now - max(times.values())) / HOUR_SECONDS
    if hours > STALE_HOURS:
        return UNCHECKED, f"whether the checkpoint is the current one: stale, last cosigned {hours:,.0f} hours ago"
    return CHECKED, f"a witness cosigned the current checkpoint {max(0.0, hours):.1f} hours ago"
