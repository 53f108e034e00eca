"""Which words are mail addresses: the plain form, of which mail servers and headers make nothing else."""

from __future__ import annotations

import re
from typing import Final

from api.notifications.errors import BadAddress

LOCAL_MAX: Final = 64
"""RFC 5321, 4.5.3.1.1."""
PLAIN: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])"
)
"""A dot-atom and the name of a host with a dot: nothing quoted, no literals, nothing that begins another header."""


def mailbox_of(address: str) -> str:
    """Return the mailbox by which an address is counted: many servers ignore case and any tag after a plus."""
    local, _, host = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def require_address(address: str) -> None:
    if not PLAIN.fullmatch(address) or len(address.partition("@")[0]) > LOCAL_MAX:
        raise BadAddress(f"{address!r} is no mail address like ann@example.org")
