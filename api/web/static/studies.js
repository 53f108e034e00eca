// Rings and arrows of a study on the parts of a board: on a replay they follow the entry, on a place of the study they are
// drawn by mouse or chosen from lists. The text field beside the board holds the same and works without a script.
"use strict";
(() => {
  const frame = document.querySelector(".board-frame, .replay .field");
  const field = document.querySelector("#shapes");
  if (!frame) return;
  const part = name => [...frame.querySelectorAll(`[data-part="${CSS.escape(name)}"]`)].find(each => each.getBoundingClientRect().width > 0);
  const words = () => (field ? field.value : document.querySelector("[data-shapes]")?.dataset.shapes || "").split(/[\s,]+/).filter(Boolean);

  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "shapes");
  svg.setAttribute("aria-hidden", "true");
  const drawn = (name, attributes) => {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const boxOf = element => {
    const box = element.getBoundingClientRect(), outer = frame.getBoundingClientRect();
    return { x: box.left - outer.left + frame.scrollLeft, y: box.top - outer.top + frame.scrollTop, width: box.width, height: box.height };
  };
  const middle = element => { const box = boxOf(element); return [box.x + box.width / 2, box.y + box.height / 2]; };

  // Every line is drawn twice, the wider one beneath, so that it is seen on any colour of a board.
  const ring = element => {
    const { x, y, width, height } = boxOf(element), far = 3;
    const shape = { x: x - far, y: y - far, width: width + 2 * far, height: height + 2 * far, rx: Math.min(width, height, 64) / 2 };
    svg.append(drawn("rect", { ...shape, class: "halo" }), drawn("rect", shape));
  };
  const arrow = (from, to) => {
    const [x1, y1] = middle(from), [x2, y2] = middle(to), angle = Math.atan2(y2 - y1, x2 - x1);
    const at = (turn, far) => `${x2 - far * Math.cos(angle + turn)} ${y2 - far * Math.sin(angle + turn)}`;
    const line = `M ${x1} ${y1} L ${at(0, 14)}`, head = `M ${x2} ${y2} L ${at(0.5, 20)} L ${at(-0.5, 20)} Z`;
    svg.append(drawn("path", { d: line, class: "halo" }), drawn("path", { d: head, class: "halo" }), drawn("path", { d: line }), drawn("path", { d: head, class: "head" }));
  };
  const draw = () => {
    svg.replaceChildren();
    for (const word of words()) {
      const [from, to] = word.split(">").map(name => name && part(name));
      if (word.includes(">")) { if (from && to) arrow(from, to); } else if (from) ring(from);
    }
  };
  frame.append(svg);
  draw();
  new ResizeObserver(draw).observe(frame);
  document.addEventListener("esporles:replay", draw);
  frame.addEventListener("toggle", draw, true);

  if (field) {
    const toggle = word => {
      const known = words();
      field.value = (known.includes(word) ? known.filter(each => each !== word) : [...known, word]).join(" ");
      draw();
    };
    field.addEventListener("input", draw);
    // A hand that hardly moves means the part it began on, even at the edge of another or while the page scrolls.
    const NEAR = 6;
    let began = null, from = null;
    const named = event => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-part]")?.dataset.part;
    frame.addEventListener("pointerdown", event => { began = event.button === 0 ? named(event) ?? null : null; from = event; });
    frame.addEventListener("pointerup", event => {
      const stays = began && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < NEAR;
      const ended = stays ? began : named(event);
      if (began && ended) toggle(began === ended ? began : `${began}>${ended}`);
      began = null;
    });
    const chooser = document.querySelector("[data-chooser]");
    if (chooser) {
      chooser.hidden = false;
      const [from, to] = chooser.querySelectorAll("select");
      chooser.querySelector("button").addEventListener("click", () => toggle(to.value && to.value !== from.value ? `${from.value}>${to.value}` : from.value));
    }
  }
  document.addEventListener("keydown", event => {
    if (event.target.closest?.("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
    document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`)?.click();
  });
})();
