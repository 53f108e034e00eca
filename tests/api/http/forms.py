"""A browser without scripts: it keeps cookies, reads pages and sends their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from litestar.testing import TestClient

TOKEN: Final = re.compile(r'name="_csrf_token" value="([0-9a-f]+)"')
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Visitor:
    """Somebody at such a browser; `text` is the page they look at."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.text = client.get("/").text

    def goes(self, path: str) -> str:
        self.text = self.client.get(path).text
        return self.text

    def sends(self, path: str, fields: Mapping[str, str] = NOTHING, headers: Mapping[str, str] = NOTHING) -> Any:
        """A form of the page, with the token it carries; the answer, which is what is looked at from now on."""
        token = TOKEN.search(self.text)
        data = {"_csrf_token": token[1] if token else self.client.cookies["csrftoken"]} | dict(fields)
        answer = self.client.post(path, data=data, headers=headers)
        self.text = answer.text
        return answer
