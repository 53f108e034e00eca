"""Generate the reference of the refusals: `python -m ops.dev.refusals_page` writes `docs/build-on-it/refusals.md`."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

from api.http.errors import CODES, TITLES
from api.http.refusals import SENTENCES
from api.subjects import JOINED

PAGE: Final = Path(__file__).parents[2] / "docs" / "build-on-it" / "refusals.md"
HEAD: Final = """# Refusals

A refused request is answered with a problem document (RFC 9457), media type
`application/problem+json`. Its `code` is stable and listed here. `detail` is an English sentence
that names the bad value; `instance` names the request in the log lines of the server.

| field | when |
|---|---|
| `type`, `title`, `status`, `detail`, `code`, `instance` | always |
| `errors` | the parts of the body or query that are wrong, each with a `path` and a `message` |
| `version` | the current version of the match, if the request was stale |
| `values` | numbers and names that the refusal is about |
| `sign` | the act that an official has to sign ([Signatures](../specifications/signatures.md)) |

The pages of the service show the sentences below, translated. Retry after a refusal with status
429 or 503 when `Retry-After` has passed. After `service/outcome_unknown`, repeat the request with
the same `Idempotency-Key`.

Generated from the subjects of `api/` by `python -m ops.dev.refusals_page`. Do not edit by hand.
"""
TABLE: Final = "| code | status | meaning |\n|---|---|---|"


def page() -> str:
    """Return the reference page, with a table of codes for each subject, sorted by code."""
    statuses = {code: status for status, code in CODES.items()}
    statuses |= {code: status for status, code in JOINED.refusals.values()}
    groups = defaultdict(list)
    for code, status in sorted(statuses.items()):
        meaning = SENTENCES.get(code, TITLES.get(status, "")).replace("|", "\\|")
        groups[code.partition("/")[0]].append(f"| `{code}` | {status} | {meaning} |")
    parts = ["\n".join((f"## {name.capitalize()}", "", TABLE, *rows)) + "\n" for name, rows in groups.items()]
    return "\n".join((HEAD, *parts))


if __name__ == "__main__":
    PAGE.write_text(page())
