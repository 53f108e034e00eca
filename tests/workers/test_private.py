"""The settings that workers need: a missing one is named."""

from typing import Final

import pytest

from projections.platform.settings import MissingSetting, Settings
from workers.private import private_of

TOLD: Final = {"REDIS_URL": "unix:///nowhere", "ESPORLES_SOCKET": "/run/service.sock", "ESPORLES_TOKEN": "secret"}


@pytest.mark.parametrize("name", sorted(TOLD))
def test_what_the_processes_beside_the_service_must_be_told_is_named(name: str) -> None:
    settings = Settings.from_environment({other: value for other, value in TOLD.items() if other != name})

    with pytest.raises(MissingSetting, match=f"{name}( or .*)? is not set; `esporles serve` sets it"):
        private_of(settings)
