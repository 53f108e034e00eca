"""The lock of the only process that writes to a data folder."""

import stat
from pathlib import Path

import pytest

from domain.eventstore.writer_lock import StoreBusy, writer_lock


def test_one_process_alone_holds_the_lock_of_a_data_folder(tmp_path: Path) -> None:
    with writer_lock(tmp_path), pytest.raises(StoreBusy, match="another process is using"), writer_lock(tmp_path):
        pass
    with writer_lock(tmp_path):
        assert (tmp_path / "writer.lock").exists()


def test_the_folder_and_the_lock_of_the_writer_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Anyone who can read a lock file can hold its lock. Existing folders and locks are restricted too."""
    folder = tmp_path / "data"
    for _ in range(2):
        with writer_lock(folder):
            assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "writer.lock")] == [0o700, 0o600]
        folder.chmod(0o755)
        (folder / "writer.lock").chmod(0o644)
