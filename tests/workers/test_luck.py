"""Where luck comes from: the service of the tests takes it from their seed, the shipped one from the system alone."""

import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import UUID

from domain.eventstore.opening import open_store
from domain.eventstore.recorders import store_env
from ops.stores import settings_for
from ops.supervisor import SERVICE_MODULE
from tests.seeding import SEED, VARIABLE
from tests.workers.serving import SEEDED, Client, serving


def opened(folder: Path, service_module: str) -> tuple[UUID, bytes, str]:
    """Return the id and the server seed of the first match of a new service, and the hash of its first password.

    Every service gets the same requests with the same name.
    """
    with serving(folder, 1, service_module, **{VARIABLE: SEED}) as service:
        nobody = Client(service.started.url, name="the same")
        account = {"name": "Ann", "password": "correct horse battery"}
        nobody.post("/accounts", account)
        ann = Client(service.started.url, nobody.post("/tokens", account)["secret"], name="the same")
        match_id = UUID(ann.post("/matches", {"title": "la_granja", "seats": 2})["matchId"])
    with closing(open_store(store_env(settings_for(folder).log_file or ""))) as matches:
        seed = matches.get(match_id).seed
    assert seed is not None
    with closing(sqlite3.connect(settings_for(folder).people_place)) as people:
        ((hashed,),) = people.execute("SELECT password FROM people")
    return match_id, seed, hashed


def test_the_service_of_the_tests_has_the_same_luck_again_and_the_shipped_one_has_no_such_setting(
    tmp_path: Path,
) -> None:
    first, again = opened(tmp_path / "first", SEEDED), opened(tmp_path / "again", SEEDED)
    shipped = opened(tmp_path / "shipped", SERVICE_MODULE)

    assert first[:2] == again[:2]
    assert shipped[0] != first[0]
    assert shipped[1] != first[1]
    assert "$m=65536,t=3,p=4$" in shipped[2]
    assert "$m=8,t=1,p=1$" in first[2]
