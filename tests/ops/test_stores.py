"""Console commands wait for read models."""

from pathlib import Path

import pytest

from ops.console import Finding
from ops.stores import open_matches, settings_for, wait_until_followed
from projections.platform.store import ReadStore, StoredOffset
from tests.api.transparency.test_tampered import two_matches


def test_waiting_ends_when_all_followers_are_at_the_end_of_the_log(tmp_path: Path) -> None:
    two_matches(tmp_path)
    settings = settings_for(tmp_path)
    with open_matches(settings, to_write=False) as matches:
        last = matches.last_position()
    reads = ReadStore(settings.reads_url)
    # No other process follows, and rows already read do not matter here.
    with reads.transaction() as transaction:
        transaction.change("DELETE FROM positions")
    with pytest.raises(Finding, match="behind the log after 0 s: no follower"):
        wait_until_followed(settings, 0)

    reads.ensure_tables("notes", "1", ())
    with pytest.raises(Finding, match=f"behind the log after 0 s: notes {last}$"):
        wait_until_followed(settings, 0)

    with reads.transaction() as transaction:
        transaction.move(StoredOffset("notes", "1", 0), last)
    reads.close()
    wait_until_followed(settings, 0)
