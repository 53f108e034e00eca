"""Erased people resign running matches and leave open tables, so that no one waits for them."""

from pathlib import Path

import pytest

from tests.api.service import SERVICE_TOKEN, Person, behind_sockets, catch_up, start_match


@pytest.mark.parametrize("is_followed", [True, False])
def test_erasing_an_account_resigns_its_running_matches(ann: Person, ben: Person, is_followed: bool) -> None:
    running, waiting = start_match(ann, ben), ann.opens(3)
    ann.sits(waiting, 0)
    ben.sits(waiting, 1)
    if is_followed:
        catch_up(ann.client)

    assert ann.delete("/me")[0] == 204

    catch_up(ann.client)
    match = ben.get(f"/matches/{running}")[1]
    assert (match["status"], match["ranking"]) == ("ended", [2, 1])
    assert [entry["body"]["type"] for entry in ben.get(f"/matches/{running}/entries?after=6")[1]["entries"]][-2:] == [
        "resigned",
        "match_ended",
    ]
    assert ben.get(f"/matches/{waiting}")[1]["seats"][0]["player"] is None
    assert ann.get("/me")[0] == 401


def test_only_the_service_can_erase_another_account(tmp_path: Path) -> None:
    with behind_sockets(tmp_path) as sockets:
        token = sockets.token_of("Ann")
        ann = sockets.ask("GET", "/me", token=token)[1]["person"]["id"]
        path = f"/accounts/{ann}"

        by_person = sockets.ask("DELETE", path, token=token)
        by_service = sockets.ask("DELETE", path, token=SERVICE_TOKEN, private=True)
        again = sockets.ask("DELETE", path, token=SERVICE_TOKEN, private=True)

    assert (by_person[0], by_person[1]["code"]) == (403, "caller/forbidden")
    assert (by_service[0], again[0]) == (204, 404)
