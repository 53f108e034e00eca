"""The service process by itself: what it must be told, and how it says so."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"ESPORLES_STORE": "mysql://x"}, "ESPORLES_STORE: 'mysql://x' is neither sqlite:///path nor postgresql://…"),
        ({}, "ESPORLES_LISTEN_FDS is not set; `esporles serve` sets it for the processes it starts"),
    ],
    ids=["bad", "missing"],
)
def test_a_service_process_is_refused_by_the_name_of_what_is_wrong(environment: dict[str, str], said: str) -> None:
    others = {name: word for name, word in os.environ.items() if not name.startswith("ESPORLES_")}
    refused = subprocess.run(
        [sys.executable, "-m", "ops.service"],
        cwd=ROOT,
        env=others | environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (refused.returncode, refused.stderr) == (2, f"ops.service: {said}\n")
