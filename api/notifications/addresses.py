"""Validation of mail addresses: only the plain form, which all servers and headers treat alike."""

from __future__ import annotations

import re
from typing import Final

from api.notifications.errors import BadAddress

LOCAL_MAX: Final = 64
"""Maximum length of the local part (RFC 5321, 4.5.3.1.1)."""
PLAIN: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)
"""A dot-atom and a host name with a dot: no quotes, no literals, no header injection."""


def mailbox_of(address: str) -> str:
    """Return the mailbox for counting: many servers ignore case and any tag after a plus."""
    local, _, host = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def require_address(address: str) -> None:
    """Raise `BadAddress` unless the address is valid."""
    if not PLAIN.fullmatch(address) or len(address.partition("@")[0]) > LOCAL_MAX:
        raise BadAddress(f"{address!r} is not a mail address such as ann@example.org")
