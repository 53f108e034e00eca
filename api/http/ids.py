"""Ids of what is created: from caller and Idempotency-Key, so that a repeated request creates nothing twice.

A secret of the service goes into them: knowing a person's id and guessing the key is not enough to find a private
table.
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
Kind = Literal["match", "fork", "study", "copy", "tournament", "league", "dispute", "what-if", "ruling", "line"]
"""What is created under a key: the same key for things of two kinds makes one of each."""

IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", max_length=KEY_LENGTH_MAX, description="the same key again: the same thing, once"
    ),
]


def study_id(created: UUID) -> UUID:
    """The id of a new study, which its file takes along: of the version of random ones, for houses derive others."""
    return UUID(bytes=uuid5(created, "study").bytes, version=4)


class Ids(msgspec.Struct, frozen=True):
    """Where the ids of this service come from."""

    namespace: UUID
    entropy: Entropy

    def new(self) -> UUID:
        """An id nobody has."""
        return UUID(bytes=self.entropy(16, "id"), version=4)

    def rematch(self, match_id: UUID, number: int) -> UUID:
        """The id of a rematch, whoever asks for it first; a further one where those before have come to nothing."""
        return uuid5(self.namespace, f"rematch/{match_id}/{number}")

    def lesson(self, learner: str, practice: str, number: int) -> UUID:
        """The id of a learner's practice match, counted from the first."""
        return uuid5(self.namespace, f"{learner}/practice/{practice}/{number}")

    def create(self, caller: Caller, kind: Kind, key: str | None) -> UUID:
        """The id of something new; the same for the same caller, kind and key."""
        return self.new() if key is None else uuid5(self.namespace, f"{caller.actor}/{kind}/{key}")

    def copy_of_study(self, caller: Caller, head: str, key: str | None = None) -> UUID:
        """Return the id of a caller's copy of a study file, by the head of the study unless there is a key.

        If an import is interrupted, the same file sent again continues the copy and makes no second one.
        """
        return study_id(self.create(caller, "copy", head) if key is None else self.create(caller, "study", key))


IDS: Final = AppKey[Ids]("ids")
