"""The outcome of a message for each response of a mail server or push service, and forbidden destinations."""

from __future__ import annotations

import io
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from ops.cli import main
from ops.service_client import ServiceAddress, write_address
from projections.platform.declarations import Secret
from projections.platform.outgoing_settings import Outgoing
from tests.notifications.away import Away, MailServer, PushServer, mail_server, push_server, tls_context
from workers.notifications.mail import Mailer
from workers.notifications.push import Network, Pusher
from workers.notifications.service import Mail, Outcome, Push

ANN: Final = "ann@players.example"
SETTINGS: Final = Outgoing(mail_from="Esporles <post@esporles.example>")
MAIL: Final = Mail(
    message="m1",
    to=ANN,
    sender="Esporles <post@esporles.example>",
    bounces="bounces+1-2@esporles.example",
    message_id="<m1@esporles.example>",
    subject="Du bist dran: Žofie",
    text="It is your turn\n",
    html="<p>It is your turn</p>",
    unsubscribe="https://esporles.example/unsubscribe/x",
)
PUBLIC: Final = "93.184.215.14"
HERE: Final = "127.0.0.1"
FAR: Final = "push.example.org"


@pytest.fixture(scope="module")
def authority_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Provide a folder with the authority that signs the servers' certificates."""
    folder = tmp_path_factory.mktemp("trusted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
        yield folder


@pytest.fixture(scope="module")
def mails() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


@pytest.fixture(scope="module")
def pushes(authority_folder: Path) -> Iterator[PushServer]:
    with push_server(authority_folder) as server:
        yield server


def mailing(port: int, scheme: str = "smtp+plain", **options: Any) -> Mailer:
    return Mailer(replace(SETTINGS, mail=f"{scheme}://127.0.0.1:{port}", **options))


@pytest.mark.parametrize(
    ("recipient_reply", "mail_reply", "outcome"),
    [
        ("", "250 OK", "sent"),
        ("550 5.1.1 No such user", "250 OK", "gone"),
        ("553 No such address", "250 OK", "gone"),
        ("450 4.2.1 Busy", "250 OK", "later"),
        ("554 5.7.1 Refused", "250 OK", "refused"),
        ("421 Goodbye", "250 OK", "away"),
        ("", "550 5.7.1 No such content", "refused"),
        ("", "452 4.3.1 No room", "later"),
        ("", "421 Goodbye", "away"),
    ],
)
def test_each_answer_of_a_mail_server_has_its_outcome(
    mails: MailServer, recipient_reply: str, mail_reply: str, outcome: Outcome
) -> None:
    mails.refused = {ANN: recipient_reply} if recipient_reply else {}
    mails.answer = mail_reply
    mails.letters.clear()
    mailer = mailing(mails.port)

    actual = mailer.send(MAIL)
    mails.refused, mails.answer = {}, "250 OK"

    assert actual == outcome
    assert len(mails.letters) == (outcome == "sent")
    assert mailer.send(MAIL) == "sent", "the next one goes out, over this connection or another"
    mailer.close()


def test_a_mail_has_text_html_and_one_click_unsubscription(mails: MailServer) -> None:
    mails.letters.clear()
    mailer = mailing(mails.port)
    assert mailer.send(MAIL) == "sent"
    assert mailer.send(replace(MAIL, unsubscribe="")) == "sent"
    mailer.close()

    first, second = mails.letters
    assert [part.get_content_type() for part in first.iter_parts()] == ["text/plain", "text/html"]
    assert str(first["Subject"]) == MAIL.subject
    assert first["Message-ID"] == MAIL.message_id
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["List-Unsubscribe"] == f"<{MAIL.unsubscribe}>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert second["List-Unsubscribe"] is second["List-Unsubscribe-Post"] is None
    assert mails.envelopes[-1] == (MAIL.bounces, (ANN,))


def test_header_injection_is_refused(mails: MailServer) -> None:
    mails.letters.clear()
    mailer = mailing(mails.port)

    outcome = mailer.send(replace(MAIL, subject="Hello\r\nBcc: everybody@players.example"))

    assert (outcome, mails.letters) == ("refused", [])
    assert mailer.send(MAIL) == "sent", "it holds nobody else up"
    mailer.close()


def test_required_tls_and_certificates_are_enforced(
    mails: MailServer, authority_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails.letters.clear()
    assert mailing(mails.port, "smtp").send(MAIL) == "away"
    with mail_server(tls=tls_context(authority_folder), requires_login=True) as tls_server:
        credentials = {"mail_user": "house", "mail_password": Secret("word")}
        mailer = mailing(tls_server.port, "smtp", **credentials)
        assert mailer.send(MAIL) == "sent"
        mailer.close()
        assert tls_server.users == [(b"house", b"word")]
        assert mailing(tls_server.port, "smtp", mail_user="house", mail_password=Secret("wrong")).send(MAIL) == "away"
        monkeypatch.delenv("SSL_CERT_FILE")
        assert mailing(tls_server.port, "smtp", **credentials).send(MAIL) == "away"
        assert len(tls_server.letters) == 1
    assert mails.letters == []


def push_to(pushes: PushServer, name: str, host: str = HERE) -> Push:
    registration = pushes.subscribe(name).registration
    endpoint = f"https://{host}:{pushes.port}/{name}"
    keys = {key: registration[key] for key in ("p256dh", "auth")}
    return Push(
        "m", endpoint, topic="t", seconds=60, urgency="normal", payload='"hello"', authorization="vapid", **keys
    )


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (201, "sent"),
        (204, "sent"),
        (404, "gone"),
        (410, "gone"),
        (429, "later"),
        (500, "later"),
        (503, "later"),
        (400, "refused"),
        (413, "refused"),
        (302, "refused"),
        (307, "refused"),
    ],
)
def test_each_answer_of_a_push_service_has_its_outcome(pushes: PushServer, status: int, outcome: Outcome) -> None:
    """Redirects are not followed: they could lead into the operator's network."""
    pushes.status, pushes.requests[:] = status, []
    pushes.location = f"https://{pushes.host_and_port}/elsewhere"
    push = push_to(pushes, "ann")

    actual = Pusher([pushes.host_and_port]).send(push)
    pushes.status = 201

    assert actual == outcome
    assert [request["path"] for request in pushes.requests] == ["/ann"]


