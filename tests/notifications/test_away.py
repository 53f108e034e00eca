"""Notifications from a turn in the log to a mail and a push that real servers accept."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from http.client import HTTPConnection

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey

from api.accounts.people import PEOPLE
from api.http.limits import LETTERS_TO_ONE_PER_DAY
from api.notifications.consumer import due_of_pace
from api.notifications.keys import decode_base64
from domain.matches.log.entries import microseconds
from domain.notifications.kinds import Frequency
from projections.platform.clock import now
from projections.platform.outgoing_settings import Outgoing
from tests.notifications.away import BOUNCES, SENDER, Away, AwayPerson, parts_of
from workers.notifications.delivery import deliver_mails
from workers.notifications.mail import Mailer

MINUTE = timedelta(minutes=1)


def owes(person: AwayPerson, match_id: str) -> bool:
    return bool(person.ask("GET", f"/matches/{match_id}/legal-actions")["actions"])


FORM = "application/x-www-form-urlencoded"


def page(
    away: Away, method: str, path: str, body: str = "", content_type: str = FORM, cookie: str = ""
) -> tuple[int, str]:
    """Request a page as a mail program or browser without a cookie would; return status and body."""
    connection = HTTPConnection("127.0.0.1", away.sockets.port, timeout=60)
    headers = {"Content-Type": content_type, "Accept-Language": "en"} | ({"Cookie": cookie} if cookie else {})
    connection.request(method, path, body or None, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def notify_of(away: Away, person: AwayPerson, fact: str, about: str = "") -> None:
    """Notify a person of a fact that is in no log, about an open table."""
    path = about or f"/tables/{person.ask('POST', '/matches', {'title': 'la_granja', 'seats': 2})['matchId']}"
    away.notifications.notify_now("mention", [person.id], fact, path)


def test_a_turn_is_notified_once_by_mail_and_once_per_device(away: Away) -> None:
    ann, ben = away.person("Ann", device=True), away.person("Ben", device=True)
    match_id = away.start_match(ann, ben, title="el_grande")
    away.pushes.shown.clear()

    away.hand_over()

    (first,) = [person for person in (ann, ben) if owes(person, match_id)]
    other = ben if first is ann else ann
    assert first.letters == [f"Your turn: El Grande with {other.name}"]
    assert other.letters == []
    assert away.pushes.shown == [
        {
            "title": "Esporles",
            "body": f"Your turn: El Grande with {other.name}",
            "url": f"/tables/{match_id}",
            "tag": f"turn:/tables/{match_id}",
        }
    ]
    assert away.hand_over() == (0, 0)
    (letter,) = away.mails.to(first.address)
    text, html = parts_of(letter)
    link = f"https://esporles.example/tables/{match_id}"
    assert link in text
    assert f'<a href="{link}">' in html
    assert letter["From"] == "Esporles <post@esporles.example>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert str(letter["Message-ID"]).endswith("@esporles.example>")
    sender = {receivers[0]: sender for sender, receivers in away.mails.envelopes}[first.address]
    assert sender.startswith(BOUNCES.partition("@")[0] + "+")

    first.acts(match_id)
    while owes(first, match_id):
        first.acts(match_id)
    away.hand_over()
    assert other.letters == [f"Your turn: El Grande with {first.name}"]


def test_a_turn_already_taken_is_not_notified(away: Away) -> None:
    cleo, dina = away.person("Cleo"), away.person("Dina")
    match_id = away.start_match(cleo, dina, title="el_grande")
    away.follow()
    away.notifications.consumer.consume(now())
    first = cleo if owes(cleo, match_id) else dina
    while owes(first, match_id):
        first.acts(match_id)

    away.hand_over()

    assert first.letters == []


def test_turns_with_a_clock_per_move_are_not_notified_by_mail(away: Away) -> None:
    enid, fay = away.person("Enid", device=True), away.person("Fay", device=True)
    match_id = away.start_match(enid, fay, table={"clock": {"kind": "per_move", "seconds": 3600}})
    away.pushes.shown.clear()

    away.hand_over()

    assert enid.letters == fay.letters == []
    assert {push["url"] for push in away.pushes.shown} == {f"/tables/{match_id}"}


def test_an_address_is_used_only_after_confirmation(away: Away) -> None:
    gus = away.person("Gus", mail=False)
    gus.ask("PUT", "/me/notifications/address", {"address": gus.address})
    notify_of(away, gus, "before")
    away.hand_over()
    (letter,) = away.mails.to(gus.address)
    text, _ = parts_of(letter)
    assert letter["List-Unsubscribe"] is None
    link = re.search(r"https://esporles\.example(/account/mail/\S+)", text)
    assert link is not None

    status, content = page(away, "GET", link[1])
    assert (status, "Confirm this address" in content) == (200, True)
    assert gus.ask("GET", "/me/notifications")["address"]["state"] == "unconfirmed"
    assert PEOPLE.of(away.sockets).find(gus.id) is not None
    token = link[1].rpartition("/")[2]
    assert away.notifications.recipients.confirm_address(away.notifications.tokens.read("confirm", token)[1])
    notify_of(away, gus, "after")
    away.hand_over()

    assert gus.letters == ["Confirm your email address", "Someone mentioned you: La Granja"]
    forged = f"{token[:-1]}{'0' if token[-1] != '0' else '1'}"
    assert page(away, "GET", f"/account/mail/{forged}")[0] == 404


def test_one_click_unsubscribes_a_kind_and_a_forged_link_does_not(away: Away) -> None:
    hana = away.person("Hana")
    notify_of(away, hana, "one")
    away.hand_over()
    (letter,) = away.mails.to(hana.address)
    path = str(letter["List-Unsubscribe"]).strip("<>").removeprefix("https://esporles.example")

    assert page(away, "GET", path)[0] == 200
    assert hana.ask("GET", "/me/notifications")["mail"]["mention"] == "once"
    for forged in (f"{path}x", path[:-1], path.replace(".", "x.", 1), "/unsubscribe/x.y", "/unsubscribe/%00"):
        assert page(away, "POST", forged, "List-Unsubscribe=One-Click")[0] == 404
    assert hana.ask("GET", "/me/notifications")["mail"]["mention"] == "once"
    status, content = page(away, "POST", path, "List-Unsubscribe=One-Click")

    assert (status, "You will no longer get emails of this kind: Mentions in chat." in content) == (200, True)
    settings = hana.ask("GET", "/me/notifications")["mail"]
    assert (settings["mention"], settings["turn"]) == ("off", "once")
    notify_of(away, hana, "two")
    assert away.hand_over()[0] == 0
    assert page(away, "POST", path, "List-Unsubscribe=One-Click")[0] == 200
    part = 'Content-Disposition: form-data; name="List-Unsubscribe"'
    for body, kind, cookie in (
        ("List-Unsubscribe=One-Click&utm_source=mail&wish.0.deep=1&List-Unsubscribe=One-Click", FORM, ""),
        (f"--x\r\n{part}\r\n\r\nOne-Click\r\n--x--\r\n", "multipart/form-data; boundary=x", ""),
        ("List-Unsubscribe=One-Click", FORM, "session=old; csrftoken=old"),
        ("", FORM, ""),
    ):
        hana.ask("PUT", "/me/notifications", {"mail": {"mention": "once"}})
        assert page(away, "POST", path, body, kind, cookie)[0] == 200, body
        assert hana.ask("GET", "/me/notifications")["mail"]["mention"] == "off"


def test_an_address_is_disabled_by_a_permanent_failure_only(away: Away) -> None:
    ines, jon = away.person("Ines"), away.person("Jon")
    away.mails.refused |= {ines.address: "550 No such user here", jon.address: "450 Busy"}
    notify_of(away, ines, "one")
    notify_of(away, jon, "one")
    away.hand_over()
    away.mails.refused.clear()

    notify_of(away, ines, "two")
    away.hand_over()
    leased = away.notifications.lease_at("mail", now() + 2 * MINUTE)

    assert ines.ask("GET", "/me/notifications")["address"]["state"] == "bounced"
    assert ines.letters == []
    assert [mail.to for mail in leased.mails] == [jon.address]


def test_a_bounce_disables_an_address_and_a_forged_bounce_does_not(away: Away) -> None:
    kim = away.person("Kim")
    notify_of(away, kim, "one")
    away.hand_over()
    sender = {receivers[0]: sender for sender, receivers in away.mails.envelopes}[kim.address]
    forged = sender.replace("-", "-0", 1)

    for address, expected in ((forged, 404), ("bounces@esporles.example", 404), (sender.upper(), 201)):
        status, response = away.sockets.ask(
            "POST", "/outgoing/bounces", {"address": address}, away.settings.token, private=True
        )
        assert status == expected, response

    assert kim.ask("GET", "/me/notifications")["address"]["state"] == "bounced"


def test_an_hourly_digest_is_one_mail_at_the_end_of_the_hour(away: Away) -> None:
    lena = away.person("Lena")
    lena.ask("PUT", "/me/notifications", {"mail": {"mention": "hourly"}})
    table = f"/tables/{away.start_match(lena, away.person('Max', mail=False))}"
    for fact in ("one", "two", "three"):
        notify_of(away, lena, fact, table)
    away.hand_over()
    assert lena.letters == []

    early = away.notifications.lease_at("mail", now())
    hour = away.notifications.lease_at("mail", now() + timedelta(hours=1))

    assert [mail for mail in early.mails if mail.to == lena.address] == []
    (mail,) = [mail for mail in hour.mails if mail.to == lena.address]
    assert mail.text.count("Someone mentioned you: La Granja with Max") == 3
    assert mail.subject == "News from your tables"


@pytest.mark.parametrize(
    ("pace", "due", "expected"),
    [
        ("once", "2026-01-01T06:10:00", "2026-01-01T06:10:00"),
        ("hourly", "2026-01-01T06:10:00", "2026-01-01T07:00:00"),
        ("hourly", "2026-01-01T07:00:00", "2026-01-01T08:00:00"),
        ("daily", "2026-01-01T06:59:59", "2026-01-01T07:00:00"),
        ("daily", "2026-01-01T07:00:00", "2026-01-02T07:00:00"),
    ],
)
def test_a_digest_is_due_at_the_end_of_its_hour_or_day(pace: Frequency, due: str, expected: str) -> None:
    at = microseconds(datetime.fromisoformat(f"{due}+00:00"))

    assert due_of_pace(pace, at) == microseconds(datetime.fromisoformat(f"{expected}+00:00"))


def test_an_unsettled_mail_is_sent_again_with_the_same_id(away: Away) -> None:
    nora = away.person("Nora")
    notify_of(away, nora, "one")
    first = away.notifications.lease_at("mail", now())
    assert [mail.to for mail in away.notifications.lease_at("mail", now()).mails] == []

    second = away.notifications.lease_at("mail", now() + 3 * MINUTE)

    ids = [mail.message_id for mail in first.mails if mail.to == nora.address]
    assert [mail.message_id for mail in second.mails if mail.to == nora.address] == ids


def test_mails_wait_for_an_unavailable_server_and_are_sent_once(away: Away) -> None:
    otto = away.person("Otto")
    table = f"/tables/{away.start_match(otto)}"
    count = 200
    for fact in range(count):
        notify_of(away, otto, str(fact), table)
    store, start = away.notifications.outbox, now()
    unreachable = Mailer(Outgoing(mail="smtp+plain://127.0.0.1:9", mail_from=SENDER))
    service = away.at(start)
    while service.at < start + 10 * MINUTE:
        assert deliver_mails(service, unreachable) == 0
        service.at += timedelta(seconds=1)
    waiting_count = {each.way: each.waiting for each in store.channel_states(service.at)}["mail"]
    assert waiting_count >= count

    mailer = Mailer(away.settings.outgoing)
    while any(each.waiting for each in store.channel_states(service.at) if each.way == "mail"):
        deliver_mails(service, mailer)
        service.at += timedelta(seconds=1)

    ids = [str(letter["Message-ID"]) for letter in away.mails.to(otto.address)]
    assert len(ids) == len(set(ids)) == count + len([each for each in otto.letters if "turn" in each])


def test_a_push_names_its_sender_and_topic(away: Away) -> None:
    pia = away.person("Pia", mail=False, device=True)
    away.pushes.requests.clear()
    notify_of(away, pia, "one")

    away.hand_over()

    (request,) = away.pushes.requests[-1:]
    assert (request["path"], request["Content-Encoding"], request["TTL"]) == ("/Pia", "aes128gcm", "86400")
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", request["Topic"])
    token, key = re.fullmatch(r"vapid t=(\S+), k=(\S+)", request["Authorization"]).groups()  # type: ignore[union-attr]
    assert key == pia.ask("GET", "/me/notifications")["pushKey"]
    point = decode_base64(key)
    numbers: dict[str, str | list[str]] = {
        "kty": "EC",
        "crv": "P-256",
        "x": url_word(point[1:33]),
        "y": url_word(point[33:]),
    }
    claims = jwt.decode(token, ECKey.import_key(numbers)).claims
    assert claims["aud"] == f"https://{away.pushes.host_and_port}"
    assert claims["sub"] == "mailto:post@esporles.example"


def url_word(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def test_a_gone_device_is_removed_and_a_busy_push_service_retried(away: Away) -> None:
    quin = away.person("Quin", mail=False, device=True)
    notify_of(away, quin, "one")
    away.pushes.status = 503
    away.hand_over()
    assert len(quin.ask("GET", "/me/notifications")["devices"]) == 1
    away.pushes.status = 410
    away.notifications.outbox.postpone(
        [row for rows in away.notifications.outbox.lease("push", now() + MINUTE, 50) for row in rows],
        microseconds(now()),
    )

    away.hand_over()
    away.pushes.status = 201

    assert quin.ask("GET", "/me/notifications")["devices"] == []


def test_push_endpoints_in_private_networks_are_refused(away: Away) -> None:
    rosa = away.person("Rosa", mail=False)
    registration = away.pushes.subscribe("Rosa").registration
    for endpoint in ("https://127.0.0.1:1/x", "https://10.0.0.7/x", "https://[::1]/x", "http://push.example.org/x"):
        status, response = away.sockets.ask(
            "POST", "/me/notifications/devices", {**registration, "endpoint": endpoint}, rosa.token
        )
        assert (status, response["code"]) == (422, "push/endpoint_refused"), response
    for part in ({"auth": "AAAA"}, {"p256dh": "AAAA"}):
        status, response = away.sockets.ask("POST", "/me/notifications/devices", registration | part, rosa.token)
        assert (status, response["code"]) == (422, "push/bad_device"), response
    assert rosa.ask("GET", "/me/notifications")["devices"] == []


def test_invalid_addresses_and_too_many_confirmations_are_refused(away: Away) -> None:
    sam = away.person("Sam", mail=False)
    for address in ("sam", "sam@localhost", "a@b.c\r\nBcc: x@y.zz", '"a b"@example.org', "@example.org"):
        status, response = away.sockets.ask("PUT", "/me/notifications/address", {"address": address}, sam.token)
        assert (status, response["code"]) == (422, "mail/bad_address"), address
    statuses = [
        away.sockets.ask("PUT", "/me/notifications/address", {"address": f"sam{number}@example.org"}, sam.token)[0]
        for number in range(6)
    ]
    assert statuses == [200] * 5 + [429]


def test_confirmations_to_one_mailbox_are_limited_across_accounts(away: Away) -> None:
    people = [away.person(name, mail=False) for name in ("Tina", "Timo", "Tove", "Tara")]
    addresses = ("tilda@example.org", "Tilda@Example.org", "tilda+1@example.org", "tilda@example.org")

    responses = [
        away.sockets.ask("PUT", "/me/notifications/address", {"address": address}, person.token)
        for person, address in zip(people, addresses, strict=True)
    ]

    assert [status for status, _ in responses] == [200, 200, 200, 429]
    assert (responses[-1][1]["code"], responses[-1][1]["detail"]) == (
        "mail/too_many_letters",
        f"at most {LETTERS_TO_ONE_PER_DAY} mails a day to one address",
    )


def test_a_challenge_is_notified_once(away: Away) -> None:
    vera, walt = away.person("Vera"), away.person("Walt", mail=False)
    match_id = str(
        walt.ask("POST", "/matches", {"title": "la_granja", "seats": 2, "table": {"public": False}})["matchId"]
    )
    walt.ask("POST", f"/matches/{match_id}/seats", {"seat": 0})
    for _ in range(2):
        walt.ask("POST", f"/matches/{match_id}/challenges", {"person": vera.id})

    away.hand_over()

    assert vera.letters == ["You are invited to a table: La Granja with Walt"]


def test_a_mail_is_in_the_language_of_its_reader(away: Away) -> None:
    tom = away.person("Tom")
    PEOPLE.of(away.sockets).store_preferences(tom.id, "language-de")
    notify_of(away, tom, "one")

    away.hand_over()

    assert tom.letters == ["Du wurdest erwähnt: La Granja"]
