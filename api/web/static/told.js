// What happened: the log by seat, what has happened since the reader acted last, step by step, and what moves on the
// board as it happens. The page reckons nothing: the lines of the log hold what they tell of the board.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream]"), log = document.getElementById("narration");
  if (!table || !log) return;
  var field = table.querySelector(".field");
  function lines() { return Array.from(log.querySelectorAll("[data-told]")); }
  function version(line) { return Number(line.dataset.told); }

  // The log of one seat alone.
  log.addEventListener("change", function (event) {
    if (event.target.matches("[data-only]")) log.dataset.seat = event.target.value;
  });

  // What others have done since the reader's seat acted last, the oldest first.
  var looking = document.getElementById("looking"), left = { at: 0 };
  function since() {
    var own = log.firstElementChild && log.firstElementChild.dataset.own, all = lines();
    var last = all.findIndex(function (line) { return line.dataset.acted === own; });
    return !own || last < 0 ? [] : all.slice(0, last).filter(function (line) { return line.dataset.seat !== own; }).reverse();
  }
  function offer() {
    log.querySelectorAll("[data-kept][hidden]:not([data-since])").forEach(function (each) { each.hidden = false; });
    var button = log.querySelector("[data-since]"), count = since().length;
    if (!button) return;
    button.hidden = !count;
    button.textContent = button.dataset.words.replace("{count}", count);
  }

  // The board as it stood after an entry, from the replay; what differs from the entry before is marked.
  var PARTS = "[data-part], g, li, span, b, text", positions = new Map(), steps = [], place = 0, byItself = false;
  function position(at) {
    if (!positions.has(at)) positions.set(at, fetch(location.pathname + "/replay?at=" + at, { headers: { "HX-Request": "true" } }).then(function (answer) {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    }).then(function (text) { return new DOMParser().parseFromString(text, "text/html"); }));
    return positions.get(at);
  }
  function pieces() { return Array.from(field.querySelectorAll(":scope > [id]")); }
  function showStep() {
    var line = steps[place], at = version(line), asked = place;
    looking.querySelector("[data-where]").textContent = looking.dataset.words.replace("{number}", place + 1).replace("{count}", steps.length);
    looking.querySelector("[data-words]").replaceChildren.apply(looking.querySelector("[data-words]"), Array.from(line.querySelectorAll("p")).reverse().map(function (p) { return p.cloneNode(true); }));
    looking.querySelector("[data-step='-1']").disabled = place === 0;
    looking.querySelector("[data-step='1']").disabled = place === steps.length - 1;
    Promise.all([position(Math.max(1, at - 1)), position(at)]).then(function (both) {
      if (looking.hidden || asked !== place) return;
      pieces().forEach(function (piece) {
        var before = both[0].getElementById(piece.id), after = both[1].getElementById(piece.id);
        if (!after) return;
        Idiomorph.morph(piece, after.innerHTML, { morphStyle: "innerHTML" });
        var known = new Set(Array.from(before ? before.querySelectorAll(PARTS) : [], function (each) { return each.outerHTML; }));
        Array.from(after.querySelectorAll(PARTS)).forEach(function (each, index) {
          if (!known.has(each.outerHTML)) piece.querySelectorAll(PARTS)[index].classList.add("moved");
        });
        piece.querySelectorAll(".moved:has(.moved)").forEach(function (each) { each.classList.remove("moved"); });
      });
      stood = standing(both[0]);
      play(tracesOf(line));
    }, leave);
  }
  // By itself it opens beside what is asked: nothing is taken from the reader, and any press elsewhere ends it.
  function look(isByItself) {
    steps = since();
    if (!steps.length || !looking.hidden) return;
    byItself = isByItself;
    place = 0;
    positions.clear();
    left.at = Number(table.dataset.version);
    looking.hidden = false;
    document.body.classList.add("looking-back");
    document.getElementById("actions").inert = !byItself;
    changed();
    if (!byItself) looking.querySelector("[data-step='1']").focus();
    showStep();
  }
  function leave() {
    if (looking.hidden) return;
    close();
    // Whatever has come meanwhile, the stream says how the table stands now.
    document.dispatchEvent(new Event("esporles:resync"));
  }
  function close() {
    skip();
    looking.hidden = true;
    document.body.classList.remove("looking-back");
    field.querySelectorAll(".moved").forEach(function (each) { each.classList.remove("moved"); });
    document.getElementById("actions").inert = false;
    changed();
    var button = log.querySelector("[data-since]:not([hidden])");
    if (button && looking.contains(document.activeElement)) button.focus();
  }
  function changed() { document.dispatchEvent(new CustomEvent("esporles:changed", { detail: { parts: [] } })); }
  document.addEventListener("click", function (event) {
    var way = event.target.closest("[data-since], [data-latest]");
    if (!way || !since().length) return;
    event.preventDefault();
    look(false);
  });
  document.addEventListener("esporles:returned", function (event) {
    var newest = since().pop();
    if (looking && newest && version(newest) > event.detail.version) look(true);
  });
  document.addEventListener("pointerdown", function (event) {
    if (looking && byItself && !looking.hidden && !looking.contains(event.target)) leave();
  }, true);
  if (looking) looking.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (!button) return;
    if (!button.dataset.step) return leave();
    place = Math.min(steps.length - 1, Math.max(0, place + Number(button.dataset.step)));
    showStep();
  });

  // What moves: one thing after the other, at once done where nothing shall move, by any press, and by Escape.
  var calm = matchMedia("(prefers-reduced-motion: reduce)"), queue = [], playing = null, skipButton = document.getElementById("skip-moves"), LONG = 3;
  function isCalm() { return calm.matches || document.documentElement.dataset.motion === "off" || document.hidden; }
  function tracesOf(line) { return line.dataset.traces ? JSON.parse(line.dataset.traces) : []; }
  function middle(element) {
    var box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
  // Its marker on the score track, where one is drawn.
  function seatAt(seat) {
    var marker = field.querySelector('[data-score="' + seat + '"]');
    return marker && marker.getClientRects().length ? marker : document.querySelectorAll(".seated > li")[seat];
  }
  function partAt(part, seat) {
    var own = (part === "court" || part === "province") && seat !== undefined;
    return own ? field.querySelector("section.seat-" + seat) || seatAt(seat) : field.querySelector('[data-part="' + part + '"]');
  }
  function isSeat(seat) { return seat !== undefined && seat !== null; }
  function run(element, frames, ms, end) {
    var motion = element.animate(frames, { duration: ms, easing: "ease-in-out" });
    var over = motion.finished.then(null, function () {}).then(end);
    return { motion: motion, over: over };
  }
  var SVG = "http://www.w3.org/2000/svg";
  // Points are a plate, caballeros have the shape of their seat.
  function token(words, seat, isPoints, at) {
    var made = document.createElement("span"), shape = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
    made.className = "flying" + (isPoints ? " points" : "") + (isSeat(seat) ? " seat-" + seat : "");
    made.setAttribute("aria-hidden", "true");
    if (!isPoints) {
      use.setAttribute("href", "/static/icons.svg#seat-" + (isSeat(seat) ? seat : 0));
      shape.append(use);
      made.append(shape);
    }
    made.append(document.createElement("b"));
    made.lastChild.textContent = words;
    made.style.left = at.x + "px";
    made.style.top = at.y + "px";
    document.body.append(made);
    return made;
  }
  function fly(words, seat, from, to, ms, isPoints) {
    var start = middle(from), end = middle(to), made = token(words, seat, isPoints, start);
    var way = "translate(" + (end.x - start.x) + "px, " + (end.y - start.y) + "px)";
    return run(made, [{ transform: "none", opacity: 1 }, { transform: way, opacity: 1, offset: .85 }, { transform: way, opacity: 0 }], ms, function () { made.remove(); });
  }
  function light(part, ms, style) {
    part.classList.add("lit");
    if (style) part.classList.add(style);
    return run(part, [{ filter: "none" }, { filter: "brightness(1.25) drop-shadow(0 0 6px var(--legal))", offset: .3 }, { filter: "none" }], ms, function () { part.classList.remove("lit", style || "lit"); });
  }
  // What was inside rises out of it side by side, and is seen for a while.
  function open(part, inside) {
    var OPEN_MS = 2000, BESIDE = 40, found = [light(part, OPEN_MS, "opening")], box = part.getBoundingClientRect(), start = middle(part);
    inside.forEach(function (pair, index) {
      var made = token(pair[1], pair[0], false, start), far = (index - (inside.length - 1) / 2) * BESIDE;
      var out = "translate(" + far + "px, " + -(box.height / 2 + 24) + "px)";
      found.push(run(made, [{ transform: "scale(.4)", opacity: 0 }, { transform: out, opacity: 1, offset: .35 }, { transform: out, opacity: 1, offset: .85 }, { transform: out, opacity: 0 }], OPEN_MS, function () { made.remove(); }));
    });
    return found;
  }
  // A piece there is one of walks itself, above everything, from where it stood when the log was told last.
  var PLACE = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/, stood = standing(field);
  function standing(page) {
    return new Map(Array.from(page.querySelectorAll("[data-piece]"), function (piece) { return [piece.dataset.piece, PLACE.exec(piece.getAttribute("transform"))]; }));
  }
  function walk(name) {
    var piece = field.querySelector('[data-piece="' + name + '"]'), from = stood.get(name), to = piece && PLACE.exec(piece.getAttribute("transform"));
    if (!from || !to || (from[1] === to[1] && from[2] === to[2])) return [];
    stood.set(name, to);
    var walker = piece.cloneNode(true);
    walker.removeAttribute("data-piece");
    walker.classList.add("walking");
    piece.ownerSVGElement.append(walker);
    piece.classList.add("walks-off");
    return [run(walker, [{ translate: from[1] - to[1] + "px " + (from[2] - to[2]) + "px" }, { translate: "0px 0px" }], 1100, function () {
      // What the stream has made something else of meanwhile stays.
      if (walker.classList.contains("walking")) walker.remove();
      piece.classList.remove("walks-off");
    })];
  }
  function show(trace) {
    var part = partAt(trace.part, trace.seat), from = part && trace.source && partAt(trace.source, trace.seat);
    if (!part) return [];
    if (trace.points) return [light(part, 1100)].concat(trace.points.map(function (pair) { return fly("+" + pair[1], pair[0], part, seatAt(pair[0]) || part, 1000, true); }));
    if (trace.opens) return open(part, trace.inside || []);
    if (trace.piece) return [light(part, 1100)].concat(walk(trace.piece));
    return [from ? fly(trace.count || "", trace.seat, from, part, 650) : light(part, 650)];
  }
  function play(traces) {
    if (isCalm()) { stood = standing(field); return; }
    if (!traces.length) return;
    queue = queue.concat(traces);
    if (skipButton && queue.length >= LONG) skipButton.hidden = false;
    if (!playing) next();
  }
  function next() {
    var trace = queue.shift();
    playing = null;
    table.classList.toggle("moving", Boolean(trace));
    if (!trace) {
      if (skipButton) skipButton.hidden = true;
      stood = standing(field);
      return;
    }
    playing = show(trace);
    Promise.all(playing.map(function (each) { return each.over; })).then(next);
  }
  function skip() {
    queue = [];
    if (playing) playing.forEach(function (each) { each.motion.finish(); });
  }
  if (skipButton) skipButton.addEventListener("click", skip);
  document.addEventListener("pointerdown", skip, true);
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { skip(); leave(); }
  });

  // What is on the page when it comes has happened already; of what happens later each line moves once.
  var seen = Math.max.apply(null, [0].concat(lines().map(version)));
  document.addEventListener("esporles:changed", function (event) {
    offer();
    var parts = (event.detail && event.detail.parts) || [];
    if (!looking.hidden && pieces().some(function (piece) { return parts.includes(piece.id); })) close();
    if (!looking.hidden) return;
    var fresh = lines().filter(function (line) { return version(line) > seen; }).reverse();
    seen = Math.max.apply(null, [0].concat(lines().map(version)));
    // Entries that were taken back are told again from where the match goes on.
    fresh.forEach(function (line) { play(tracesOf(line)); });
  });
  offer();
})();
