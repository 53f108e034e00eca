"""`esporles verify FILE --service URL`: compare the checkpoint of a proof with the current tree of its service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final, Literal, NamedTuple

import msgspec

from domain.kernel.values import Value
from domain.transparency.checkpoints import Checkpoint, parse_checkpoint
from domain.transparency.errors import FalseProof, Malformed, TileMissing
from domain.transparency.keys import cosignature_seconds, is_signed
from domain.transparency.merkle import check_consistency
from domain.transparency.notes import ED25519, Note, VerifierKey, parse_key, parse_note
from domain.transparency.tiles import Tile, Tiles, width_of
from domain.transparency.witnesses import is_address
from ops.console import WrongUsage
from ops.transparency.log_client import LogClient, Unreachable

REQUEST_SECONDS: Final = 10.0
TOTAL_SECONDS: Final = 30.0
"""For the checkpoint and all tiles of one file."""
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
    """The part of the last line of a proof file that names its checkpoint."""

    checkpoint: str
    keys: tuple[str, ...]


class Proven(NamedTuple):
    """The checkpoint of a proof, the key of its log, and the keys of its witnesses."""

    checkpoint: Checkpoint
    key: VerifierKey
    witnesses: tuple[VerifierKey, ...]


Found = tuple[State, str]


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
    return tuple(
        TodayFinding(str(path), state, text)
        for path in paths
        for state, text in compare_file(path, url, witnesses, now, seconds)
    )


def compare_file(
    path: Path,
    url: str,
    witnesses: Sequence[VerifierKey] | None,
    now: Callable[[], float],
    seconds: float = REQUEST_SECONDS,
) -> list[Found]:
    """Return the findings about one file."""
    try:
        proven = read_proven(path)
    except (Malformed, msgspec.MsgspecError):
        return [(UNCHECKED, f"the tree at {url}, because {path.name} is a log without a checkpoint")]
    with closing(LogClient(url, seconds)) as client:
        try:
            note = parse_note(client.checkpoint())
            today = parse_checkpoint(note.text)
        except (Unreachable, Malformed, ValueError) as fault:
            return [(UNCHECKED, f"the tree at {url}, because it shows no checkpoint: {fault}")]
        is_own = any(is_signed(proven.key, note.text, each) for each in note.signatures)
        continued = check_continued(proven, today, client)
    if not is_own:
        signers = ", ".join(each.name for each in note.signatures)
        unsigned = f"the signature of the current checkpoint at {url}, because it is by {signers}, not {proven.key}"
        # Without the signature, another tree proves nothing against this service.
        if continued[0] == INVALID:
            return [(UNCHECKED, unsigned), (UNCHECKED, f"whether the tree continues the proof: {continued[1]}")]
        return [(UNCHECKED, unsigned), continued]
    signed = f"the current checkpoint of {today.size:,} leaves at {url} is signed with the key in the proof"
    trusted = proven.witnesses if witnesses is None else witnesses
    return [(CHECKED, signed), continued, freshness_of(note, trusted, now())]


def read_proven(path: Path) -> Proven:
    """Read the checkpoint in the last line of a proof file; raise `Malformed` or a `MsgspecError` if it has none."""
    with path.open("rb") as file:
        end = file.seek(0, 2)
        file.seek(max(0, end - TAIL_BYTES))
        line = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    found = msgspec.json.decode(line, type=EndLine)
    key, *witnesses = [parse_key(each) for each in found.keys]
    if key.kind != ED25519:
        raise Malformed("the first key is not that of a log")
    return Proven(parse_checkpoint(parse_note(found.checkpoint.encode()).text), key, tuple(witnesses))


def check_continued(proven: Proven, today: Checkpoint, client: LogClient) -> Found:
    """Return whether the current tree contains the tree of the proof as a prefix."""
    old, deadline = proven.checkpoint, monotonic() + TOTAL_SECONDS

    @cache
    def read_tile(level: int, number: int) -> bytes | None:
        if monotonic() > deadline:
            raise Unreachable(f"the tiles took more than {TOTAL_SECONDS:.0f} seconds")
        width = width_of(level, number, today.size)
        return client.tile(level, Tile(number, width)) if width else None

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
    times = [
        cosignature_seconds(each)
        for each in note.signatures
        if any(is_signed(key, note.text, each) for key in witnesses)
    ]
    if not times:
        return UNCHECKED, "whether the checkpoint is the current one, because no known witness has cosigned it"
    hours = (now - max(times)) / HOUR_SECONDS
    if hours > STALE_HOURS:
        return UNCHECKED, f"whether the checkpoint is the current one: stale, last cosigned {hours:,.0f} hours ago"
    return CHECKED, f"a witness cosigned the current checkpoint {max(0.0, hours):.1f} hours ago"
