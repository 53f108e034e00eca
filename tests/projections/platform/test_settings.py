"""Settings of processes in their environment: every variable is declared once."""

import re
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from domain.transparency.notes import COSIGNATURE, ED25519, VerifierKey
from domain.transparency.witnesses import WitnessAddress
from ops.embedded_valkey import checked_socket
from projections.platform.declarations import NONE, Secret
from projections.platform.outgoing_settings import Outgoing
from projections.platform.setting_values import SOCKET_PATH_BYTES_MAX, BadSetting
from projections.platform.settings import VARIABLES, MissingSetting, Settings, environment_without, variables
from workers.bots import BOTS

ROOT: Final = Path(__file__).parents[3]
TOLD: Final = {"REDIS_URL": "unix:///nowhere", "ESPORLES_SOCKET": "/run/service.sock", "ESPORLES_TOKEN": "secret"}
HOUSE_KEY: Final = str(VerifierKey("house.example", ED25519, b"\x02" * 32))
WITNESS_KEY: Final = str(VerifierKey("witness.example", COSIGNATURE, b"\x02" * 32))
NAME: Final = re.compile(r"ESPORLES_[A-Z_]+|\bREDIS_URL\b|\bOTEL_EXPORTER_OTLP_(?:TRACES_)?ENDPOINT\b")
OF_OTHERS: Final = {"ops/dev/page_speed.py": {"ESPORLES_CHROMIUM"}}
"""The page speed measurement looks for a browser like the tests do; no process of the service reads it."""


def test_an_empty_environment_keeps_everything_in_one_folder() -> None:
    settings = Settings.from_environment({})

    assert settings == Settings()
    assert settings.data == Path("var")
    assert settings.log_file == settings.log_place == Path("var/log.db")
    assert settings.reads_url == "sqlite:///var/reads.db"
    assert settings.demo


def test_a_postgresql_store_is_no_file() -> None:
    settings = Settings.from_environment({"ESPORLES_STORE": "postgresql://somewhere/esporles"})

    assert settings.log_file is None
    assert settings.log_place == "postgresql://somewhere/esporles"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ESPORLES_STORE", "mysql://x"),
        ("ESPORLES_READS", "x"),
        ("ESPORLES_PORT", "70000"),
        ("ESPORLES_PORT", "eighty"),
        ("ESPORLES_DEMO", "maybe"),
        ("ESPORLES_SOCKET", "/" + "x" * 200),
        ("ESPORLES_LISTEN_FDS", "3,"),
        ("ESPORLES_CHANGES_PER_MINUTE", "many"),
        ("ESPORLES_GUESSES_PER_HOUR", "-1"),
        ("ESPORLES_PROXIES", "*"),
        ("ESPORLES_PROXIES", "127.0.0.1,proxy.example"),
        ("ESPORLES_PROXIES", "10.0.0.1/8"),
        ("ESPORLES_STREAMS_PER_PERSON", "-1"),
        ("ESPORLES_ANALYSIS_TRIES", "99"),
        ("ESPORLES_ANALYSIS_TRIES", "100001"),
        ("ESPORLES_OPENID_ISSUER", "provider.example"),
        ("ESPORLES_OPENID_ISSUER", "http://provider.example"),
        ("ESPORLES_OPENID_ISSUER", "https://provider.example/?tenant=a"),
        ("ESPORLES_OPENID_SECRET_FILE", "/nowhere/at/all"),
        ("ESPORLES_ADDRESS", "esporles.example"),
        ("ESPORLES_ADDRESS", "ftp://esporles.example"),
        ("ESPORLES_ADDRESS", "https://esporles.example/below"),
        ("ESPORLES_ADDRESS", "https://ann@esporles.example"),
        ("ESPORLES_ADDRESS", "https://esporles.example:eighty"),
        ("ESPORLES_METRICS", "9100"),
        ("ESPORLES_METRICS", "127.0.0.1"),
        ("ESPORLES_METRICS", "127.0.0.1:eighty"),
        ("ESPORLES_METRICS", "http://127.0.0.1:9100"),
        ("ESPORLES_METRICS", "unix:///" + "x" * 200),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://127.0.0.1:4317"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:many"),
        ("ESPORLES_LOG_ORIGIN", "two words"),
        ("ESPORLES_LOG_ORIGIN", "one+two"),
        ("ESPORLES_WITNESSES", "nonsense http://witness.example"),
        ("ESPORLES_WITNESSES", HOUSE_KEY + " http://witness.example"),
        ("ESPORLES_WITNESSES", WITNESS_KEY),
        ("ESPORLES_WITNESSES", f"{WITNESS_KEY} ftp://witness.example"),
        ("ESPORLES_WITNESSES", f"{WITNESS_KEY} http://a.example,{WITNESS_KEY} http://b.example"),
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, word: str) -> None:
    with pytest.raises(BadSetting, match=f"^{name}: "):
        Settings.from_environment({name: word})


