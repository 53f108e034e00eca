"""A recovery code is printed in one browser and confirms the key of another, in real Chromium."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import expect

from api.accounts.people import People
from ops.stores import settings_for
from tests.pages.browsing import PHONE, Player
from tests.seeding import entropy

PASSWORD: Final = "correct horse battery"
CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE32: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
NewPlayer = Callable[..., Player]


def key_of_code(code: str) -> str:
    """Return the public key of a code as `docs/specifications/signatures.md` defines it."""
    letters = code.replace("-", "").translate(str.maketrans(CROCKFORD, BASE32))
    content = base64.b32decode(letters)
    secret, check = content[:16], content[16:]
    assert hashlib.sha256(b"esporles.recovery-check/1\0" + secret).digest()[:4] == check
    seed = hashlib.sha256(b"esporles.recovery-key/1\0" + secret).digest()
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()


def test_the_documented_code_gives_the_documented_key() -> None:
    code, key = (
        "1C5G-P2RB-1C5G-P2RB-1C5G-P2RB-1F3M-ZR8X",
        "b2cf61986f17e44fae996e718fc8997c386bdd19ee65a756644450bc4bc4eb9d",
    )

    assert key_of_code(code) == key
    page = (Path(__file__).parents[2] / "docs" / "specifications" / "signatures.md").read_text()
    assert f"`{code}`" in page
    assert f"`{key}`" in page


@pytest.mark.walk
def test_a_printed_code_confirms_the_key_of_another_browser(new_player: NewPlayer, service_folder: Path) -> None:
    """Trust row: the key of a new browser is confirmed without the lost one."""
    with closing(People(settings_for(service_folder).people_place, entropy())) as people:
        people.create("Rita", PASSWORD, datetime.now(UTC))
    first, second = new_player(), new_player(PHONE)
    for player in (first, second):
        player.signs_in("Rita", PASSWORD)
        player.goes("/account/keys")
    first.follows(first.page.get_by_role("button", name="Register this browser's key"))
    first.page.get_by_role("button", name="Create a recovery code").click()
    shown = first.page.locator("[data-code-shown] code")
    expect(shown).to_have_text(re.compile(r"^([0-9A-Z]{4}-){7}[0-9A-Z]{4}$"))
    code = shown.inner_text()
    first.follows(first.page.get_by_role("button", name="I have stored the code"))
    recovery = key_of_code(code)
    own = first.page.locator("[data-key-word]").first.get_attribute("data-key-word") or ""
    expect(first.page.locator(f'[data-key-word="{recovery}"]')).to_contain_text(f"confirmed by the key {own[:12]}")

    second.goes("/account/keys")
    field, confirm = second.page.locator("[data-code]"), second.page.get_by_role("button", name="Confirm this browser")
    assert not second.is_wider_than_the_window
    for wrong in (code[:-1], code[::-1]):
        field.fill(wrong)
        confirm.click()
        expect(field).to_have_js_property("validationMessage", "This is not a recovery code. Check every character.")
    field.fill(code.lower().replace("-", " ").replace("0", "o").replace("1", "l"))
    second.follows(confirm)

    confirmed = second.page.locator("[data-key-word]", has=second.page.locator("[data-this]:visible"))
    expect(confirmed).to_contain_text(f"confirmed by the key {recovery[:12]}")
