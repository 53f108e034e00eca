"""The documentation site builds, and complies with the service's content security policy."""

import json
import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from ops.cli import known_commands, parser_of
from ops.dev.command_page import actions_of
from ops.dev.docs import ROOT, build_in_checkout
from tests.test_tidy import documents

BLOCK: Final = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
BLOCK_OF_ANY_LANGUAGE: Final = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "python": lambda text: compile(text, "block", "exec"),
    "toml": tomllib.loads,
    "json": json.loads,
}
WIDTH_MAX: Final = 100


@pytest.fixture(scope="module")
def site() -> Path:
    return build_in_checkout()


class Elements(HTMLParser):
    """Parser that collects elements the policy blocks: inline scripts and styles, and files of other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.blocked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check one element."""
        attributes = {name: value or "" for name, value in attrs}
        source = attributes.get("src", attributes.get("href", "") if tag == "link" else "")
        if (
            tag in {"style", "base", "iframe", "object"}
            or (tag == "script" and "src" not in attributes)
            or "style" in attributes
            or any(name.startswith("on") for name in attributes)
            or source.startswith(("data:", "http:", "https:", "//"))
            or attributes.get("href", "").startswith("javascript:")
        ):
            self.blocked.append(self.get_starttag_text() or tag)


def find_blocked(html: str) -> list[str]:
    reader = Elements()
    reader.feed(html)
    return reader.blocked


def test_no_page_has_an_inline_script_or_style(site: Path) -> None:
    blocked_by_page = {
        page.name: blocked for page in site.rglob("*.html") if (blocked := find_blocked(page.read_text()))
    }

    assert not blocked_by_page
    assert len(list(site.rglob("*.html"))) > 40


def test_an_inline_script_or_style_would_be_found() -> None:
    for html in (
        "<script>x()</script>",
        "<style></style>",
        '<p style="x">',
        '<p onclick="x()">',
        '<a href="javascript:x()">',
        '<script src="https://example.org/x.js"></script>',
    ):
        assert find_blocked(html), html
    assert not find_blocked('<script src="x.js"></script><a href="https://example.org">x</a><svg hidden></svg>')


def test_every_document_of_the_repository_folder_is_a_page(site: Path) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    pages = {path.relative_to(site) for path in site.rglob("*.html")}

    assert sources <= pages
    assert len([page for page in pages if page.match("develop/decisions/0*.html")]) > 60


def links_to_pages(site: Path) -> Iterator[tuple[Path, str]]:
    for page in site.rglob("*.html"):
        for link in re.findall(r'href="([^"]+)"', page.read_text()):
            if not re.match(r"https?:|mailto:", link):
                yield page, link


def test_every_link_leads_to_a_file_and_to_a_place_in_it(site: Path) -> None:
    """Sphinx checks the links of the sources; this checks the built pages, with the anchors."""
    texts = {page: page.read_text() for page in site.rglob("*.html")}
    broken = []
    for page, link in links_to_pages(site):
        path, _, anchor = link.partition("#")
        target = (page.parent / path.partition("?")[0]).resolve() if path else page
        if not target.is_file() or (anchor and f'id="{anchor}"' not in texts.get(target, "")):
            broken.append(f"{page.relative_to(site)}: {link}")

    assert not broken


def blocks() -> Iterator[tuple[str, str, str]]:
    """Yield the code blocks of all documents: a name, the language, the text."""
    for page in documents():
        for number, block in enumerate(BLOCK.finditer(page.read_text())):
            text = re.sub(rf"^{block[1]}", "", block[3], flags=re.MULTILINE)
            yield f"{page.relative_to(ROOT)} {number}", block[2], text


def test_code_blocks_can_be_read() -> None:
    count = 0
    for name, language, text in blocks():
        if language in READERS:
            try:
                READERS[language](text)
            except (SyntaxError, ValueError) as fault:
                pytest.fail(f"{name}: {fault}")
            count += 1

    assert count


COMMAND: Final = re.compile(r"(?:^|[ `])esporles (?!esporles )([a-z]+)((?: [^`\n|]*)?)", re.MULTILINE)
"""A command line of the console: the command and its arguments."""
OPTION: Final = re.compile(r"(?<!\S)--[a-z][a-z-]*")


def options_of(parser: ArgumentParser) -> set[str]:
    """Return the options of a command and of its subcommands."""
    options = set[str]()
    for action in actions_of(parser):
        options |= set(action.option_strings)
        for inner in action.choices.values() if isinstance(action.choices, dict) else ():
            options |= options_of(inner)
    return options


def test_commands_and_their_options_exist() -> None:
    calls = [
        (str(page.relative_to(ROOT)), *call.groups())
        for page in documents()
        for call in COMMAND.finditer(page.read_text())
    ]
    unknown = {
        f"{page}: esporles {name} {option}"
        for page, name, args in calls
        for option in ["", *OPTION.findall(args)]
        if name not in known_commands() or (option and option not in options_of(parser_of(name)))
    }

    assert not unknown
    assert len(calls) > 50


def test_every_decision_is_in_the_index_under_its_title() -> None:
    index = (ROOT / "docs" / "develop" / "decisions.md").read_text()
    decisions = sorted((ROOT / "ops" / "decisions").glob("*.md"))
    titles = {path.name: path.read_text().partition("\n")[0].removeprefix("# ") for path in decisions}

    assert [name for name, title in titles.items() if f"[{title}](../../ops/decisions/{name})" not in index] == []


def test_lines_of_pages_are_short() -> None:
    """Tables, code blocks and generated pages are exempt: they cannot be wrapped."""
    long = []
    pages = [page for page in (ROOT / "docs").rglob("*.md") if "Do not edit" not in page.read_text()]
    for page in sorted(pages):
        text = BLOCK_OF_ANY_LANGUAGE.sub("", page.read_text())
        lines = [line for line in text.splitlines() if not line.startswith(("|", "    ", "!["))]
        long += [f"{page.name}: {line}" for line in lines if len(line) > WIDTH_MAX and " " in line.strip()]

    assert not long
