"""The drawing of El Grande."""

from pathlib import Path
from typing import Final

from api.titles.drawing import Drawing, Miniature
from api.titles.el_grande import drawing, figures, gallery, miniature, tracing, wording
from api.titles.el_grande.prompts import detail, paragraph, prompt
from api.titles.gallery import Gallery
from api.titles.rulebook import Rulebook
from domain.titles.el_grande.parts import part_of

DRAWING: Final = Drawing(
    (("board", "el_grande/board.html"), ("players", "el_grande/players.html")),
    drawing.picture,
    wording.heading,
    "/static/el_grande.css",
    target=part_of,
    closes=wording.closes,
    prompt=prompt,
    detail=detail,
    brief=wording.brief,
    paragraph=paragraph,
    phases=wording.PHASES,
    traces=tracing.traces,
    cover="/static/el_grande.webp",
    details=("players",),
    gallery=Gallery(
        "", "el_grande/large.html", gallery.things, gallery.picture, Path(__file__).parent / "examples.json"
    ),
    rules=Rulebook(Path(__file__).parent / "rules", "el_grande/figures.html", "", figures.picture),
    miniature=Miniature("el_grande/miniature.html", miniature.picture),
)
