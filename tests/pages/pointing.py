"""Whether the pointer meets what it is aimed at: parts of a board, and what is drawn over them."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page

MISSED: Final = """() => {
  const missed = [];
  for (const part of document.querySelectorAll('.field [data-part]')) {
    part.classList.add('legal');
    // A land is bent: what is clicked is its name, for the middle of its frame may be somebody else's.
    const aim = part.querySelector(':scope > .name') || part;
    aim.scrollIntoView({ block: 'center', inline: 'center' });
    const box = aim.getBoundingClientRect();
    if (!box.width) continue;
    const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!met || !part.contains(met)) missed.push(part.dataset.part + ': ' + (met ? met.outerHTML : met).slice(0, 120));
  }
  return missed;
}"""
"""The parts whose middle belongs to something else."""

COVERING: Final = """() => {
  const SHOWN = 'path, text, rect, circle, ellipse, polygon, polyline, line, use', POINTS = 40, found = new Set();
  const clicked = 'a, button, summary, input, select, textarea';
  const look = (element, x, y) => {
    const [top, ...under] = document.elementsFromPoint(x, y);
    if (top !== element && !(top && element.contains(top))) return;
    const part = under.map(each => each.closest('[data-part]')).find(Boolean);
    if (part) found.add(element.outerHTML.slice(0, 120) + ' over ' + part.dataset.part);
  };
  for (const element of document.querySelectorAll(`:is(.field, .board-frame) svg :is(${SHOWN})`)) {
    if (element.closest(`[data-part], ${clicked}, defs, symbol`)) continue;
    element.scrollIntoView({ block: 'center', inline: 'center' });
    const box = element.getBoundingClientRect(), frame = element.getScreenCTM && element.getScreenCTM();
    if (!box.width && !box.height) continue;
    look(element, box.x + box.width / 2, box.y + box.height / 2);
    if (!element.getTotalLength || !frame) continue;
    const length = element.getTotalLength();
    for (let number = 0; number <= POINTS; number += 1) {
      const at = element.getPointAtLength(length * number / POINTS).matrixTransform(frame);
      look(element, at.x, at.y);
    }
  }
  return Array.from(found);
}"""
"""What is drawn over a part without belonging to one, and takes the pointer from it."""


def missed(page: Page) -> list[str]:
    """The parts of the board, all of them marked as legal, that the pointer does not meet in their middle."""
    found: list[str] = page.evaluate(MISSED)
    return found


def covering(page: Page) -> list[str]:
    """The drawings over parts of the board that keep the pointer from them."""
    found: list[str] = page.evaluate(COVERING)
    return found
