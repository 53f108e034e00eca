"""Requests and responses of the roles and audit trail API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from api.http.structs import Listing, RequestStruct, ResponseStruct
from domain.kernel.texts import ONE_LINE
from domain.roles.state import SCOPE_MAX, Role

Event = Annotated[str, msgspec.Meta(min_length=1, max_length=SCOPE_MAX, pattern=ONE_LINE)]


class ChangeRole(RequestStruct, frozen=True):
    """A role for a person (id or name), everywhere or in one event; `granted: false` revokes it."""

    person: Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=ONE_LINE)]
    role: Role
    event: Event | None = None
    granted: bool = True


class GrantShown(ResponseStruct, frozen=True):
    """A granted role."""

    person: str
    name: str
    role: Role
    event: str | None
    since: datetime


class RolesShown(Listing, frozen=True):
    """Roles, latest grants first."""

    roles: tuple[GrantShown, ...]


class AuditLine(ResponseStruct, frozen=True):
    """A line of the audit trail: kind of action, actor and role, and details of the kind."""

    version: int
    at: datetime
    kind: str
    by: str
    name: str
    role: str
    event: str | None
    match_id: UUID | None
    details: dict[str, Any]
    digest: str


class AuditShown(Listing, frozen=True):
    """Lines of the audit trail, latest first; `head` is the digest of the latest record."""

    lines: tuple[AuditLine, ...]
    version: int
    head: str | None


class RecordShown(ResponseStruct, frozen=True):
    """A record as stored, from which anyone can recompute the digest (`docs/specifications/log.md`)."""

    stream: UUID
    version: int
    timestamp: datetime
    previous: str
    digest: str
    body: str
