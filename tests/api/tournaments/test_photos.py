"""Photos of tables: added by players and officials, public, removable, and erased with their uploaders."""

from __future__ import annotations

from contextlib import closing
from io import BytesIO
from typing import Any
from urllib.parse import quote
from uuid import UUID
from zipfile import ZipFile

import msgspec
import pytest
from PIL import Image

from api.tournaments.images import BYTES_MAX, make_picture
from api.tournaments.photo_store import ABANDONED_AFTER, AT_A_TABLE, PhotoStore, StoredPhoto
from domain.tournaments.errors import PhotoRefused
from projections.platform.clock import now
from tests.api.full_service import TOKEN, FullService, Visitor
from tests.api.service import settings_in
from tests.api.tournaments.test_images import photo
from tests.api.tournaments.test_tournaments import ApiPerson, open_tournament, publish_next_round
from tests.seeding import new_id

BOUNDARY = "photo-of-a-table"


def shade(number: int) -> bytes:
    """Return a unique photo."""
    return photo(Image.new("RGB", (120, 90), (50 * number, 90, 160)))


class Hall:
    """A face-to-face event with accounts at its two tables, and a stranger."""

    def __init__(self, service: FullService, **changes: Any) -> None:
        self.service = service
        self.organiser, *self.players, self.stranger = (ApiPerson(service) for _ in range(6))
        self.path = open_tournament(self.organiser, faceToFace=True, **changes)
        for person in self.players:
            person.does("POST", f"{self.path}/entries")
        publish_next_round(service, self.organiser, self.path)
        event = self.organiser.get(self.path)
        actors = {each["entry"]: each["player"] for each in event["entries"]}
        seated = [actors[entry] for entry in event["rounds"][0]["tables"][0]["entries"]]
        self.sitting = [person for person in self.players if person.id in seated]
        self.elsewhere = [person for person in self.players if person.id not in seated]

    @property
    def id(self) -> UUID:
        return UUID(self.path.rpartition("/")[2])

    @property
    def page(self) -> str:
        return f"/events/{self.id}/tables/1/1"

    def adds(self, person: ApiPerson, content: bytes, query: str = "", table: int = 1) -> tuple[int, Any]:
        path = f"{self.path}/rounds/1/tables/{table}/photos{query}"
        status, body = self.service.fetch("POST", path, content, person.token)
        return status, msgspec.json.decode(body)

    @property
    def photos(self) -> Any:
        return self.service.ask("GET", f"{self.path}/photos")[1]["photos"]

    def picture(self, address: str) -> tuple[int, Any, bytes]:
        """Fetch an image without cookies."""
        with closing(self.service.sockets.connection()) as connection:
            connection.request("GET", address)
            response = connection.getresponse()
            return response.status, response.headers, response.read()


@pytest.fixture(scope="module")
def hall(full_service: FullService) -> Hall:
    return Hall(full_service)


def test_a_photo_is_public_and_its_removal_is_recorded(hall: Hall) -> None:
    player = hall.sitting[0]
    status, body = hall.adds(player, photo(), f"?caption={quote('Red holds Sevilla')}&seen={quote('Red cubes')}")
    (shown,) = body["photos"]
    photo_status, headers, content = hall.picture(shown["large"])
    again = hall.adds(player, photo())

    assert status == 201
    assert (shown["round"], shown["table"], shown["caption"], shown["seen"]) == (1, 1, "Red holds Sevilla", "Red cubes")
    assert shown["by"] == player.id
    assert (photo_status, headers["Content-Type"]) == (200, "image/jpeg")
    assert headers["Cache-Control"] == "public, max-age=86400, immutable"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["Set-Cookie"] is None
    assert headers["Vary"] is None
    assert Image.open(BytesIO(content)).size == (shown["width"], shown["height"])
    assert again[1] == body

    visitor = Visitor(hall.service)
    for page in (hall.page, f"/events/{hall.id}", f"/events/{hall.id}/report", f"/events/{hall.id}/archive"):
        assert f'src="{shown["small"]}"' in visitor.sees(page)
        assert 'alt="Red cubes"' in visitor.sees(page)
    assert "Upload photo" not in visitor.sees(hall.page)

    refusal = hall.stranger.is_refused("POST", f"{hall.path}/photos/{shown['photo']}/removal")
    without = hall.organiser.is_refused("POST", f"{hall.path}/photos/{shown['photo']}/removal")
    hall.organiser.does("POST", f"{hall.path}/photos/{shown['photo']}/removal", {"reason": "A face is on it."})
    hall.service.follow()
    (act, *_) = hall.organiser.get(f"{hall.path}/record")["acts"]

    assert refusal[:2] == (403, "photo/not_yours")
    assert without[:2] == (409, "tournament/refused")
    assert hall.photos == []
    assert hall.picture(shown["large"])[0] == 404
    assert (act["kind"], act["reason"], act["round"], act["table"]) == ("photo_removed", "A face is on it.", 1, 1)
    assert "removed a photo" in visitor.sees(f"/events/{hall.id}/record")


def test_strangers_and_guests_add_no_photos(hall: Hall) -> None:
    status, body = hall.adds(hall.elsewhere[0], photo())
    unknown = hall.service.fetch("POST", f"{hall.path}/rounds/1/tables/1/photos", photo())

    assert (status, body["code"]) == (403, "photo/not_yours")
    assert unknown[0] == 401
    assert hall.photos == []


