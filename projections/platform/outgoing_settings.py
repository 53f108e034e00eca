"""What the environment tells of mail and push: by which server, from whom, and who answers for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from domain.notifications.kinds import Way
from projections.platform.setting_values import BadSetting, Secret, Variable, read_list, read_secret, read_text

STARTTLS: Final = "smtp"
TLS: Final = "smtps"
PLAIN: Final = "smtp+plain"
"""Without TLS: for a server on this machine, or behind a wall of the operator's own."""
SCHEMES: Final[Mapping[str, int]] = {STARTTLS: 587, TLS: 465, PLAIN: 25}
"""Each with its usual port."""
SENDER: Final = re.compile(r"(?:[^<>@\r\n]{1,100} <)?([^\s<>@]+@[^\s<>@]+)>?")


class MailServer(NamedTuple):
    """Where mails are handed over."""

    scheme: str
    host: str
    port: int


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the settings that says how people are told things away from the pages."""

    mail: str = ""
    """The mail server: `smtp://HOST:PORT` (with STARTTLS), `smtps://HOST:PORT`, or `smtp+plain://HOST:PORT` without
    TLS; empty: no mail is sent."""
    mail_user: str = ""
    """By whose name mails are handed over there; empty: by nobody's."""
    mail_password: Secret = Secret()
    """And the password."""
    mail_from: str = ""
    """From whom mails are: `post@example.org` or `Esporles <post@example.org>`."""
    mail_bounces: str = ""
    """To where mails come back that cannot be delivered: `bounces@example.org`; the server has to take what stands
    behind a `+`. Empty: only what the mail server says at once is heard."""
    push: str = ""
    """Whom push services can write to about this house: `mailto:post@example.org` or an address of the web; empty:
    nothing is pushed."""
    push_allowed: tuple[str, ...] = ()
    """Push services that may be in a private network, `HOST:PORT` of each with commas between; empty: none."""

    @property
    def ways(self) -> tuple[Way, ...]:
        """By which people are told."""
        found: list[tuple[Way, str]] = [("mail", self.mail), ("push", self.push)]
        return tuple(way for way, word in found if word)

    @property
    def mail_server(self) -> MailServer:
        parts = urlsplit(self.mail)
        return MailServer(parts.scheme, parts.hostname or "", parts.port or SCHEMES[parts.scheme])

    def require_sender(self) -> None:
        """`BadSetting` where mails would have no sender."""
        if self.mail and not self.mail_from:
            raise BadSetting("ESPORLES_MAIL_FROM is not set, and ESPORLES_MAIL is: mails need a sender")


def read_mail_server(name: str, word: str) -> str:
    try:
        parts = urlsplit(word)
        is_good = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port or 1) > 0
        is_bare = not parts.path.strip("/") and not parts.query and not parts.fragment and parts.username is None
    except ValueError:
        is_good = is_bare = False
    if not is_good or not is_bare:
        # What stands before the @ may be a password.
        raise BadSetting(f"{name}: {word.rpartition('@')[2]!r} is no mail server like smtps://mail.example.org:465")
    return word


def read_sender(name: str, word: str) -> str:
    if not SENDER.fullmatch(word):
        raise BadSetting(f"{name}: {word!r} is no sender like Esporles <post@example.org>")
    return word


def read_bounces(name: str, word: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,16}@[A-Za-z0-9.-]+", word):
        raise BadSetting(f"{name}: {word!r} is no short address like bounces@example.org")
    return word


def read_contact(name: str, word: str) -> str:
    if not re.fullmatch(r"mailto:[^\s@]+@[^\s@]+|https://\S+", word):
        raise BadSetting(f"{name}: {word!r} is neither mailto:post@example.org nor https://…")
    return word


OUTGOING: Final[Mapping[str, Variable]] = {
    "mail": Variable(("ESPORLES_MAIL",), read_mail_server),
    "mail_user": Variable(("ESPORLES_MAIL_USER",), read_text),
    "mail_password": Variable(("ESPORLES_MAIL_PASSWORD", "ESPORLES_MAIL_PASSWORD_FILE"), read_secret),
    "mail_from": Variable(("ESPORLES_MAIL_FROM",), read_sender),
    "mail_bounces": Variable(("ESPORLES_MAIL_BOUNCES",), read_bounces),
    "push": Variable(("ESPORLES_PUSH",), read_contact),
    "push_allowed": Variable(("ESPORLES_PUSH_ALLOWED",), read_list),
}
"""The variable of each field."""
