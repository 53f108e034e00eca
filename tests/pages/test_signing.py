"""A browser signs its player's actions with a key that never leaves it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from api.accounts.people import People
from domain.matches.log.log_files import parse_log
from domain.matches.verification.verify import VerifyReport, verify
from ops.stores import settings_for
from tests.pages.browsing import PHONE, Player
from tests.seeding import entropy

pytestmark = [pytest.mark.chromium, pytest.mark.walk(one_in=2)]

NewPlayer = Callable[..., Player]
PASSWORD: Final = "correct horse battery"
STEAL: Final = """async () => {
  const open = indexedDB.open('esporles', 1);
  await new Promise(done => { open.onsuccess = done; });
  const keys = open.result.transaction('keys').objectStore('keys').getAll();
  await new Promise(done => { keys.onsuccess = done; });
  const take = key => crypto.subtle.exportKey('pkcs8', key.secret).then(() => 'taken', () => 'kept');
  return Promise.all(keys.result.map(take));
}"""
"""Attempts of a script in the page to extract the key."""


def verify_log_of(player: Player, path: str) -> VerifyReport:
    """Verify the log of the table as its player receives it."""
    response = player.page.request.get(f"{player.url.rstrip('/')}/api/matches/{path.rsplit('/', 1)[1]}/log")
    return verify(parse_log(response.body()))


def types(player: Player, path: str) -> list[str]:
    response = player.page.request.get(f"{player.url.rstrip('/')}/api/matches/{path.rsplit('/', 1)[1]}/entries")
    return [entry["body"]["type"] for entry in response.json()["entries"]]


def test_one_click_begins_a_match_whose_actions_are_all_signed(new_player: NewPlayer) -> None:
    player = new_player()
    path = player.plays_against(1)
    for number in range(6):
        assert player.has_choice()
        player.presses(number)
    player.wait_until_settled()

    report = verify_log_of(player, path)
    assert report.is_good, report
    (seat,) = report.signatures.seats
    assert (seat.seat, seat.unsigned, seat.keys) == (0, 0, 1)
    assert seat.signed >= 7
    assert player.page.evaluate(STEAL) == ["kept"]


def test_a_browsers_key_is_reused_at_the_next_table(new_player: NewPlayer) -> None:
    player = new_player()
    player.plays_against(1)
    player.has_choice()
    path = player.plays_against(1)
    player.has_choice()

    report = verify_log_of(player, path)
    assert report.is_good, report
    assert "key_named" not in types(player, path)
    assert report.signatures.seats[0].unsigned == 0


def test_a_second_browser_of_a_person_has_a_separate_key(new_player: NewPlayer) -> None:
    """The second key is bound by sign-in only, as the log records; both browsers continue to sign."""
    player, second = new_player(), new_player()
    path = player.plays_against(1)
    player.has_choice()
    second.page.context.add_cookies(player.page.context.cookies())  # type: ignore[arg-type]
    second.goes(path)
    second.has_choice()
    second.presses(0)
    second.wait_until_settled()
    player.sees(second.version)
    if player.has_choice():
        player.presses(0)
        player.wait_until_settled()

    report = verify_log_of(player, path)
    assert report.is_good, report
    assert types(player, path).count("key_named") == 1, "the first browser named its own when it sat down"
    assert (report.signatures.seats[0].unsigned, report.signatures.seats[0].by_sign_in) == (0, 2)


def test_a_table_that_requires_signatures_registers_new_players_keys(new_player: NewPlayer) -> None:
    """The key is registered by the click that opens the table, or that takes a seat at it."""
    opener, other = new_player(), new_player()
    opener.goes("/open/la_granja")
    opener.page.get_by_label("Require signatures").check()
    path = opener.opens_the_table()
    other.goes(path)
    expect(other.page.locator("#status")).to_contain_text("signatures required")
    other.page.get_by_role("button", name="Join").click()
    for player in (opener, other):
        player.page.get_by_role("button", name="Ready").click()
    active = opener if opener.has_choice() else other
    active.presses(0)
    active.wait_until_settled()

    report = verify_log_of(opener, path)
    assert report.is_good, report
    assert [seat.unsigned for seat in report.signatures.seats] == [0, 0]


def test_a_player_can_continue_without_signing(new_player: NewPlayer) -> None:
    player = new_player(PHONE)
    path = player.plays_against(1)
    player.has_choice()
    player.page.get_by_text("Signatures", exact=True).click()
    expect(player.page.locator("#trust")).to_contain_text("signs moves")
    player.page.get_by_role("button", name="Continue without signing").click()
    expect(player.page.locator("#trust")).to_contain_text("unsigned: only the server vouches for the moves")
    player.page.reload()
    assert player.has_choice()
    # Being ready is signed or not, depending on when the browser's key was registered.
    before = verify_log_of(player, path).signatures.seats[0]
    player.presses(0)
    player.wait_until_settled()
    after = verify_log_of(player, path).signatures.seats[0]
    assert (after.signed, after.unsigned) == (before.signed, before.unsigned + 1)
    player.page.get_by_text("Signatures", exact=True).click()
    player.page.get_by_role("button", name="Resume signing").click()
    expect(player.page.locator("#trust")).to_contain_text("signs moves")

    assert "signing_stopped" in types(player, path)


@pytest.mark.walk
def test_an_official_signs_decisions(new_player: NewPlayer, service_folder: Path) -> None:
    """The form shows the statement that the log will contain; only the browser's own key is accepted."""
    with closing(People(settings_for(service_folder).people_place, entropy())) as people:
        people.create("Opal", PASSWORD, datetime.now(UTC), role="operator")
        people.create("Artur", PASSWORD, datetime.now(UTC))
    opal, other = new_player(), new_player(PHONE)
    for player in (opal, other):
        player.signs_in("Opal", PASSWORD)
    opal.goes("/account/keys")
    opal.follows(opal.page.get_by_role("button", name="Register this browser's key"))
    for player, heading in ((other, "Sign your decision"), (opal, "Roles")):
        player.goes("/desk/roles")
        player.page.get_by_label("Member name").fill("Artur")
        player.follows(player.page.get_by_role("button", name="Grant role"))
        expect(player.page.locator("pre.order")).to_contain_text('"type": "roles.role_granted"')
        assert not player.is_wider_than_the_window
        player.follows(player.page.get_by_role("button", name="Sign and send"))
        expect(player.page.locator("h1")).to_have_text(heading)
        # A form that must be signed is returned with an error status.
        player.complaints.clear()

    expect(opal.page.locator("table.listing").first).to_contain_text("Artur")
