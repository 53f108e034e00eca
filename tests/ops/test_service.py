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
    ("environment", "message"),
    [
        ({"ESPORLES_STORE": "mysql://x"}, "ESPORLES_STORE: 'mysql://…' is neither sqlite:///path nor postgresql://…"),
        ({}, "ESPORLES_LISTEN_FDS is not set; `esporles serve` sets it for the processes it starts"),
    ],
    ids=["bad", "missing"],
)
def test_a_service_process_names_invalid_settings(environment: dict[str, str], message: str) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ESPORLES_")}
    process = subprocess.run(
        [sys.executable, "-m", "ops.service"],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (process.returncode, process.stderr) == (2, f"ops.service: {message}\n")


def test_an_unwritable_data_folder_is_named(tmp_path: Path) -> None:
    """Its databases exist but cannot be opened either: files may have no bytes, as on a full disk."""
    with open_people(Settings(data=tmp_path)):
        pass
    process = subprocess.run(
        [sys.executable, "-m", "ops.cli", "serve", "--port", "0", "--data", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)),
    )

    assert (process.returncode, process.stderr) == (
        1,
        f"esporles serve: cannot write to {tmp_path}: File too large\n",
    )
