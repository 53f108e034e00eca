"""The key of the log at rest: encrypted with a passphrase of the settings, also when it is set later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import pytest

from api.accounts.people import People
from api.app import create_app
from api.transparency.log_keys import service_key, store_next
from api.transparency.log_secrets import ENCRYPTED, KEY_NAME, NEXT, LogSecrets
from domain.transparency.keys import SEED_BYTES
from projections.platform.declarations import Secret
from projections.platform.setting_values import BadSetting
from tests.api.service import settings_in
from tests.seeding import entropy

PASSPHRASE: Final = "two sheep three figs"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with closing(People(tmp_path / "people.db", entropy())) as people:
        yield people


def test_a_new_key_is_never_stored_in_clear_text(tmp_path: Path, people: People) -> None:
    """Trust row: a thief of the accounts database without the passphrase has no key."""
    secrets = LogSecrets(people, PASSPHRASE)
    key = service_key(secrets)
    seed = bytes(range(SEED_BYTES))
    store_next(secrets, seed)

    assert service_key(LogSecrets(people, PASSPHRASE)).key == key.key
    assert secrets.secret(NEXT) == seed.hex()
    for name in (KEY_NAME, NEXT):
        assert (people.find_secret(name) or "").startswith(ENCRYPTED)
    people.close()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert content.count(ENCRYPTED.encode()) >= 2
    assert seed.hex().encode() not in content


def test_a_key_in_clear_text_is_encrypted_once_a_passphrase_is_set(people: People) -> None:
    before = service_key(LogSecrets(people, "")).key
    assert not (people.find_secret(KEY_NAME) or "").startswith(ENCRYPTED)

    assert service_key(LogSecrets(people, PASSPHRASE)).key == before
    assert (people.find_secret(KEY_NAME) or "").startswith(ENCRYPTED)


@pytest.mark.parametrize(
    ("passphrase", "why"), [("", "is encrypted: set ESPORLES_KEY_PASSPHRASE"), ("another one", "is not the passphrase")]
)
def test_without_the_passphrase_the_service_does_not_start(
    tmp_path: Path, people: People, passphrase: str, why: str
) -> None:
    service_key(LogSecrets(people, PASSPHRASE))
    settings = msgspec.structs.replace(settings_in(tmp_path), key_passphrase=Secret(passphrase))

    with pytest.raises(BadSetting, match=why):
        LogSecrets(people, passphrase).secret(KEY_NAME)
    with pytest.raises(BadSetting, match=why):
        create_app(settings, entropy())


def test_other_secrets_stay_as_they_are(people: People) -> None:
    secrets = LogSecrets(people, PASSPHRASE)

    assert secrets.secret("csrf") == people.secret("csrf")
    assert secrets.add_secret("word", "value") == people.find_secret("word") == "value"
