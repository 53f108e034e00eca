"""A service that tells people things away from the pages, its mail server, and its push service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from api.notifications.service import NotificationService
from api.notifications.wire import SettleOutgoing
from api.web.clock import now
from domain.notifications.kinds import Way
from projections.catalogue import PROJECTIONS
from projections.loop import Loop
from projections.platform.outgoing_settings import Outgoing
from projections.platform.settings import Settings
from tests.api.house import SERVICE_TOKEN, Sockets, behind_sockets, settings_in
from tests.notifications.mail_server import MailServer, mail_server
from tests.notifications.push_server import PushServer, push_server
from workers.notifications.handing import hand_over_mails, hand_over_pushes
from workers.notifications.mail import Mailer
from workers.notifications.push import Pusher
from workers.notifications.service import Leased, Outcome, OutgoingClient
from workers.unix_http import UnixClient

SENDER = "Esporles <post@esporles.example>"
BOUNCES = "bounces@esporles.example"
SLOW = {"clock": {"kind": "correspondence", "seconds": 86_400}}


class Away:
    """Everything that a message passes through."""

    def __init__(self, sockets: Sockets, settings: Settings, mails: MailServer, pushes: PushServer) -> None:
        self.sockets = sockets
        self.settings = settings
        self.mails = mails
        self.pushes = pushes
        assert sockets.ask("GET", "/health")[0] == 200
        self.client = OutgoingClient(UnixClient(sockets.path, SERVICE_TOKEN, 30.0))

    @property
    def state(self) -> Any:
        return self.sockets.app.state

    @property
    def notifications(self) -> NotificationService:
        found: NotificationService = self.state.notifications
        return found

    def follow(self) -> None:
        """The read models follow to the end of the log."""
        tables = self.state.tables
        Loop(tables.writer.matches, tables.writer.reads, tuple(PROJECTIONS.values())).catch_up()

    def hand_over(self) -> tuple[int, int]:
        """What the jobs of both ways do; how many mails and pushes were taken."""
        self.follow()
        mails = hand_over_mails(self.client, Mailer(self.settings.outgoing))
        return mails, hand_over_pushes(self.client, Pusher(self.settings.outgoing.push_allowed))

    def at(self, at: datetime) -> AtATime:
        """The service at a time that does not pass by itself."""
        return AtATime(self.notifications, at)

    def person(self, name: str, *, mail: bool = True, device: bool = False) -> AwayPerson:
        return AwayPerson(self, name, mail=mail, device=device)

    def started(self, *people: AwayPerson, **wanted: Any) -> str:
        """A match of these people that is being played, at a slow table."""
        body = {"title": "la_granja", "seats": len(people), "table": SLOW, **wanted}
        match_id = str(people[0].ask("POST", "/matches", body)["matchId"])
        for seat, person in enumerate(people):
            person.ask("POST", f"/matches/{match_id}/seats", {"seat": seat})
        for person in people:
            person.ask("POST", f"/matches/{match_id}/ready", {})
        return match_id


class AtATime:
    """What the service answers who hands over, at a time that is told."""

    def __init__(self, notifications: NotificationService, at: datetime) -> None:
        self._notifications = notifications
        self.at = at

    def lease(self, way: Way) -> Leased:
        told = self._notifications.lease_at(way, self.at)
        return msgspec.json.decode(msgspec.json.encode(told), type=Leased)

    def settle(self, message: str, way: Way, outcome: Outcome) -> None:
        self._notifications.settle_at(SettleOutgoing(message, way, outcome), self.at)


class AwayPerson:
    """Somebody with a token, and with a mail address and a device where they are wanted."""

    def __init__(self, away: Away, name: str, *, mail: bool, device: bool) -> None:
        people = away.sockets.people
        self._away = away
        self.name = name
        account = people.create(name, "correct horse battery", now())
        self.id = account.id
        self.token = people.issue_token(account, "", now())[1]
        self.address = f"{name.lower()}@players.example"
        self.subscription = away.pushes.subscribe(name) if device else None
        if mail:
            recipients = away.notifications.recipients
            made = recipients.set_address(self.id, self.address, "en", now())
            assert recipients.confirm_address(made.id)
        if self.subscription is not None:
            self.ask("POST", "/me/notifications/devices", self.subscription.wanted)

    def ask(self, method: str, path: str, wanted: Any = None) -> Any:
        status, answer = self._away.sockets.ask(method, path, wanted, self.token)
        assert status < 300, answer
        return answer

    def acts(self, match_id: str) -> None:
        legal = self.ask("GET", f"/matches/{match_id}/legal-actions")
        action = legal["actions"][0]["action"]
        self.ask("POST", f"/matches/{match_id}/actions", {"expectedVersion": legal["version"], "action": action})

    @property
    def letters(self) -> list[str]:
        """The subjects of what came."""
        return [str(letter["Subject"]) for letter in self._away.mails.to(self.address)]


def parts_of(letter: EmailMessage) -> tuple[str, str]:
    """Its text and its HTML."""
    text, html = letter.get_body(("plain",)), letter.get_body(("html",))
    assert text is not None
    assert html is not None
    return text.get_content(), html.get_content()


@contextmanager
def away_in(folder: Path, **more: Any) -> Iterator[Away]:
    with mail_server() as mails, push_server(folder) as pushes:
        settings = replace(
            settings_in(folder),
            outgoing=Outgoing(
                mail=f"smtp+plain://127.0.0.1:{mails.port}",
                mail_from=SENDER,
                mail_bounces=BOUNCES,
                push="mailto:post@esporles.example",
                push_allowed=(pushes.place,),
            ),
            address="https://esporles.example",
            **more,
        )
        with behind_sockets(folder, settings) as sockets:
            away = Away(sockets, settings, mails, pushes)
            yield away
            away.client.close()
