"""Input and result of `esporles verify`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from domain.proofs.key_history import KnownKeys
from domain.proofs.match import Trust
from ops.players import FindPlayers


@dataclass(frozen=True)
class VerifyRequest:
    """Files to examine, with the keys and components for the examination."""

    files: tuple[Path, ...]
    find_players: FindPlayers
    jobs: int
    head: str | None = None
    """The head that the log should have, in lower case."""
    trust: Trust = None
    supplied: Mapping[str, Path] = field(default_factory=dict)
    """Files of decks and components, by table option."""
    known: tuple[KnownKeys, ...] = ()
    """Known histories of the keys of logs."""
    is_event: bool = False
    """Whether the one file is the proof of a tournament."""


@dataclass(frozen=True)
class Verified:
    """A report as JSON and as text, and whether everything is good."""

    report: msgspec.Struct
    text: str
    is_good: bool
