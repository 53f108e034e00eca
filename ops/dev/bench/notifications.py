"""Time from a turn to its mail and push at 1,000 tables, and delivery of 10,000 messages after an outage.

During the outage the mail server is away for ten minutes; every message must be sent exactly once.
"""

import re
import time
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from api.accounts.people import People
from api.notifications.outbox import Outbox, OutboxRow
from api.notifications.recipients import Recipients
from domain.matches.log.entries import microseconds
from domain.notifications.kinds import Channel
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.bench.sinks import MailSink, PushSink, mail_sink, push_sink
from ops.temporary_service import service_in
from projections.platform.outgoing_settings import Outgoing
from projections.platform.settings import PEOPLE_FILE
from workers.notifications.delivery import deliver_mails
from workers.notifications.mail import Mailer
from workers.notifications.service import Leased, Mail, Outcome

TABLES: Final = 1_000
PEOPLE: Final = 100
WAITING: Final = 10_000
OUTAGE: Final = timedelta(minutes=10)
LOOK: Final = timedelta(seconds=1)
NOTIFY_BUDGET: Final = 5.0
PATIENCE_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.5
LEASED: Final = 50
SENDER: Final = "post@esporles.example"
LINK: Final = re.compile(rb"/tables/([0-9a-f-]{36})")
MESSAGE_ID: Final = re.compile(rb"Message-ID: <(\w+)@")
SLOW: Final = {"clock": {"kind": "correspondence", "seconds": 86_400}}


class WaitingOutbox:
    """The service's interface for the mailer, with a simulated clock."""

    def __init__(self, outbox: Outbox, at: datetime) -> None:
        self._outbox = outbox
        self.at = at

    def lease(self, way: Channel) -> Leased:
        """Return due mails at the simulated time, at most `LEASED`, and whether there may be more."""
        found = self._outbox.lease(way, self.at, LEASED)
        mails = tuple(
            Mail(
                message=rows[0].message,
                to=f"{rows[0].person}@players.example",
                sender=SENDER,
                bounces="",
                message_id=f"<{rows[0].message}@esporles.example>",
                subject="Your turn",
                text="Your turn",
                html="<p>Your turn</p>",
                unsubscribe="",
            )
            for rows in found
        )
        return Leased(mails, more=len(found) == LEASED)

    def settle(self, message: str, way: Channel, outcome: Outcome) -> None:
        """Record the outcome of a message."""
        self._outbox.settle(message, way, outcome, self.at)


def outage(folder: Path) -> tuple[float, int, int]:
    """Queue messages while the mail server is away.

    Returns the seconds of sending, messages sent, and sent repeatedly. The clock during the outage is simulated.
    """
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    with closing(People(folder / PEOPLE_FILE)) as people:
        persons = [people.create_guest(begun).id for _ in range(PEOPLE)]
    with closing(Outbox(folder / PEOPLE_FILE)) as outbox:
        outbox.set_first_position(0)
        due = microseconds(begun)
        each = WAITING // PEOPLE
        outbox.add_rows(
            (
                OutboxRow(f"turn-{number}", person, "turn", "mail", due=due, about="/")
                for person in persons
                for number in range(each)
            ),
            begun,
        )
        with mail_sink() as sink:
            port = sink.port
        service = WaitingOutbox(outbox, begun)
        mailer = Mailer(Outgoing(mail=f"smtp+plain://127.0.0.1:{port}", mail_from=SENDER))
        while service.at < begun + OUTAGE:
            deliver_mails(service, mailer)
            service.at += LOOK
        with mail_sink(port) as sink:
            started = time.perf_counter()
            while any(standing.waiting for standing in outbox.channel_states(service.at)):
                deliver_mails(service, mailer)
                service.at += LOOK
            seconds = time.perf_counter() - started
            counts = Counter(found[1] for _, letter in sink.letters if (found := MESSAGE_ID.search(letter)))
    return seconds, len(counts), sum(count > 1 for count in counts.values())


class ApiClient:
    """A client that sends requests for several people."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)

    def post(self, token: str, path: str, wanted: object) -> Any:
        """Send a JSON request and return the decoded response; raise `AssertionError` on any error status."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection.request("POST", f"/api{path}", msgspec.json.encode(wanted), headers)
        answer = self._connection.getresponse()
        body = answer.read()
        assert answer.status < 300, body
        return msgspec.json.decode(body)


