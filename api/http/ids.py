"""Ids of new objects, derived from caller and Idempotency-Key, so that a repeated request creates nothing.

A secret namespace prevents guessing the id of a private table from a person's id and key.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID, uuid5

import msgspec
from litestar.params import HeaderParameter

from api.http.app_state import AppKey
from api.http.guards import Caller
from domain.matches.entropy import Entropy

KEY_LENGTH_MAX: Final = 200
Kind = Literal[
    "match",
    "fork",
    "study",
    "copy",
    "tournament",
    "league",
    "club",
    "circuit",
    "holiday",
    "dispute",
    "what-if",
    "ruling",
    "line",
]
"""Kind of object; the same key creates one object of each kind."""

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=KEY_LENGTH_MAX,
        description="a repeated request with the same key has no further effect",
    ),
]


def study_id(created: UUID) -> UUID:
    """Return a study id derived from `created`, marked as version 4, because study files carry it to other services."""
    return UUID(bytes=uuid5(created, "study").bytes, version=4)


class Ids(msgspec.Struct, frozen=True):
    """Source of the ids of this service."""

    namespace: UUID
    entropy: Entropy

    def new(self) -> UUID:
        """Return a random id."""
        return UUID(bytes=self.entropy(16, "id"), version=4)

    def rematch(self, match_id: UUID, number: int) -> UUID:
        """Return the id of a rematch, the same for every caller; `number` rises when a rematch was abandoned."""
        return uuid5(self.namespace, f"rematch/{match_id}/{number}")

    def lesson(self, learner: str, practice: str, number: int) -> UUID:
        """Return the id of a learner's practice match; `number` counts from the first."""
        return uuid5(self.namespace, f"{learner}/practice/{practice}/{number}")

    def id_for(self, caller: Caller, kind: Kind, key: str | None) -> UUID:
        """Return the id of a new object: random without a key, otherwise fixed by caller, kind and key."""
        return self.new() if key is None else uuid5(self.namespace, f"{caller.actor}/{kind}/{key}")

    def copy_of_study(self, caller: Caller, head: str, key: str | None = None) -> UUID:
        """Return the id of a caller's copy of a study file, by the head of the study unless there is a key.

        After an interrupted import, sending the same file again continues the copy.
        """
        return study_id(self.id_for(caller, "copy", head) if key is None else self.id_for(caller, "study", key))


IDS: Final = AppKey[Ids]("ids")


def id_in_address(text: str) -> UUID | None:
    """Return an id, or the id at the end of the address of a page; None if the text has neither."""
    path = text.partition("?")[0].partition("#")[0].strip().rstrip("/")
    try:
        return UUID(path.rpartition("/")[2])
    except ValueError:
        return None
