"""`esporles tree new`: declare a new transparency tree, with the reason in its first leaf."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from api.transparency.beginnings import create_tree, is_begun
from api.transparency.databases import connect
from api.transparency.errors import TreeDiffers
from api.transparency.latest_checkpoint import LatestCheckpoint
from api.transparency.log_keys import signer_of
from api.transparency.sequencer import Log, Sequencer
from api.transparency.store import TreeStore
from domain.matches.entropy import Entropy
from domain.transparency.announcements import TEXT_MAX, LogBegun, encode_announcement
from domain.transparency.checkpoints import parse_checkpoint
from domain.transparency.errors import Malformed
from domain.transparency.keys import Signer, is_signed
from domain.transparency.notes import Note, parse_note
from ops.accounts import open_people
from ops.console import Finding, WrongUsage
from projections.platform.settings import Settings
from projections.tree import SCHEMA

STAMP: Final = "%Y%m%dT%H%M%SZ"
SIDE_FILES: Final = ("", "-wal", "-shm")


class Declared(msgspec.Struct, frozen=True, rename="camel"):
    """A declared tree: its name, the size of its predecessor if one is known, and where the earlier tree is now."""

    origin: str
    predecessor_size: int | None
    earlier_tree: str | None


def declare_tree(
    settings: Settings, log: Log, reason: str, given: Path | None, at: datetime, entropy: Entropy
) -> Declared:
    """Set an existing tree aside, and create another, which begins with the reason and the last known checkpoint.

    Raises `Finding` if a process keeps the tree, `WrongUsage` for a bad reason or a bad file `given`.
    """
    with open_people(settings) as people:
        signer = signer_of(people, settings.log_origin)
    predecessor = find_predecessor(settings, signer, given)
    announcement = announcement_of(reason, predecessor)
    aside = set_aside(settings.tree_place, at)
    create_tree(settings.tree_place, at)
    with closing(TreeStore(settings.tree_place)) as store:
        sequencer = Sequencer(log, store, signer, entropy)
        sequencer.announce(announcement)
        signed = sequencer.sign(at)
    assert signed is not None
    LatestCheckpoint(settings.data).store(signed)
    size = None if predecessor is None else parse_checkpoint(predecessor.text).size
    return Declared(signer.key.name, size, aside)


def announcement_of(reason: str, predecessor: Note | None) -> LogBegun:
    """Return the announcement of a tree; raise `WrongUsage` if its reason is empty or too long."""
    if not reason.strip():
        raise WrongUsage("--reason must not be empty")
    announcement = LogBegun(reason.strip(), str(predecessor) if predecessor else "")
    try:
        encode_announcement(announcement)
    except AssertionError:
        raise WrongUsage(f"the reason and the predecessor have more than {TEXT_MAX:,} bytes") from None
    return announcement


def find_predecessor(settings: Settings, signer: Signer, given: Path | None) -> Note | None:
    """Return the largest known checkpoint: the file given, the latest outside the tree, or the tree's own.

    Raises `WrongUsage` if the file has no checkpoint that this service has signed, `Finding` if the tree is kept.
    """
    if given is not None:
        return read_own_checkpoint(given, signer)
    notes = [note for note in (load_outside(settings), load_published(settings)) if note is not None]
    # The published note comes last, because it has cosignatures.
    return max(reversed(notes), key=lambda note: parse_checkpoint(note.text).size, default=None)


def read_own_checkpoint(path: Path, signer: Signer) -> Note:
    """Return the checkpoint in a file; raise `WrongUsage` if there is none that this service has signed."""
    try:
        note = parse_note(path.read_bytes())
        parse_checkpoint(note.text)
    except (OSError, Malformed) as fault:
        raise WrongUsage(f"no checkpoint in {path}: {fault}") from fault
    if not any(is_signed(signer.key._replace(name=each.name), note.text, each) for each in note.signatures):
        raise WrongUsage(f"the checkpoint in {path} is not signed with the key of this service")
    return note


def load_outside(settings: Settings) -> Note | None:
    """Return the checkpoint outside the tree, or None if there is none that can be read."""
    try:
        return LatestCheckpoint(settings.data).load()
    except TreeDiffers:
        return None


def load_published(settings: Settings) -> Note | None:
    """Return the published checkpoint of the earlier tree, or None; raise `Finding` if a process keeps that tree."""
    if not is_begun(settings.tree_place):
        return None
    try:
        with closing(TreeStore(settings.tree_place, writable=False)) as store:
            if not store.try_to_lead():
                raise Finding("a process keeps the tree; stop the service on all hosts first")
            published = store.load_published()
    except (TreeDiffers, Malformed):
        return None
    return None if published is None else published[1]


def set_aside(location: Path | str, at: datetime) -> str | None:
    """Rename the file or schema of an earlier tree as evidence; return its new name, or None if there was none."""
    stamp = at.strftime(STAMP)
    if isinstance(location, Path):
        return rename_file(location, location.with_name(f"{location.stem}-{stamp}{location.suffix}"))
    with closing(connect(location)) as database, database.transaction():
        name = f"{SCHEMA}_{stamp.lower()}"
        database.change(f"ALTER SCHEMA {SCHEMA} RENAME TO {name}")
    return name


def rename_file(path: Path, target: Path) -> str | None:
    """Rename an SQLite file with its side files; return the new path, or None if there was none."""
    found = [suffix for suffix in SIDE_FILES if path.with_name(path.name + suffix).exists()]
    for suffix in found:
        path.with_name(path.name + suffix).rename(target.with_name(target.name + suffix))
    return str(target) if found else None