def tokens_in(folder: Path) -> list[str]:
    """Create people with confirmed mail addresses and return a token for each."""
    at, found = datetime.now(UTC), list[str]()
    with closing(People(folder / PEOPLE_FILE)) as people, closing(Recipients(folder / PEOPLE_FILE)) as recipients:
        for number in range(PEOPLE):
            person = people.create_guest(at)
            recipients.confirm_address(recipients.set_address(person.id, f"p{number}@players.example", "en", at).id)
            found.append(people.access.issue_token(person, "", at)[1])
    return found


def notification_seconds(folder: Path) -> tuple[list[float], list[float]]:
    """Measure, for every table, the seconds from the response that started the turn to its mail and to its push.

    A missing message counts as arrived at the end of the wait.
    """
    tokens, begun = tokens_in(folder), dict[str, float]()
    with mail_sink() as mails, push_sink(folder / "pushes") as pushes:
        words: dict[str, Any] = {
            "mail": f"smtp+plain://127.0.0.1:{mails.port}",
            "mail_from": SENDER,
            "address": "https://esporles.example",
            "push": "mailto:post@esporles.example",
            "push_allowed": pushes.host_and_port,
        }
        with service_in(folder, **words) as service:
            door = ApiClient(service.url)
            for number, token in enumerate(tokens):
                door.post(token, "/me/notifications/devices", pushes.subscription(number))
            for number in range(TABLES):
                two = tokens[number % PEOPLE], tokens[(number * 7 + 1) % PEOPLE]
                two = two if two[0] != two[1] else (tokens[0], tokens[1])
                match_id = door.post(two[0], "/matches", {"title": "el_grande", "seats": 2, "table": SLOW})["matchId"]
                for seat, token in enumerate(two):
                    door.post(token, f"/matches/{match_id}/seats", {"seat": seat})
                for token in two:
                    door.post(token, f"/matches/{match_id}/ready", {})
                begun[match_id] = time.monotonic()
            until = time.monotonic() + PATIENCE_SECONDS
            ways = partial(letters_in, mails), partial(pushes_in, pushes)
            while any(len(way()) < TABLES for way in ways) and time.monotonic() < until:
                time.sleep(LOOK_SECONDS)
        came = [way() for way in ways]
    by_mail, by_push = ([each.get(match_id, until) - at for match_id, at in begun.items()] for each in came)
    return by_mail, by_push


def letters_in(sink: MailSink) -> dict[str, float]:
    """Return the arrival time of the first mail about each match, by its id."""
    found: dict[str, float] = {}
    for at, letter in list(sink.letters):
        # Quoted-printable wraps long lines with a trailing `=`.
        if match := LINK.search(letter.replace(b"=\r\n", b"")):
            found.setdefault(match[1].decode(), at)
    return found


def pushes_in(sink: PushSink) -> dict[str, float]:
    """Return the arrival time of the first push about each match, by its id."""
    found: dict[str, float] = {}
    for at, url in sink.arrivals():
        found.setdefault(url.rpartition("/")[2], at)
    return found


def notification_figure(way: str, told: list[float]) -> Figure:
    """Return the row for the 99th percentile."""
    slow, middle = percentile(told, 0.99), milliseconds(median(told))
    what = f"turn notification by {way} at {TABLES} tables until accepted, p99 (median {middle})"
    return Figure(what, milliseconds(slow), "< 5 s", slow < NOTIFY_BUDGET)


def section() -> Section:
    """Measure the outage and the deliveries."""
    with TemporaryDirectory() as folder:
        seconds, sent, twice = outage(Path(folder))
    with TemporaryDirectory() as folder:
        told = dict(zip(("mail", "push"), notification_seconds(Path(folder)), strict=True))
    return Section(
        "Notifications",
        (
            *(notification_figure(way, seconds) for way, seconds in told.items()),
            Figure(
                f"{WAITING} messages after ten minutes without a server: sent, and sent twice",
                f"{sent}, {twice}",
                f"{WAITING}, 0",
                (sent, twice) == (WAITING, 0),
                f"{sent / seconds:.0f} a second",
            ),
        ),
    )
