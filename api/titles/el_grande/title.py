"""How El Grande is drawn."""

from typing import Final

from api.titles.drawing import Drawing, Miniature
from api.titles.el_grande import drawing, miniature, wording
from api.titles.el_grande.prompts import prompt
from domain.titles.el_grande.parts import part_of

DRAWING: Final = Drawing(
    (("board", "el_grande/board.html"), ("players", "el_grande/players.html")),
    drawing.picture,
    wording.heading,
    "/static/el_grande.css",
    target=part_of,
    closes=wording.closes,
    prompt=prompt,
    phases=wording.PHASES,
    miniature=Miniature("el_grande/miniature.html", miniature.picture),
)
