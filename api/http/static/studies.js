// A study beside its replay: rings and arrows on the parts of the board, drawn with the mouse or from lists; marks by
// single keys; forms sent without leaving the page; and live updates while others write or present the study.
"use strict";
(() => {
  const root = document.querySelector(".replay"), frame = root?.querySelector(".field");
  if (!frame || !root.classList.contains("scripted")) return;
  const panel = () => document.querySelector(".notes"), marking = () => document.getElementById("marking");
  const mayWrite = () => "writes" in (panel()?.dataset ?? {});
  const part = name => [...frame.querySelectorAll(`[data-part="${CSS.escape(name)}"]`)].find(each => each.getBoundingClientRect().width > 0);
  const nameOf = element => (element.dataset.name || element.getAttribute("aria-label") || element.querySelector(":scope > title")?.textContent || "").split(/[:;]/)[0].trim();
  const field = () => marking()?.elements.shapes;
  const words = () => (field() ? field().value : panel()?.dataset.shapes || "").split(/[\s,]+/).filter(Boolean);
  const visit = path => document.dispatchEvent(new CustomEvent("esporles:visit", { detail: { path } }));

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
    return { x: box.left - outer.left - frame.clientLeft + frame.scrollLeft, y: box.top - outer.top - frame.clientTop + frame.scrollTop, width: box.width, height: box.height };
  };
  const middle = element => { const box = boxOf(element); return [box.x + box.width / 2, box.y + box.height / 2]; };

  // Draw every line twice, a wider one below, so that it is visible on any colour of the board.
  const ring = element => {
    const { x, y, width, height } = boxOf(element), far = 3;
    const shape = { x: x - far, y: y - far, width: width + 2 * far, height: height + 2 * far, rx: Math.min(width, height, 64) / 2 };
    return [drawn("rect", { ...shape, class: "halo" }), drawn("rect", shape)];
  };
  const arrow = (from, to) => {
    const [x1, y1] = middle(from), [x2, y2] = middle(to), angle = Math.atan2(y2 - y1, x2 - x1);
    const at = (turn, far) => `${x2 - far * Math.cos(angle + turn)} ${y2 - far * Math.sin(angle + turn)}`;
    const line = `M ${x1} ${y1} L ${at(0, 14)}`, head = `M ${x2} ${y2} L ${at(0.5, 20)} L ${at(-0.5, 20)} Z`;
    return [drawn("path", { d: line, class: "halo" }), drawn("path", { d: head, class: "halo" }), drawn("path", { d: line }), drawn("path", { d: head, class: "head" })];
  };
  const draw = () => {
    svg.replaceChildren();
    for (const word of words()) {
      const [, colour = "green", name] = word.match(/^(?:(\w+):)?(.+)$/), [from, to] = name.split(">").map(each => each && part(each));
      const group = drawn("g", { class: colour });
      if (name.includes(">")) { if (from && to) group.append(...arrow(from, to)); } else if (from) group.append(...ring(from));
      if (group.childElementCount) svg.append(group);
    }
    // Use the names that the board gives to its parts.
    document.querySelectorAll("[data-part-name]").forEach(each => {
      const named = part(each.dataset.partName);
      if (named && nameOf(named)) each.textContent = nameOf(named);
    });
  };
  frame.append(svg);
  new ResizeObserver(draw).observe(frame.querySelector(".pieces"));
  frame.addEventListener("toggle", draw, true);

  // Send forms one after the other; the page shows the result of the last.
  let sending = Promise.resolve(), waiting = 0;
  const send = (form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter)), action = form.action;
    waiting += 1;
    sending = sending.then(async () => {
      const answer = await fetch(action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
      waiting -= 1;
      const notice = document.getElementById("notice");
      if (answer?.ok) {
        notice.textContent = "";
        if (form.contains(document.activeElement)) document.activeElement.blur();
        if (!form.matches("[data-marks]")) form.reset();
        const details = form.closest("details");
        if (details && details.id !== "playing") details.open = false;
        if (!waiting) visit(answer.headers.get("HX-Redirect"));
      } else {
        notice.innerHTML = answer ? await answer.text() : "";
        notice.scrollIntoView({ block: "nearest" });
        if (form.matches("[data-marks]")) visit("");
      }
    });
    return sending;
  };
  document.addEventListener("submit", event => {
    if (!event.target.matches("form[data-work]")) return;
    event.preventDefault();
    send(event.target, event.submitter);
  });
  document.addEventListener("change", event => { if (event.target.matches("#marking input[type=checkbox]")) send(marking()); });
  document.addEventListener("keydown", event => {
    if (event.target.matches?.("textarea") && event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.target.form?.requestSubmit(); return; }
    if (event.altKey || event.ctrlKey || event.metaKey || !mayWrite() || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select")) return;
    const glyph = /^\d$/.test(event.key) && marking().querySelector(`[data-glyph="${event.key}"]`);
    if (glyph) { event.preventDefault(); glyph.click(); }
    if (event.key === "c" || event.key === "C") { event.preventDefault(); document.getElementById("beside-comment").focus(); }
  });

  // Drawing: the left button draws with a selected pen, the right one always, with a colour by modifier keys.
  const pen = () => document.querySelector("input[name=pen]:checked")?.value || "";
  const toggle = (name, colour) => {
    const word = colour === "green" ? name : `${colour}:${name}`, known = words(), bare = each => each.replace(/^\w+:/, "");
    const others = known.filter(each => bare(each) !== name);
    field().value = (known.includes(word) ? others : [...others, word]).join(" ");
    draw();
    send(marking());
  };
  // A press that hardly moves means the part it started on, even at the edge of another or while the page scrolls.
  const NEAR = 6;
  let began = null;
  const named = event => document.elementFromPoint(event.clientX, event.clientY)?.closest(".field [data-part]")?.dataset.part;
  const colourOf = event => {
    if (event.button === 0) return pen();
    if (event.button !== 2) return "";
    return event.shiftKey && event.altKey ? "yellow" : event.shiftKey ? "red" : event.altKey ? "blue" : pen() || "green";
  };
  frame.addEventListener("pointerdown", event => {
    const colour = mayWrite() && field() ? colourOf(event) : "", name = colour && named(event);
    began = name ? { name, colour, x: event.clientX, y: event.clientY } : null;
  });
  frame.addEventListener("pointerup", event => {
    if (!began) return;
    const { name, colour, x, y } = began, ended = Math.hypot(event.clientX - x, event.clientY - y) < NEAR ? name : named(event);
    began = null;
    if (ended) toggle(name === ended ? name : `${name}>${ended}`, colour);
  });
  frame.addEventListener("contextmenu", event => { if (mayWrite() && event.target.closest("[data-part]")) event.preventDefault(); });
  frame.addEventListener("click", event => { if (pen() && event.target.closest("[data-part]")) { event.stopPropagation(); event.preventDefault(); } }, true);
  frame.addEventListener("dragstart", event => { if (pen()) event.preventDefault(); });
  document.addEventListener("change", event => { if (event.target.name === "pen") root.classList.toggle("drawing", Boolean(pen())); });
  document.addEventListener("toggle", event => {
    if (!event.target.matches?.(".by-list") || !event.target.open) return;
    const [from, to] = event.target.querySelectorAll("select"), known = new Map();
    frame.querySelectorAll("[data-part]").forEach(each => { if (nameOf(each) && !known.has(each.dataset.part)) known.set(each.dataset.part, nameOf(each)); });
    const options = () => [...known].map(([value, label]) => new Option(label.slice(0, 80), value));
    from.replaceChildren(...options());
    to.replaceChildren(to.options[0], ...options());
  }, true);
  document.addEventListener("click", event => {
    const button = event.target.closest?.("[data-chooser] button");
    if (!button) return;
    const [from, to] = button.closest("[data-chooser]").querySelectorAll("select");
    toggle(to.value && to.value !== from.value ? `${from.value}>${to.value}` : from.value, pen() || "green");
  });

  // Presenting: the current place is sent repeatedly; followers go there.
  const AGAIN = 10_000;
  let presenting = 0, presented = null, isFollowing = false, source = null, watched = "";
  const presentForm = () => document.querySelector("form[data-present]");
  const tell = ended => {
    const form = presentForm();
    if (!form) return;
    const body = new URLSearchParams(new FormData(form));
    if (ended) body.set("ended", "true");
    fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" }, keepalive: true }).catch(() => { /* It is told again. */ });
  };
  document.addEventListener("click", event => {
    if (!event.target.closest?.("[data-begin]")) return;
    if (presenting) clearInterval(presenting);
    presenting = presenting ? 0 : setInterval(tell, AGAIN);
    tell(!presenting);
    refresh();
  });
  addEventListener("pagehide", () => { if (presenting) tell(true); });
  document.addEventListener("change", event => {
    if (!event.target.matches("[data-follow]")) return;
    isFollowing = event.target.checked;
    come();
  });
  const come = () => {
    if (!isFollowing || presenting || !presented?.name) return;
    const { at, variation, step, eyes } = presented, now = root.dataset;
    if (Number(now.at) === at && Number(now.variation) === variation && Number(now.step) === step && now.eyes === eyes) return;
    visit(`?at=${at}&seat=${eyes}&study=${panel().dataset.study}${variation ? `&variation=${variation}&step=${step}` : ""}`);
  };
  const watch = () => {
    const live = panel()?.dataset.live || "";
    if (live === watched || !window.EventSource) return;
    source?.close();
    watched = live;
    source = live ? new EventSource(live) : null;
    const listened = source;
    listened?.addEventListener("closed", () => listened.close());
    source?.addEventListener("place", event => {
      presented = { name: "", at: 0, variation: 0, step: 0, eyes: "all", ...JSON.parse(event.data) };
      refresh();
      come();
    });
    let growing = 0;
    source?.addEventListener("study", event => {
      const { version } = JSON.parse(event.data);
      clearTimeout(growing);
      // This page already shows its own changes.
      growing = setTimeout(() => { if (!waiting && Number(panel()?.dataset.version) < version) visit(""); }, 200);
    });
  };

  // Restore state that redrawn pieces do not contain.
  function refresh() {
    const button = document.querySelector("[data-begin]"), following = document.querySelector("[data-following]");
    if (button) {
      button.textContent = presenting ? button.dataset.end : button.dataset.begin;
      button.setAttribute("aria-pressed", String(Boolean(presenting)));
      const told = presentForm().querySelector("[data-told]");
      told.textContent = presenting ? told.dataset.told : "";
    }
    if (following) {
      const words = following.querySelector("[data-words]");
      following.hidden = !presented?.name || Boolean(presenting);
      words.textContent = words.dataset.words.replace("{name}", presented?.name ?? "");
      following.querySelector("input").checked = isFollowing;
    }
  }
  document.addEventListener("esporles:replay", () => {
    draw();
    refresh();
    watch();
    if (presenting) tell();
  });
  draw();
  refresh();
  watch();
})();
