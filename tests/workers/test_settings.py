"""Missing settings of workers are named."""

from typing import Final

import pytest

from projections.platform.settings import MissingSetting, Settings
from workers.settings import worker_settings

SETTINGS: Final = {"REDIS_URL": "unix:///nowhere", "ESPORLES_SOCKET": "/run/service.sock", "ESPORLES_TOKEN": "secret"}


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_a_missing_setting_of_workers_is_named(name: str) -> None:
    settings = Settings.from_environment({setting: value for setting, value in SETTINGS.items() if setting != name})

    with pytest.raises(MissingSetting, match=f"{name}( or .*)? is not set; `esporles serve` sets it"):
        worker_settings(settings)