def test_defaults_equal_their_text_in_the_reference() -> None:
    defaults = {variable.names[0]: variable.default_word for variable in VARIABLES.values()}
    written = {name: word for name, word in defaults.items() if word != NONE}

    assert len(written) > 25
    assert Settings.from_environment(written) == Settings()


def test_the_reference_shows_no_secret() -> None:
    assert VARIABLES["mail_password"].default_word == NONE
    assert "hush" not in replace(VARIABLES["mail_password"], default=Secret("hush")).default_word


def test_every_setting_has_a_one_line_meaning() -> None:
    meanings = [variable.meaning for variable in VARIABLES.values()]

    assert all(meaning and not re.search(r"[|\n]|\.$", meaning) for meaning in meanings)
    assert len(meanings) == len(set(meanings))


def test_an_empty_variable_means_the_default_but_no_for_booleans() -> None:
    empty = {name: "" for variable in VARIABLES.values() for name in variable.names}

    assert Settings.from_environment(empty) == Settings(demo=False, thinks=False, keeps_tree=False)


@pytest.mark.parametrize(
    ("word", "origin", "domain"),
    [
        ("", "http://localhost:8000", "localhost"),
        ("https://Esporles.Example/", "https://esporles.example", "esporles.example"),
        ("https://esporles.example:443", "https://esporles.example", "esporles.example"),
        ("http://esporles.example:8080", "http://esporles.example:8080", "esporles.example"),
        ("http://[::1]:8000", "http://[::1]:8000", ""),
        ("http://192.0.2.7", "http://192.0.2.7", ""),
    ],
)
def test_an_address_becomes_a_browser_origin(word: str, origin: str, domain: str) -> None:
    settings = Settings.from_environment({"ESPORLES_ADDRESS": word})

    assert (settings.origin, settings.passkey_domain) == (origin, domain)


@pytest.mark.parametrize(
    ("name", "word", "url"),
    [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://all.example/otlp/", "https://all.example/otlp/v1/traces"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://traces.example/x", "https://traces.example/x"),
    ],
)
def test_a_collector_is_named_as_opentelemetry_does(name: str, word: str, url: str) -> None:
    assert Settings.from_environment({name: word}).traces == url


PROVIDER: Final = {
    "ESPORLES_OPENID_ISSUER": "https://provider.example/",
    "ESPORLES_OPENID_CLIENT": "esporles",
    "ESPORLES_OPENID_SECRET": "hush",
    "ESPORLES_OPENID_LABEL": "Chess Club",
}


@pytest.mark.parametrize("word", ["mysql://esporles:hush@db/log", "postgresql:/esporles:hush@db/log"])
def test_errors_about_addresses_hide_the_password(word: str) -> None:
    with pytest.raises(
        BadSetting, match=r"^ESPORLES_PEOPLE: .* is neither sqlite:///path nor postgresql://…$"
    ) as refusal:
        Settings.from_environment({"ESPORLES_PEOPLE": word})
    assert "hush" not in str(refusal.value)


