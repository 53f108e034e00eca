"""Programs that sign what they do, as docs/signatures.md tells them to."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from tests.api.house import Answer, Person
from tests.signing import Pen


class Signer(Person):
    """Somebody with a token and a key."""

    pen: Pen

    def brings(self, pen: Pen) -> Answer:
        """Registers a key, to sign with it from now on."""
        self.pen = pen
        return self.post("/me/keys", {"key": pen.key})

    def signs(self, match_id: str, act: Any, version: int = 0, head: str = "") -> dict[str, Any]:
        """The signature over an act, as a request carries it; over the newest entry unless another is named."""
        if not version:
            shown = self.get(f"/matches/{match_id}")[1]
            version, head = shown["version"], shown["head"]
        said = json.dumps(act, separators=(",", ":"), ensure_ascii=False).encode()
        text = b"esporles.act/2\0" + UUID(match_id).bytes + version.to_bytes(8, "big") + bytes.fromhex(head) + said
        return {"key": self.pen.key, "signature": self.pen.sign(text), "version": version, "head": head}

    def is_ready_signed(self, match_id: str, seat: int) -> Answer:
        act = {"type": "seat_ready", "seat": seat, "by": self.id}
        return self.post(f"/matches/{match_id}/ready", {"signed": self.signs(match_id, act)})

    def acts_signed(self, match_id: str, index: int = 0) -> Answer:
        legal = self.legal(match_id)
        action = legal["actions"][index]["action"]
        signed = self.signs(match_id, action, legal["version"], legal["head"])
        wanted = {"expectedVersion": legal["version"], "action": action, "signed": signed}
        return self.post(f"/matches/{match_id}/actions", wanted)

    def sends(self, method: str, path: str, signed: dict[str, Any]) -> Answer:
        """A request without a body, its signature beside it."""
        headers = self.headers | {"Esporles-Signed": json.dumps(signed)}
        answer = self.client.request(method, f"/api{path}", headers=headers)
        return answer.status_code, answer.json()
