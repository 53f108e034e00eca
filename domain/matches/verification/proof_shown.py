"""What a report on a match states about the proof of its log."""

from datetime import datetime

from domain.kernel.values import Value


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
