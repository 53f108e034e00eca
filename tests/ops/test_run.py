"""Missing settings of each role are reported."""

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from ops.certificates import Authority
from ops.cli import main
from ops.roles import ROLES, require_for
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings, variables
from tests.workers.roles import run_refused

POSTGRES: Final = {"ESPORLES_STORE": "postgresql://db/log", "ESPORLES_READS": "postgresql://db/reads"}
REDIS: Final = {"ESPORLES_REDIS": "redis://queue"}
DOOR: Final = POSTGRES | REDIS | {"ESPORLES_TOKEN": "secret", "ESPORLES_DOOR": "127.0.0.1:8443"}


@pytest.mark.parametrize(
    ("role", "environment", "message"),
    [
        ("web", {}, "ESPORLES_REDIS or REDIS_URL or ESPORLES_REDIS_FILE is not set"),
        ("web", REDIS, "ESPORLES_STORE is an SQLite file, which only one machine can use"),
        ("follower", REDIS | {"ESPORLES_STORE": "postgresql://db/log"}, "ESPORLES_READS is an SQLite file"),
        ("web", DOOR, "ESPORLES_DOOR requires ESPORLES_TLS_CERTIFICATE: the private port always uses TLS"),
        ("worker", REDIS, "ESPORLES_TOKEN or ESPORLES_TOKEN_FILE is not set"),
        (
            "worker",
            REDIS | {"ESPORLES_TOKEN": "secret"},
            "set ESPORLES_SERVICES or ESPORLES_SOCKET, the address of the service for workers",
        ),
        (
            "worker",
            REDIS | {"ESPORLES_TOKEN": "secret", "ESPORLES_SERVICES": "http://web:8443"},
            "ESPORLES_SERVICES: 'http://web:8443' must use https, to protect the service token",
        ),
        (
            "tree",
            REDIS | POSTGRES,
            "ESPORLES_PEOPLE is an SQLite file, but `esporles run tree` requires postgresql://…",
        ),
        (
            "web",
            REDIS | POSTGRES | {"ESPORLES_TREE": "sqlite:///tree.db", "ESPORLES_KEEPS_TREE": "0"},
            "ESPORLES_KEEPS_TREE is off, but the tree is a file, which only the service can maintain",
        ),
        ("web", DOOR | {"ESPORLES_DOOR": "8443"}, "ESPORLES_DOOR: '8443' is not an address such as 10.0.0.1:8443"),
        ("web", DOOR | {"ESPORLES_TLS_KEY": "/nowhere"}, "ESPORLES_TLS_KEY: /nowhere cannot be read"),
    ],
)
def test_missing_settings_of_a_role_are_reported(role: str, environment: dict[str, str], message: str) -> None:
    with pytest.raises(BadSetting) as error:
        require_for(role, Settings.from_environment(environment))

    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_role_with_missing_settings_is_refused() -> None:
    status, sentence = run_refused("web", **REDIS)

    assert status == 2
    assert sentence.startswith("esporles run: ESPORLES_STORE is an SQLite file, which only one machine can use")
    assert sentence.count("\n") == 1


def test_a_certificate_without_its_key_is_refused(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    own, other = (authority.certificate_of(name, "127.0.0.1") for name in ("here", "there"))
    settings = Settings.from_environment(
        DOOR | variables(tls_ca=own.ca, tls_certificate=own.certificate, tls_key=own.key)
    )

    require_for("web", settings)
    with pytest.raises(BadSetting, match=r"ESPORLES_TLS_CERTIFICATE: .*here\.pem contains no certificate that"):
        require_for("web", replace(settings, tls_key=other.key))
    workers = replace(settings, services=("https://10.0.0.1:8443",), tls_ca=own.key)
    with pytest.raises(BadSetting, match=r"ESPORLES_TLS_CA: .*here\.key contains no certificate"):
        require_for("worker", workers)


def test_a_private_port_equal_to_the_public_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    tls = {"ESPORLES_TLS_CERTIFICATE": str(file), "ESPORLES_TLS_KEY": str(file), "ESPORLES_PORT": "8443"}

    assert run_refused("web", **DOOR, **tls) == (
        2,
        "esporles run: ESPORLES_DOOR and ESPORLES_PORT must differ: the private port is for workers only\n",
    )


def test_the_help_describes_every_role(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--help"])

    output = " ".join(capsys.readouterr().out.split())
    assert not [name for name, role in ROLES.items() if f"{name}: {role.what}" not in output]
