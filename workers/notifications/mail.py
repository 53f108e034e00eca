"""Mail delivery over one persistent SMTP connection.

Logs contain neither addresses nor replies of mail servers, which may contain addresses.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import Final

import structlog

from projections.platform.clock import now
from projections.platform.outgoing_settings import STARTTLS, TLS, Outgoing
from workers.notifications.service import Mail, Outcome

SECONDS_MAX: Final = 15.0
"""Timeout in seconds, after which the server counts as unavailable."""
NO_SUCH: Final = frozenset({550, 551, 552, 553, 556})
"""SMTP codes for a mailbox that does not exist or accepts no mail."""
PERMANENT: Final = 500

logger = structlog.get_logger("notifications")


class Mailer:
    """A client of the mail server."""

    def __init__(self, settings: Outgoing) -> None:
        self._settings = settings
        self._smtp: smtplib.SMTP | None = None

    def send(self, mail: Mail) -> Outcome:
        """Send a mail and return the outcome; failures are logged, not raised.

        "refused": invalid or refused; "gone": no such receiver; "away": the server is unavailable; "later": try
        again.
        """
        try:
            letter = letter_of(mail)
        except ValueError as fault:
            logger.warning("cannot compose a mail", reason=type(fault).__name__)
            return "refused"
        try:
            smtp = self._connect()
        except (OSError, smtplib.SMTPException) as fault:
            self.close()
            logger.warning("mail server unavailable", reason=type(fault).__name__)
            return "away"
        try:
            return self._send_letter(smtp, mail, letter)
        except smtplib.SMTPServerDisconnected:
            # The server may have accepted the mail; it will be sent again with the same Message-ID.
            self.close()
            logger.warning("mail server closed the connection")
            return "away"
        except (OSError, smtplib.SMTPException, UnicodeError) as fault:
            self.close()
            logger.warning("mail not delivered to the server", reason=type(fault).__name__)
            return "later"

    def close(self) -> None:
        """Close the connection, if any; errors are ignored, and the next mail reconnects."""
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._smtp.quit()
            self._smtp.close()
        self._smtp = None

    def _connect(self) -> smtplib.SMTP:
        """Return a working connection, with TLS and signed in as set; reconnect if the server closed it.

        Raise `OSError` or `SMTPException` if the server is unavailable.
        """
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                if self._smtp.rset()[0] == 250:
                    return self._smtp
            self.close()
        scheme, host, port = self._settings.mail_server
        context = ssl.create_default_context()
        if scheme == TLS:
            self._smtp = smtplib.SMTP_SSL(host, port, timeout=SECONDS_MAX, context=context)
        else:
            self._smtp = smtplib.SMTP(host, port, timeout=SECONDS_MAX)
        if scheme == STARTTLS:
            self._smtp.starttls(context=context)
        if self._settings.mail_user:
            self._smtp.login(self._settings.mail_user, self._settings.mail_password.word)
        self._smtp.ehlo_or_helo_if_needed()
        return self._smtp

    def _send_letter(self, smtp: smtplib.SMTP, mail: Mail, letter: bytes) -> Outcome:
        """Send the letter in the steps of SMTP and return the outcome.

        Raise `SMTPServerDisconnected` if the server closes the connection (421).
        """
        sender = mail.bounces or parseaddr(mail.sender)[1]
        steps: tuple[tuple[Callable[[], tuple[int, bytes]], bool], ...] = (
            (lambda: smtp.mail(sender), False),
            (lambda: smtp.rcpt(mail.to), True),
            (lambda: smtp.data(letter), False),
        )
        for step, is_of_receiver in steps:
            try:
                code = step()[0]
            except smtplib.SMTPDataError as fault:
                code = fault.smtp_code
            if code == 421:
                raise smtplib.SMTPServerDisconnected("the server says goodbye")
            if code >= PERMANENT:
                logger.warning("mail rejected", code=code)
                return "gone" if is_of_receiver and code in NO_SUCH else "refused"
            if code >= 300:
                logger.info("mail deferred", code=code)
                return "later"
        return "sent"


def letter_of(mail: Mail) -> bytes:
    """Encode a mail as text and HTML, with one-click unsubscription (RFC 8058) if it has an address for that.

    Raise `ValueError` for an invalid header.
    """
    letter = EmailMessage(policy=SMTP)
    letter["From"] = mail.sender
    letter["To"] = mail.to
    letter["Subject"] = mail.subject
    letter["Date"] = format_datetime(now())
    letter["Message-ID"] = mail.message_id
    letter["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe:
        letter["List-Unsubscribe"] = f"<{mail.unsubscribe}>"
        letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    letter.set_content(mail.text)
    letter.add_alternative(mail.html, subtype="html")
    return letter.as_bytes()
