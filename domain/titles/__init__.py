"""The one list of titles, in the order in which they are offered. A title is a folder of its name on each floor and a
line here; mypy checks in its `title.py` that it satisfies the protocol of the rules."""

from typing import Final

from domain.kernel.title import Titles, titles_by_name
from domain.titles.el_grande.title import EL_GRANDE
from domain.titles.la_granja.title import LA_GRANJA

TITLES: Final[Titles] = titles_by_name(LA_GRANJA, EL_GRANDE)
