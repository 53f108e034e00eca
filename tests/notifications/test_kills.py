"""Processes that are really killed at every step of a hand-over: nothing is lost, and what comes twice has one id."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from time import monotonic

import pytest

from api.matches.acting import now
from api.notifications.outbox import Outbox, OutboxRow
from domain.matches.log import microseconds
from projections.settings import PEOPLE_FILE
from tests.notifications.away import SENDER
from tests.notifications.mail_server import MailServer, mail_server
from tests.workers.serving import DEADLINE_SECONDS, Client, Serving, serving

ADDRESS = "ann@players.example"


class Killing:
    """A service, its mail server, its outbox, and somebody who is to be told."""

    def __init__(self, service: Serving, mails: MailServer, outbox: Outbox) -> None:
        self.service = service
        self.mails = mails
        self.outbox = outbox
        self.client: Client = service.player()
        self.person = str(self.client.get("/me")["person"]["id"])
        self.table = f"/tables/{self.client.post('/matches', {'title': 'la_granja', 'seats': 2})['matchId']}"
        assert outbox.confirm_address(outbox.set_address(self.person, ADDRESS, "en", now()).id)

    def kill_at(self, step: str, name: str) -> None:
        """The process dies when the mail server is told so for the next time."""

        def kill(told: str) -> None:
            if told == step:
                self.mails.on_step = lambda _: None
                os.kill(self.service._pids[name], signal.SIGKILL)

        self.mails.on_step = kill

    def tell(self, fact: str) -> None:
        due = microseconds(now())
        self.outbox.tell([OutboxRow(fact, self.person, "mention", "mail", due=due, about=self.table)], now())

    def come_back(self, name: str) -> None:
        """The process was started again, and the lease of the one that died is over."""
        while self.service._has_restarted(self.service.told.line()) != name:
            pass
        with self.outbox._writing() as database:
            database.change("UPDATE outbox SET leased_us = 0, due_us = 0 WHERE state = 'waiting'")
            database.change("UPDATE outbox_ways SET rests_us = 0")

    def wait_until_sent(self, fact: str) -> None:
        given_up = monotonic() + DEADLINE_SECONDS
        while self.outbox._rows("SELECT state FROM outbox WHERE fact = ?", fact) != [("sent",)]:
            assert monotonic() < given_up, f"{fact} was never sent"
            self.client.get("/me")


@pytest.fixture(scope="module")
def killing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killing]:
    folder = tmp_path_factory.mktemp("killing")
    with mail_server() as mails:
        words = {"ESPORLES_MAIL": f"smtp+plain://127.0.0.1:{mails.port}", "ESPORLES_MAIL_FROM": SENDER}
        with serving(folder, 1, **words) as service, closing(Outbox(folder / PEOPLE_FILE)) as outbox:
            yield Killing(service, mails, outbox)


@pytest.mark.parametrize(
    ("step", "name", "times"),
    [
        ("EHLO", "mailer", 1),
        ("RCPT", "mailer", 1),
        ("DATA", "mailer", 2),
        ("RCPT", "service", 1),
        ("RCPT", "valkey", 1),
    ],
)
def test_a_message_whose_process_dies_is_sent_and_twice_under_one_id_alone(
    killing: Killing, step: str, name: str, times: int
) -> None:
    before = len(killing.mails.letters)
    killing.kill_at(step, name)
    killing.tell(f"{step} {name}")
    killing.come_back(name)

    killing.wait_until_sent(f"{step} {name}")

    ids = Counter(killing.mails.ids[before:])
    assert list(ids.values()) == [times]