def test_invalid_keys_end_a_subscription(pushes: PushServer) -> None:
    push = replace(push_to(pushes, "ann"), p256dh="AAAA")

    assert Pusher([pushes.host_and_port]).send(push) == "gone"


class Names:
    """A resolver with prepared answers for each name, used one after the other."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self._answers = {FAR if name == "far" else name: list(addresses) for name, addresses in answers.items()}
        self.queried: list[str] = []
        self.reached: list[str] = []

    def resolve(self, host: str, port: int) -> list[Any]:
        self.queried.append(host)
        return [(0, 0, 0, "", (each, port)) for each in self._answers[host].pop(0)]

    def refuse(self, address: tuple[str, int], _: float) -> socket.socket:
        """Record the destination of a connection and refuse it."""
        self.reached.append(address[0])
        raise ConnectionRefusedError

    @property
    def network(self) -> Network:
        return Network(self.resolve, self.refuse)


@pytest.mark.parametrize(
    "addresses",
    [
        [HERE],
        ["10.0.0.7"],
        ["192.168.1.1"],
        ["169.254.169.254"],
        ["::1"],
        ["fd00::7"],
        ["fe80::1"],
        ["::ffff:10.0.0.7"],
        ["64:ff9b::a00:7"],
        ["2002:a00:7::1"],
        ["100.64.0.1"],
        ["0.0.0.0"],
        ["224.0.0.1"],
        [PUBLIC, "10.0.0.7"],
    ],
)
def test_no_request_is_sent_to_private_addresses(pushes: PushServer, addresses: list[str]) -> None:
    names = Names(far=[addresses])

    assert Pusher([], names.network).send(push_to(pushes, "ann", FAR)) == "gone"

    assert (names.queried, names.reached) == ([FAR], [])


def test_dns_rebinding_has_no_effect(pushes: PushServer) -> None:
    """DNS rebinding: a public address when checked, a private one afterwards."""
    names = Names(far=[[PUBLIC], [HERE]])

    assert Pusher([], names.network).send(push_to(pushes, "ann", FAR)) == "later"

    assert (names.queried, names.reached) == ([FAR], [PUBLIC])


def test_the_checked_address_is_used_with_the_certificate_of_the_name(pushes: PushServer) -> None:
    """Only `localhost` is in the server's certificate."""
    names = Names(localhost=[[HERE], ["127.0.0.9"]], far=[[HERE]])
    pusher = Pusher([f"localhost:{pushes.port}", f"{FAR}:{pushes.port}"], Network(names.resolve))
    pushes.requests.clear()

    assert pusher.send(push_to(pushes, "ann", "localhost")) == "sent"
    assert pusher.send(push_to(pushes, "ann", FAR)) == "later"

    assert names.queried == ["localhost", FAR]
    assert [request["path"] for request in pushes.requests] == ["/ann"]


def report(action: str, status: str) -> bytes:
    """Build a delivery status notification as mail servers write it (RFC 3464)."""
    lines = (
        "From: MAILER-DAEMON@esporles.example",
        "MIME-Version: 1.0",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=between",
        *("", "--between", "Content-Type: text/plain", "", "Sorry.", ""),
        *("--between", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; esporles.example", ""),
        *(f"Final-Recipient: rfc822; {ANN}", f"Action: {action}", f"Status: {status}", "", "--between--", ""),
    )
    return "\r\n".join(lines).encode()


@contextmanager
def message_on_stdin(message: bytes) -> Iterator[None]:
    """Provide a message on standard input."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(message))
    try:
        yield
    finally:
        sys.stdin = before


def test_a_bounce_disables_an_address_and_other_mail_does_not(away: Away, capsys: pytest.CaptureFixture[str]) -> None:
    lou = away.person("Lou")
    address = away.notifications.recipients.address_of(lou.id)
    assert address is not None
    recipient = away.notifications.tokens.bounce_address("bounces@esporles.example", address.id)

    def bounces(message: bytes, address: str = recipient) -> int:
        with message_on_stdin(message):
            return main(["bounce", address, "--data", str(away.settings.data)])

    permanent_failure = report("failed", "5.1.1")
    assert bounces(permanent_failure) == 1
    assert "no service is running on this data folder" in capsys.readouterr().err
    write_address(away.settings.data, ServiceAddress(str(away.sockets.path), away.settings.token))
    for message in (
        report("delayed", "4.4.7"),
        report("failed", "4.2.2"),
        report("relayed", "2.0.0"),
        b"",
        b"\xff\x00",
    ):
        assert bounces(message) == 0
        assert "no permanent failure reported; the address stays in use" in capsys.readouterr().out
    assert bounces(permanent_failure, "bounces+7-nobody@esporles.example") == 1
    assert "is not a bounce address of this service" in capsys.readouterr().err
    assert lou.ask("GET", "/me/notifications")["address"]["state"] == "good"

    assert bounces(permanent_failure) == 0

    assert "no more mail will be sent to the address" in capsys.readouterr().out
    assert lou.ask("GET", "/me/notifications")["address"]["state"] == "bounced"