def test_a_provider_secret_may_be_in_a_file_and_is_never_shown(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("hush\n")
    by_file = {name: word for name, word in PROVIDER.items() if not name.endswith("SECRET")}
    settings = Settings.from_environment(by_file | {"ESPORLES_OPENID_SECRET_FILE": str(file)})

    assert settings == Settings.from_environment(PROVIDER)
    assert settings.openid_secret.word == "hush"
    assert "hush" not in f"{settings} {settings!r} {settings.openid_secret}"
    file.write_text(" \n")
    with pytest.raises(BadSetting, match="is empty"):
        Settings.from_environment(by_file | {"ESPORLES_OPENID_SECRET_FILE": str(file)})


@pytest.mark.parametrize("name", PROVIDER)
def test_incomplete_provider_settings_name_the_missing_one(name: str) -> None:
    with pytest.raises(MissingSetting, match=rf"^ESPORLES_OPENID_.* requires {name}"):
        Settings.from_environment({other: word for other, word in PROVIDER.items() if other != name})


def test_witnesses_are_in_the_variable_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "witnesses"
    file.write_text(f"# the club\n\n{WITNESS_KEY}  https://witness.example/w1\n")
    expected = (WitnessAddress(WITNESS_KEY, "https://witness.example/w1"),)

    for word in (
        str(file),
        f"{WITNESS_KEY} https://witness.example/w1",
        f" {WITNESS_KEY} https://witness.example/w1 ,",
    ):
        assert Settings.from_environment({"ESPORLES_WITNESSES": word}).witnesses == expected


def test_proxies_are_addresses_and_networks() -> None:
    assert Settings.from_environment({"ESPORLES_PROXIES": "127.0.0.1, ::1,10.0.0.0/8"}).proxies == (
        "127.0.0.1",
        "::1",
        "10.0.0.0/8",
    )


def test_our_redis_variable_has_precedence() -> None:
    own = TOLD | {"ESPORLES_REDIS": "redis://there"}

    assert Settings.from_environment(own).redis == "redis://there"
    assert Settings.from_environment(own | {"ESPORLES_REDIS": ""}).redis == "unix:///nowhere"


def test_settings_passed_to_another_process_are_read_back() -> None:
    settings = Settings.from_environment(variables(data="/srv/games", port=80, demo=0, listen_fds="3,4", socket="/s"))

    assert settings == Settings(data=Path("/srv/games"), port=80, demo=False, listen_fds=(3, 4), socket=Path("/s"))


def test_a_removed_setting_is_removed_under_all_names() -> None:
    environment = TOLD | {"ESPORLES_REDIS": "redis://there", "HOME": "/"}

    assert environment_without(environment, "redis", "socket") == {"ESPORLES_TOKEN": "secret", "HOME": "/"}


def test_every_accepted_socket_path_can_be_bound() -> None:
    longest = "/" + "x" * (SOCKET_PATH_BYTES_MAX - 1)
    path = Settings.from_environment({"ESPORLES_SOCKET": longest}).socket

    assert path is not None
    assert checked_socket(path) == path


def test_every_field_has_its_variable_and_no_name_is_used_twice() -> None:
    names = [name for variable in VARIABLES.values() for name in variable.names]

    assert [*VARIABLES] == [
        *Outgoing.__struct_fields__,
        *(name for name in Settings.__struct_fields__ if name != "outgoing"),
    ]
    assert len(names) == len(set(names))


def test_no_other_file_of_the_product_names_a_variable() -> None:
    """Messages, help texts and documents take names and defaults from the declarations."""
    named = {
        str(path.relative_to(ROOT)): found
        for floor in ("domain", "projections", "api", "workers", "ops")
        for path in (ROOT / floor).rglob("*.py")
        if (found := set(NAME.findall(path.read_text())))
    }
    declared = named.pop("projections/platform/settings.py") | named.pop("projections/platform/outgoing_settings.py")

    assert named == OF_OTHERS
    assert declared == {name for variable in VARIABLES.values() for name in variable.names}


def test_selectable_bots_are_those_of_the_workers() -> None:
    assert sorted(f"bot:{bot}" for bot in Settings().bots) == sorted(kind.actor for kind in BOTS.values())


def test_accounts_left_in_the_folder_prevent_a_start_on_a_server(tmp_path: Path) -> None:
    """Otherwise all people would be unknown, and the service would sign with another key."""
    settings = Settings(data=tmp_path, people="postgresql://somewhere/esporles")
    settings.require_data_moved()
    assert settings.people_file is None
    (tmp_path / "people.db").touch()

    with pytest.raises(BadSetting, match=r"people.db exists, but a server is configured.* `esporles move`"):
        settings.require_data_moved()

    Settings(data=tmp_path).require_data_moved()
    assert Settings(data=tmp_path, people=f"sqlite:///{tmp_path / 'other.db'}").people_place == tmp_path / "other.db"


def test_the_settings_of_mail_are_read_into_their_own_struct() -> None:
    environment = {"ESPORLES_MAIL": "smtps://mail.example.org", "ESPORLES_MAIL_FROM": "post@example.org"}

    settings = Settings.from_environment(environment)

    assert settings.outgoing.mail_server.host == "mail.example.org"
    assert settings.outgoing.channels == ("mail",)
    settings.require("mail")
    with pytest.raises(MissingSetting, match="ESPORLES_PUSH is not set"):
        settings.require("push")


def test_mail_without_a_sender_is_a_bad_setting() -> None:
    with pytest.raises(BadSetting, match="ESPORLES_MAIL_FROM is not set"):
        Settings.from_environment({"ESPORLES_MAIL": "smtps://mail.example.org"})
