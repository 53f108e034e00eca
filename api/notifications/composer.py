"""Messages from rows of the outbox, in the recipient's language: as text, HTML and push payload.

Outdated rows are skipped, such as a turn that was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from jinja2 import Environment

from api.accounts.people import People
from api.http.languages import _, join_words, use_language
from api.http.preferences import decode_preferences
from api.notifications.outbox import OutboxRow
from api.notifications.recipients import Device, MailAddress
from api.notifications.schemas import MailToSend, PushToSend
from api.notifications.sentences import (
    CHOOSE,
    CONFIRM,
    CONFIRM_ELSE,
    CONFIRM_LINK,
    DIGEST,
    STOP_ALL,
    STOP_KIND,
    WHY,
    sentence_of,
)
from api.notifications.tokens import Tokens
from domain.disputes.state import DISPUTE
from domain.eventstore.application import Matches
from domain.kernel.texts import one_line
from domain.leagues.state import LEAGUE
from domain.matches.aggregate import Match
from domain.matches.errors import NoSuchMatch
from domain.matches.facts import is_bot
from domain.tournaments.state import TOURNAMENT
from projections.platform.settings import Settings

ALL: Final = "all"
NAME_CHARACTERS_MAX: Final = 160
"""Maximum length of a name, because a subject is one line."""
DAY_SECONDS: Final = 86_400


class NotificationLine(NamedTuple):
    """A notification text and its URL."""

    sentence: str
    url: str


class Composer:
    """Composes messages; use on a thread, because it reads the log."""

    def __init__(
        self, matches: Matches, people: People, tokens: Tokens, settings: Settings, environment: Environment
    ) -> None:
        self.matches = matches
        self._people = people
        self._tokens = tokens
        self._settings = settings
        self._environment = environment

    def mail(self, rows: Sequence[OutboxRow], address: MailAddress) -> MailToSend:
        """Return a mail with one notification, a digest, or the letter that confirms an address.

        `rows` are its notifications, at least one. All but the letter have links to stop this kind or all.
        """
        with use_language(self._language(address.person, address.language)):
            lines = [self._line(row) for row in rows]
            kind = rows[0].kind if len({row.kind for row in rows}) == 1 else ALL
            is_letter = kind == "confirm"
            origin = self._settings.origin
            confirm_token = self._tokens.make("confirm", address.person, address.id)
            stop_url = f"{origin}/unsubscribe/{self._tokens.make('unsubscribe', address.person, kind)}"
            stop_all_url = f"{origin}/unsubscribe/{self._tokens.make('unsubscribe', address.person, ALL)}"
            links = list[tuple[str, str]]()
            if not is_letter:
                links = [(STOP_ALL, stop_all_url), (CHOOSE, f"{origin}/account/notifications")]
                links = links if kind == ALL else [(STOP_KIND, stop_url), *links]
            site = urlsplit(origin).netloc
            context = {
                "lines": [NotificationLine(_(CONFIRM_LINK), f"{origin}/account/mail/{confirm_token}")]
                if is_letter
                else lines,
                "head": _(CONFIRM, site=site) if is_letter else "",
                "foot": _(CONFIRM_ELSE) if is_letter else _(WHY, site=site),
                "links": [(_(label), url) for label, url in links],
                "language": self._language(address.person, address.language),
            }
            context["subject"] = subject = lines[0].sentence if len(lines) == 1 else _(DIGEST)
            return MailToSend(
                message=rows[0].message,
                to=address.address,
                sender=self._settings.outgoing.mail_from,
                bounces=self._bounce_address(address),
                message_id=f"<{rows[0].message}@{urlsplit(origin).hostname}>",
                subject=one_line(subject),
                text=self._environment.get_template("notifications/mail.txt").render(context),
                html=self._environment.get_template("notifications/mail.html").render(context),
                unsubscribe="" if is_letter else stop_url,
            )

    def _bounce_address(self, address: MailAddress) -> str:
        """Return the bounce address; without one, only SMTP errors report failures."""
        bounces = self._settings.outgoing.mail_bounces
        return self._tokens.bounce_address(bounces, address.id) if bounces else ""

    def push(self, row: OutboxRow, device: Device, authorization: str) -> PushToSend:
        """Return the push message of a notification for a device; turns and times are urgent."""
        with use_language(self._language(device.person, device.language)):
            line = self._line(row)
        payload = {"title": "Esporles", "body": line.sentence, "url": row.about, "tag": f"{row.kind}:{row.about}"}
        return PushToSend(
            message=row.message,
            endpoint=device.endpoint,
            p256dh=device.p256dh,
            auth=device.auth,
            topic=row.message,
            seconds=DAY_SECONDS,
            urgency="high" if row.kind in {"turn", "clock", "hour"} else "normal",
            payload=msgspec.json.encode(payload).decode(),
            authorization=authorization,
        )

    def _language(self, person_id: str, default: str) -> str:
        """Return the language that the person prefers, or else `default`, the browser's when the address was given."""
        person = self._people.find(person_id)
        preferences = None if person is None else person.preferences
        return (decode_preferences(preferences).language if preferences else "") or default

    def _line(self, row: OutboxRow) -> NotificationLine:
        """Return the sentence of a notification on one line, and the URL of its page."""
        values: dict[str, Any] = {"number": row.number, "match": "", "event": "", "club": ""}
        subject, _sign, name = row.about.strip("/").partition("/")
        if row.kind != "confirm":
            values |= self._values(row.person, subject, name)
        sentence = sentence_of(row.kind, row.what, values)
        return NotificationLine(one_line(sentence), f"{self._settings.origin}{row.about}")

    def _values(self, person: str, subject: str, name: str) -> dict[str, str]:
        """Return the values of the sentence: title and other players of a match, or the name of the event or club.

        Raise `NoSuchStream` or `NoSuchMatch` if it is gone.
        """
        if subject == "events":
            return {"event": shorten(self.matches.streams.get(TOURNAMENT, UUID(name)).state.plan.name)}
        if subject == "leagues":
            return {"event": shorten(self.matches.streams.get(LEAGUE, UUID(name)).state.plan.name)}
        if subject == "clubs":
            return {"club": shorten(self._people.clubs.names([UUID(name)]).get(UUID(name), ""))}
        line_id = self.matches.streams.get(DISPUTE, UUID(name)).state.line if subject == "disputes" else UUID(name)
        return {"match": self._match_words(self.matches.get(line_id), person)}

    def _match_words(self, match: Match, person: str) -> str:
        """Return the title and the other people at the table; without any, the title alone."""
        others = [seat.actor for seat in match.seats if seat.actor is not None and not is_bot(seat.actor)]
        names = self._people.names(actor for actor in others if actor != person)
        title = _(match.definition.printed_name)
        joined_names = join_words([shorten(name) for name in names.values()])
        return _("{title} with {names}", title=title, names=joined_names) if names else title


def find_match(matches: Matches, row: OutboxRow) -> Match | None:
    """Return the match of a row; None if it no longer exists, or if the row is not about a match."""
    try:
        return matches.get(UUID(row.about.rpartition("/")[2]))
    except (NoSuchMatch, ValueError):
        return None


def shorten(name: str) -> str:
    """Return a name of at most `NAME_CHARACTERS_MAX` characters."""
    return name if len(name) <= NAME_CHARACTERS_MAX else f"{name[:NAME_CHARACTERS_MAX]}…"
