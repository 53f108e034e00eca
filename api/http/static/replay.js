// The replay: stepping without reloading the page. Every step is also a link or a plain form. A place is an entry of
// the match, or a step of a variation that starts there. Other scripts request a place with `esporles:visit`; an empty
// path reloads the current one.
"use strict";
(() => {
  const root = document.querySelector(".replay");
  if (!root || !window.fetch || !window.Idiomorph) return;
  const base = root.dataset.base, first = Number(root.dataset.first), KEPT = 80, AHEAD = 3;
  const by = id => document.getElementById(id);
  const slider = by("replay-slider"), eyesOf = root.querySelector("select[data-eyes]");
  const play = root.querySelector("[data-play]"), speed = root.querySelector("[data-speed]"), word = play.querySelector("[data-word]");
  const chart = root.querySelector("[data-chart]"), cursor = by("replay-cursor");
  const place = (entry, variation = 0, step = 0) => ({ entry: Number(entry), variation: Number(variation), step: Number(step) });
  const same = (one, other) => one.entry === other.entry && one.variation === other.variation && one.step === other.step;
  const read = words => place(...words.split(" "));
  let last = Number(root.dataset.last), eyes = root.dataset.eyes, study = root.dataset.study, against = root.dataset.against;
  let at = place(root.dataset.at, root.dataset.variation || 0, root.dataset.step || 0), wanted = at, timer = 0;

  // Cache fetched entries, and prefetch the next ones.
  const kept = new Map();
  function address(there) {
    const open = study || (there.variation && document.querySelector(".notes[data-study]")?.dataset.study) || "";
    return base + "?at=" + there.entry + "&seat=" + eyes + (open ? "&study=" + open : "")
      + (there.variation ? "&variation=" + there.variation + "&step=" + there.step : "") + (against ? "&against=" + against : "");
  }
  function load(path) {
    return fetch(path, { headers: { "HX-Request": "true" } }).then(answer => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    });
  }
  function pieces(there) {
    const path = address(there);
    if (!kept.has(path)) {
      kept.set(path, load(path));
      kept.get(path).catch(() => kept.delete(path));
      if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    }
    return kept.get(path);
  }
  // Drop entries that were cached before the analysis was finished.
  document.addEventListener("htmx:afterSwap", event => { if (event.target.id === "analysis" || event.detail.elt?.id === "analysis") kept.clear(); });
  function fetchAhead(direction) {
    if (at.variation) return;
    for (let step = 1, entry = at.entry; step <= AHEAD; step += 1) {
      entry = beside(entry, direction);
      if (entry >= 1 && entry <= last) pieces(place(entry));
    }
    if (at.entry - direction >= 1 && at.entry - direction <= last) pieces(place(at.entry - direction));
  }

  // Morph the pieces instead of replacing them, so that open, filled-in and selected elements stay as they are.
  function isFilledIn(field) {
    if (field.tagName === "SELECT") return Array.from(field.options).some(option => option.selected !== option.defaultSelected);
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }
  const MORPH = {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed(node, news) {
        const isKept = /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName) && node.type !== "hidden" && !node.matches("[data-marks] *") && (node === document.activeElement || isFilledIn(node));
        return !isKept && !node.isEqualNode(news);
      },
      beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS"),
    },
  };
  let shown = partsOf(root);
  function show(there, html) {
    const isNext = Math.abs(there.entry - at.entry) <= 1 && !same(there, at), isHere = same(there, at), direction = there.entry < at.entry ? -1 : 1;
    const made = new DOMParser().parseFromString(html, "text/html"), before = shown;
    at = there;
    made.querySelectorAll("[hx-swap-oob]").forEach(piece => {
      const spot = by(piece.id);
      if (spot) window.Idiomorph.morph(spot, piece.innerHTML, MORPH);
    });
    // Poll an unfinished analysis from the new place.
    if (window.htmx && by("analysis")) window.htmx.process(by("analysis"));
    // Morphing does not change the state of a checkbox: reset it to the value from the server.
    document.querySelectorAll("[data-marks] input[type=checkbox]").forEach(box => { box.checked = box.defaultChecked; });
    Object.assign(root.dataset, { at: at.entry, variation: at.variation, step: at.step });
    shown = partsOf(made);
    if (against) compare(); else mark(isNext ? before : shown);
    follow();
    history.replaceState(null, "", address(at));
    document.dispatchEvent(new CustomEvent("esporles:replay", { detail: { at: at.entry, variation: at.variation, step: at.step, eyes } }));
    document.dispatchEvent(new Event("esporles:changed"));
    if (!isHere) fetchAhead(direction);
  }

  // Mark the parts of the board that an entry has changed until the next one is shown, or that a comparison differs in.
  function partsOf(page) {
    const found = new Map();
    page.querySelectorAll("[data-part]").forEach(part => found.set(part.dataset.part, part.innerHTML));
    return found;
  }
  function mark(before) {
    root.querySelectorAll(".field .changed").forEach(part => part.classList.remove("changed"));
    let out = null;
    root.querySelectorAll(".field [data-part]").forEach(part => {
      const was = before.get(part.dataset.part);
      if (was === undefined || was === shown.get(part.dataset.part)) return;
      part.classList.add("changed");
      out ??= part;
    });
    const pane = root.querySelector(".field").getBoundingClientRect(), box = out?.getBoundingClientRect();
    if (box && pane.height <= innerHeight && (box.top > pane.bottom - 20 || box.bottom < pane.top)) out.scrollIntoView({ block: "nearest" });
  }
  function compare() {
    pieces(place(against)).then(html => mark(partsOf(new DOMParser().parseFromString(html, "text/html"))), () => {});
  }
  function hold(other) {
    against = other;
    root.dataset.against = other;
    kept.clear();
    return go(at, true);
  }
  function flip() {
    const other = against;
    if (!other || at.variation) return;
    against = String(at.entry);
    kept.clear();
    go(place(other), true);
  }

  // Update everything else that depends on the place: slider, list of entries, chart, hidden fields.
  function follow() {
    say(at.entry);
    slider.value = at.entry;
    const fields = { at: at.entry, variation: at.variation, step: at.step };
    root.querySelectorAll("form input[type=hidden]").forEach(field => { if (field.name in fields && !field.closest("[data-work], [data-present]")) field.value = fields[field.name]; });
    // Changing the language or signing in returns to the entry that is shown.
    document.querySelectorAll(".top input[type=hidden][name=back]").forEach(field => { field.value = address(at); });
    document.querySelectorAll("a[href^='/sign-in?back=']").forEach(link => { link.href = "/sign-in?back=" + encodeURIComponent(address(at)); });
    const jump = root.querySelector("[data-jump]");
    for (let index = jump.options.length - 1; index >= 0; index -= 1) {
      if (Number(jump.options[index].value) <= at.entry || index === 0) { jump.selectedIndex = index; break; }
    }
    if (cursor) {
      const left = Number(chart.dataset.left), right = Number(chart.dataset.right);
      const part = (Math.max(at.entry, first) - first) / Math.max(1, last - first);
      cursor.setAttribute("transform", "translate(" + (left + part * (right - left)).toFixed(1) + ")");
    }
    filter();
    const list = root.querySelector("#replay-told ol"), now = by("told-" + at.entry);
    list.querySelectorAll(".now").forEach(line => { line.classList.remove("now"); line.removeAttribute("aria-current"); });
    if (!now) return;
    now.classList.add("now");
    now.setAttribute("aria-current", "step");
    // Centre the entry, or show its beginning if it is longer than the list. `offsetTop` is rounded: one pixel less
    // keeps the entry from being cut off.
    list.scrollTop = now.offsetTop - 1 - Math.max(0, list.clientHeight - now.clientHeight) / 2;
  }
  function say(entry) { slider.setAttribute("aria-valuetext", slider.dataset.words.replace("{version}", entry).replace("{last}", last)); }

  // Filter the list by seat and kind; stepping skips the other entries.
  function filter() {
    const [seat, kind] = ["seat", "kind"].map(name => root.querySelector(`[data-filter=${name}]`).value);
    let heading = null;
    root.querySelectorAll("#replay-told ol > li").forEach(line => {
      if (line.classList.contains("told-heading")) { heading = line; line.classList.toggle("out", Boolean(seat || kind)); return; }
      if (!line.dataset.version) return;
      const isOut = Boolean(seat && !line.classList.contains("seat-" + seat)) || Boolean(kind && !line.dataset.kind.split(" ").includes(kind));
      line.classList.toggle("out", isOut);
      if (!isOut && heading) { heading.classList.remove("out"); heading = null; }
    });
    root.classList.toggle("filtered", Boolean(seat || kind));
  }
  function beside(entry, direction) {
    if (!root.classList.contains("filtered")) return entry + direction;
    const found = Array.from(root.querySelectorAll("#replay-told li[data-version]:not(.out)"), line => Number(line.dataset.version));
    const next = direction > 0 ? found.find(each => each > entry) : found.reverse().find(each => each < entry);
    return next ?? entry;
  }

  // `isFresh`: something has changed, so fetch the place again, with the list of entries.
  function go(there, isFresh = false) {
    if (!there.variation) there = place(Math.min(last, Math.max(1, there.entry)));
    if (!isFresh && same(there, wanted) && same(there, at)) return Promise.resolve();
    wanted = there;
    return (isFresh ? load(address(there) + "&whole=true") : pieces(there)).then(html => {
      // After quick stepping, show only the last requested place.
      if (same(there, wanted) && (isFresh || !same(there, at))) show(there, html);
    }, () => {
      // The variation has been deleted meanwhile: show the entry it started from.
      if (isFresh && there.variation && same(there, at)) return go(place(there.entry), true);
      if (!isFresh || !same(there, at)) location.assign(address(there));
    });
  }
  document.addEventListener("esporles:visit", event => {
    if (!event.detail.path) { kept.clear(); go(wanted, true); return; }
    const query = new URL(event.detail.path, location.href).searchParams, seat = query.get("seat");
    if (seat && Array.from(eyesOf.options).some(option => option.value === seat)) eyes = root.dataset.eyes = eyesOf.value = seat;
    if (query.get("study")) study = root.dataset.study = query.get("study");
    kept.clear();
    if (timer) rest();
    go(place(query.get("at") || at.entry, query.get("variation") || 0, query.get("step") || 0), true);
  });
  function part(direction) {
    const starts = Array.from(root.querySelector("[data-jump]").options, option => Number(option.value));
    if (direction > 0) return starts.find(start => start > wanted.entry) || last;
    return starts.reverse().find(start => start < wanted.entry) || 1;
  }

  // Playback: show each entry before requesting the next.
  function rest() {
    clearTimeout(timer);
    timer = 0;
    word.textContent = play.dataset.playWord;
    root.classList.remove("playing");
    root.querySelector(".replay-now").removeAttribute("aria-live");
  }
  function next() {
    if (!wanted.variation) { const entry = beside(wanted.entry, 1); return entry > wanted.entry && entry <= last ? place(entry) : null; }
    const on = by("step-on").dataset.place;
    return on ? read(on) : null;
  }
  function tick() {
    timer = setTimeout(() => {
      const there = next();
      if (there) go(there).then(() => { if (timer) tick(); }); else rest();
    }, 1000 / Number(speed.value));
  }
  function start() {
    if (!next() && !wanted.variation) go(place(first));
    word.textContent = play.dataset.pauseWord;
    root.classList.add("playing");
    root.querySelector(".replay-now").setAttribute("aria-live", "off");
    tick();
  }
  function toggle() { if (timer) rest(); else start(); }
  function leave(there) { if (timer) rest(); go(there); }

  const isPlain = event => !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  root.addEventListener("click", event => {
    const link = event.target.closest("[data-to], [data-place], [data-flip], [data-apart]");
    if (link && isPlain(event)) {
      event.preventDefault();
      if ("flip" in link.dataset) flip();
      else if ("apart" in link.dataset) hold("");
      else if (link.dataset.place) leave(read(link.dataset.place));
      else if (link.id === "step-on" || link.id === "step-back") leave(place(beside(wanted.entry, link.id === "step-on" ? 1 : -1)));
      else leave(place(link.dataset.to));
      return;
    }
    const copied = event.target.closest("[data-link]");
    if (copied && navigator.clipboard && isPlain(event)) {
      event.preventDefault();
      navigator.clipboard.writeText(copied.href).then(() => {
        const words = copied.textContent;
        copied.textContent = copied.dataset.copied;
        setTimeout(() => { copied.textContent = words; }, 1500);
      }, () => location.assign(copied.href));
    }
  });
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => { say(slider.value); leave(place(slider.value)); });
  root.addEventListener("change", event => {
    if (event.target.matches("[data-jump]")) leave(place(event.target.value));
    if (event.target.matches("[data-filter]")) follow();
    if (event.target === eyesOf) event.target.form.submit();
  });
  root.addEventListener("submit", event => {
    if (!event.target.matches("[data-compare]")) return;
    event.preventDefault();
    hold(event.target.elements.against.value);
  });
  if (chart) {
    chart.addEventListener("click", event => {
      const box = chart.getBoundingClientRect(), scale = chart.viewBox.baseVal.width / box.width;
      const left = Number(chart.dataset.left), right = Number(chart.dataset.right);
      const share = ((event.clientX - box.left) * scale - left) / (right - left);
      go(place(Math.round(first + Math.min(1, Math.max(0, share)) * (last - first))));
    });
  }
  // The target of a key: within a variation by its links, up and down between variations, else by entries.
  function led(event) {
    const walk = { ArrowUp: "up", ArrowDown: "down" }[event.key], link = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    const words = walk ? document.querySelector(".notes")?.dataset[walk] : wanted.variation && link ? by("step-" + link).dataset.place : "";
    if (words) return read(words);
    if (walk || wanted.variation || !link) return null;
    const entry = { back: event.shiftKey ? part(-1) : beside(wanted.entry, -1), on: event.shiftKey ? part(1) : beside(wanted.entry, 1), first: wanted.entry <= first ? 1 : first, last }[link];
    return place(entry);
  }
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea, [contenteditable]")) return;
    const there = led(event);
    if (there) {
      if (event.target.closest("[tabindex], .scroll") && !root.contains(event.target)) return;
      event.preventDefault();
      leave(there);
    } else if (event.key === " " && !event.target.closest("button, summary, a, input, [role=button]")) {
      event.preventDefault();
      toggle();
    } else if (event.key === "x" || event.key === "X") flip();
  });

  // A running match grows while it is read: make the newest entry available without a reload.
  if (root.dataset.entries && window.EventSource) {
    const entries = new EventSource(root.dataset.entries + "?after=" + last);
    let growing = 0;
    entries.addEventListener("closed", () => entries.close());
    entries.addEventListener("entry", event => {
      last = Number(event.lastEventId);
      slider.max = last;
      clearTimeout(growing);
      growing = setTimeout(grow, 300);
    });
    // Do not return a reader who has stepped on meanwhile.
    function grow() {
      const seen = at;
      kept.clear();
      load(address(seen) + "&whole=true").then(html => { if (same(at, seen)) show(seen, html); else grow(); }, () => { /* The next entry brings it. */ });
    }
  }

  root.classList.add("scripted");
  follow();
  if (against) compare();
  fetchAhead(1);
})();