def test_an_invalid_photo_is_refused_and_not_stored(hall: Hall) -> None:
    player = hall.sitting[0]
    text, many = hall.adds(player, b"no photo"), hall.adds(player, photo() + bytes(BYTES_MAX))
    too_many = hall.adds(player, bytes(40 * 1024 * 1024))
    nowhere = hall.adds(player, photo(), table=9)

    assert (text[0], text[1]["code"]) == (422, "photo/unreadable")
    assert text[1]["detail"] == "not a complete JPEG, PNG or WebP picture"
    assert (many[0], many[1]["code"]) == (413, "photo/too_large")
    assert too_many[0] == 413
    assert nowhere[0] == 404
    assert hall.photos == []
    with closing(PhotoStore(settings_in(hall.service.folder).people_place)) as store:
        assert store.of_person(player.id) == ()


def test_photos_per_table_and_event_are_limited(hall: Hall) -> None:
    for number in range(AT_A_TABLE):
        assert hall.adds(hall.organiser, shade(number), table=2)[0] == 201
    status, body = hall.adds(hall.organiser, shade(5), table=2)
    with closing(PhotoStore(settings_in(hall.service.folder).people_place)) as store:
        known = [UUID(each["photo"]) for each in hall.photos]
        another = build_photo(hall, number=3, table=1)
        with pytest.raises(PhotoRefused, match="the event already has 4 photos; the limit is 4"):
            store.add(another, make_picture(photo()), 4, known)
        # An abandoned photo makes room after a while, and not before.
        assert store.add(another, make_picture(photo()), 5, known)
        late = build_photo(hall, number=4, table=1)
        with pytest.raises(PhotoRefused):
            store.add(late, make_picture(photo()), 5, known)
        later = late._replace(created=late.created + 2 * ABANDONED_AFTER)
        assert store.add(later, make_picture(photo()), 5, known)
        store.delete(later.id)

    assert (status, body["code"]) == (409, "photo/refused")
    assert "table 2 of round 1 already has 4 photos" in body["detail"]
    assert len(hall.photos) == AT_A_TABLE
    for each in hall.photos:
        hall.organiser.does("POST", f"{hall.path}/photos/{each['photo']}/removal")
    assert hall.photos == []


def build_photo(hall: Hall, number: int, table: int) -> StoredPhoto:
    return StoredPhoto(new_id(), hall.id, number, table, hall.organiser.id, "", "", (1, 1), (1, 1), now())


def test_the_page_of_a_table_accepts_a_photo_and_reports_errors(hall: Hall) -> None:
    player = Visitor(hall.service, hall.sitting[1].id)
    wrong = uploads(player, hall.page, b"no photo", "My caption")
    none = uploads(player, hall.page, b"", "")
    long = uploads(player, hall.page, bytes(40 * 1024 * 1024), "")
    added = uploads(player, hall.page, photo(), "My caption")
    page = player.sees(hall.page)
    (shown,) = hall.photos

    assert wrong[0] == 422
    assert "Send a complete photo as JPEG, PNG or WebP" in wrong[2]
    assert 'value="My caption"' in wrong[2]
    assert none[0] == 400
    assert "Fill in this field." in none[2]
    assert long[0] == 413
    assert "The limit is 12 MB" in long[2]
    assert added[:2] == (303, f"{hall.page}#photos")
    assert 'alt="Photo of the board: round 1, table 1"' in page
    assert "Remove this photo" in page
    assert player.sends(f"{hall.page}/photos/removal", photo=shown["photo"]) == f"{hall.page}#photos"
    assert hall.photos == []
    assert "No photo of this table yet." in player.sees(hall.page)


def uploads(visitor: Visitor, page: str, content: bytes, caption: str) -> tuple[int, str, str]:
    """Send the form with a file, as a browser without scripts does."""
    token = TOKEN.search(visitor.asks("GET", "/leagues")[2])
    assert token is not None
    fields = {"_csrf_token": token[1], "caption": caption, "seen": ""}
    parts = [f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()]
    file = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'.encode()
    body = "".join(parts).encode() + file + content + f"\r\n--{BOUNDARY}--\r\n".encode()
    with closing(visitor.sockets.connection()) as connection:
        headers = {"Cookie": visitor.cookie, "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        connection.request("POST", f"{page}/photos", body, headers)
        response = connection.getresponse()
        visitor.store_cookies(response)
        return response.status, response.headers.get("Location", ""), response.read().decode()


def test_photos_are_erased_with_their_uploader(hall: Hall) -> None:
    player = hall.sitting[0]
    assert hall.adds(player, photo())[0] == 201
    (shown,) = hall.photos
    everything = player.get("/me/data")
    with ZipFile(BytesIO(hall.service.fetch("GET", "/me/data.zip", token=player.token)[1])) as archive:
        taken_along = archive.read(f"photos/{shown['photo']}.jpg")
    pictures = hall.picture(shown["large"])[2]
    status, _ = hall.service.fetch("DELETE", "/me", token=player.token)

    assert [each["photo"] for each in everything["photos"]] == [shown["photo"]]
    assert taken_along == pictures
    assert status == 204
    assert hall.photos == []
    assert hall.picture(shown["small"])[0] == 404
    assert shown["small"] not in Visitor(hall.service).sees(f"/events/{hall.id}/archive")
