"""`export` names a seat the match does not have, whether the service runs or not."""

from pathlib import Path

import pytest

from ops.cli import main
from ops.door import Door, write_door
from tests.api.house import SERVICE_TOKEN, behind_sockets


def refused(capsys: pytest.CaptureFixture[str], folder: Path, match_id: str, seat: int) -> str:
    """What `export --seat` says against it."""
    out = folder / "out.jsonl"
    command = ["export", match_id, "--data", str(folder), "--out", str(out), "--seat", str(seat)]
    assert main(command) == 2
    assert not out.exists()
    return capsys.readouterr().err


@pytest.mark.parametrize("seat", [2, -1])
def test_a_seat_the_match_does_not_have_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seat: int
) -> None:
    with behind_sockets(tmp_path) as house:
        token = house.token_of("Ann")
        match_id = house.ask("POST", "/matches", {"title": "la_granja", "seats": 2}, token)[1]["matchId"]
        write_door(tmp_path, Door(str(house.path), SERVICE_TOKEN))
        running = refused(capsys, tmp_path, match_id, seat)
    stopped = refused(capsys, tmp_path, match_id, seat)

    assert running == stopped == f"esporles export: --seat takes a seat from 0 to 1, not {seat}\n"
