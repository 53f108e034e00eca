"""Settings of mail and push messages."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from domain.notifications.kinds import Channel
from projections.platform.declarations import Kind, Secret, setting
from projections.platform.setting_values import LIST, SECRET, TEXT, BadSetting

STARTTLS: Final = "smtp"
TLS: Final = "smtps"
PLAIN: Final = "smtp+plain"
"""Without TLS: for a server on this machine or in a protected network."""
SCHEMES: Final[Mapping[str, int]] = {STARTTLS: 587, TLS: 465, PLAIN: 25}
"""URL schemes with their default ports."""
SENDER: Final = re.compile(r"(?:[^<>@\r\n]{1,100} <)?([^\s<>@]+@[^\s<>@]+)>?")


def read_mail_server(name: str, value: str) -> str:
    """Return the URL of a mail server; raise `BadSetting` unless it has a known scheme, a host, and at most a port.

    A password is never in the message.
    """
    try:
        parts = urlsplit(value)
        is_good = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port or 1) > 0
        is_bare = not parts.path.strip("/") and not parts.query and not parts.fragment and parts.username is None
    except ValueError:
        is_good = is_bare = False
    if not is_good or not is_bare:
        # The part before the @ may be a password.
        raise BadSetting(
            f"{name}: {value.rpartition('@')[2]!r} is not a mail server such as smtps://mail.example.org:465"
        )
    return value


def read_sender(name: str, value: str) -> str:
    """Return a sender with an optional name; raise `BadSetting` otherwise."""
    if not SENDER.fullmatch(value):
        raise BadSetting(f"{name}: {value!r} is not a sender such as Esporles <post@example.org>")
    return value


def read_bounces(name: str, value: str) -> str:
    """Return a short address for bounces, with at most 16 characters before the `@`; raise `BadSetting` otherwise."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,16}@[A-Za-z0-9.-]+", value):
        raise BadSetting(f"{name}: {value!r} is not a short address such as bounces@example.org")
    return value


def read_contact(name: str, value: str) -> str:
    """Return a contact as a mailto or https URL; raise `BadSetting` otherwise."""
    if not re.fullmatch(r"mailto:[^\s@]+@[^\s@]+|https://\S+", value):
        raise BadSetting(f"{name}: {value!r} is neither mailto:post@example.org nor https://…")
    return value


MAIL_SERVER: Final = Kind("`smtp://HOST:PORT`, `smtps://…` or `smtp+plain://…`", read_mail_server)
SENDER_ADDRESS: Final = Kind("address, `Esporles <post@example.org>`", read_sender)
BOUNCES: Final = Kind("address, `bounces@example.org`", read_bounces)
CONTACT: Final = Kind("`mailto:post@example.org` or `https://…`", read_contact)


class MailServer(NamedTuple):
    """A mail server."""

    scheme: str
    host: str
    port: int


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of mail and push."""

    mail: str = setting(
        "ESPORLES_MAIL",
        MAIL_SERVER,
        "",
        "mail server; `smtp` with STARTTLS, `smtps` with TLS, `smtp+plain` without (`docs/operate/mail-and-push.md`);"
        " unset: no mail",
    )
    mail_user: str = setting("ESPORLES_MAIL_USER", TEXT, "", "user name for the mail server")
    mail_password: Secret = setting(
        "ESPORLES_MAIL_PASSWORD",
        SECRET,
        Secret(),
        "password for the mail server, or a file that contains it",
        aliases=("ESPORLES_MAIL_PASSWORD_FILE",),
    )
    mail_from: str = setting("ESPORLES_MAIL_FROM", SENDER_ADDRESS, "", "sender of mails")
    mail_bounces: str = setting(
        "ESPORLES_MAIL_BOUNCES", BOUNCES, "", "address for undeliverable mails; its server must accept `+SUFFIX` in it"
    )
    push: str = setting("ESPORLES_PUSH", CONTACT, "", "contact for push services; unset: no push messages")
    push_allowed: tuple[str, ...] = setting(
        "ESPORLES_PUSH_ALLOWED", LIST, (), "push services in a private network, `HOST:PORT`; others must be public"
    )

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The ways to send notifications that are configured."""
        found: list[tuple[Channel, str]] = [("mail", self.mail), ("push", self.push)]
        return tuple(channel for channel, value in found if value)

    @property
    def mail_server(self) -> MailServer:
        """The configured mail server."""
        parts = urlsplit(self.mail)
        return MailServer(parts.scheme, parts.hostname or "", parts.port or SCHEMES[parts.scheme])

    def require_sender(self) -> None:
        """Raise `BadSetting` if mails would have no sender."""
        if self.mail and not self.mail_from:
            raise BadSetting("ESPORLES_MAIL_FROM is not set, and ESPORLES_MAIL is: mail requires a sender")
