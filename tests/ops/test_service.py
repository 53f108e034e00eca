"""The service process: required settings and errors at the start."""

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from ops.accounts import open_people
from projections.platform.settings import Settings

ROOT: Final = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"ESPORLES_STORE": "mysql://x"}, "ESPORLES_STORE: 'mysql://…' is neither sqlite:///path nor postgresql://…"),
        ({}, "ESPORLES_LISTEN_FDS is not set; `esporles serve` sets it for the processes it starts"),
    ],
    ids=["bad", "missing"],
)
def test_a_service_process_names_invalid_settings(environment: dict[str, str], said: str) -> None:
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


def test_an_unwritable_data_folder_is_named(tmp_path: Path) -> None:
    """Its databases exist but cannot be opened either: files may have no bytes, as on a full disk."""
    with open_people(Settings(data=tmp_path)):
        pass
    done = subprocess.run(
        [sys.executable, "-m", "ops.cli", "serve", "--port", "0", "--data", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)),
    )

    assert (done.returncode, done.stderr) == (
        1,
        f"esporles serve: cannot write to {tmp_path}: File too large\n",
    )
