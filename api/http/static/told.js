// The move list: filtering by seat, stepping through what has happened since the reader's last move, and animating
// events on the board. The page computes nothing: the lines of the log contain the data.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream]"), log = document.getElementById("narration");
  if (!table || !log) return;
  var field = table.querySelector(".field");
  function lines() { return Array.from(log.querySelectorAll("[data-told]")); }
  function version(line) { return Number(line.dataset.told); }

  // Show the log of one seat only.
  log.addEventListener("change", function (event) {
    if (event.target.matches("[data-only]")) log.dataset.seat = event.target.value;
  });

  // The moves of the others since the reader's last move, oldest first.
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
    // The plural forms for 1, 2 and 5: one, few and many.
    var forms = button.dataset.words.split("|"), form = { one: 0, few: 1 }[new Intl.PluralRules(document.documentElement.lang).select(count)];
    button.textContent = forms[form === undefined ? 2 : form].replace(/\d+/, count);
  }

  // The board after an entry, from the replay, with the differences from the previous entry marked.
  var PARTS = "[data-part], g, li, span, b, svg > text", positions = new Map(), steps = [], place = 0, byItself = false, narrow = matchMedia("(max-width: 63.99rem)");
  function position(at) {
    if (!positions.has(at)) positions.set(at, fetch(location.pathname + "/replay?at=" + at, { headers: { "HX-Request": "true" } }).then(function (answer) {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    }).then(function (text) { return new DOMParser().parseFromString(text, "text/html"); }));
    return positions.get(at);
  }
  // A piece that looks the same in another place is a different piece.
  function wholeOf(part) {
    var around = part.parentElement.closest("[id], [data-part]");
    return (around ? around.id || around.dataset.part : "") + part.outerHTML;
  }
  // Text for screen readers only is one pixel wide.
  function isForScreenReaders(part) { return part.getClientRects().length > 0 && part.getBoundingClientRect().width <= 1; }
  // Bring the marked parts into view: the drawing opens folded parts, and the page scrolls there.
  function bring(moved, seat) {
    document.dispatchEvent(new CustomEvent("esporles:looked", { detail: { moved: moved, seat: seat } }));
    var things = moved.filter(function (each) { return each.matches("[data-part], g, li"); }), most = (things.length ? things : moved).sort(function (one, other) { return sizeOf(other) - sizeOf(one); })[0];
    if (most && !isInSight(most)) most.scrollIntoView({ block: "center" });
  }
  function sizeOf(part) { var box = part.getBoundingClientRect(); return box.width * box.height; }
  function isInSight(part) {
    var box = part.getBoundingClientRect(), below = narrow.matches && (looking.hidden ? document.querySelector("#actions .dock") : looking);
    return box.top >= 0 && box.bottom <= (below ? below.getBoundingClientRect().top : innerHeight);
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
        var known = new Set(Array.from(before ? before.querySelectorAll(PARTS) : [], wholeOf)), shown = piece.querySelectorAll(PARTS);
        Array.from(after.querySelectorAll(PARTS)).forEach(function (each, index) {
          if (!known.has(wholeOf(each)) && !isForScreenReaders(shown[index])) shown[index].classList.add("moved");
        });
        piece.querySelectorAll(".moved:has(.moved)").forEach(function (each) { each.classList.remove("moved"); });
      });
      bring(Array.from(field.querySelectorAll(".moved")), line.dataset.seat);
      stood = standing(both[0]);
      play(tracesOf(line));
    }, function () { leave(); });
  }
  // When opened automatically, it leaves the choices enabled, and any press elsewhere closes it.
  function look(isByItself) {
    steps = since();
    if (!steps.length || !looking.hidden) return;
    byItself = isByItself;
    place = 0;
    positions.clear();
    left.at = Number(table.dataset.version);
    left.scroll = scrollY;
    looking.hidden = false;
    document.body.classList.add("looking-back");
    document.getElementById("actions").inert = !byItself;
    changed();
    if (!byItself) looking.querySelector("[data-step='1']").focus();
    showStep();
  }
  function leave(isPressedAway) {
    if (looking.hidden) return;
    close();
    // Do not scroll under a press on something else.
    if (!isPressedAway) scrollTo(0, left.scroll);
    // Request the current state of the table, which may have changed meanwhile.
    document.dispatchEvent(new Event("esporles:resync"));
  }
  function close() {
    skip();
    looking.hidden = true;
    document.body.classList.remove("looking-back");
    field.querySelectorAll(".moved").forEach(function (each) { each.classList.remove("moved"); });
    bring([]);
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
    if (looking && byItself && !looking.hidden && !looking.contains(event.target)) leave(true);
  }, true);
  if (looking) looking.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (!button) return;
    if (!button.dataset.step) return leave();
    place = Math.min(steps.length - 1, Math.max(0, place + Number(button.dataset.step)));
    showStep();
  });

  // Animations: one after the other; finished at once with reduced motion, by any press, and by Escape.
  var calm = matchMedia("(prefers-reduced-motion: reduce)"), queue = [], playing = null, skipButton = document.getElementById("skip-moves"), LONG = 3;
  function isCalm() { return calm.matches || document.documentElement.dataset.motion === "off" || document.hidden; }
  function tracesOf(line) { return line.dataset.traces ? JSON.parse(line.dataset.traces) : []; }
  function middle(element) {
    var box = element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
  // The seat's marker on the score track, if there is one.
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
  var SVG = "http://www.w3.org/2000/svg", BESIDE = 46, EDGE = 24;
  // Points are drawn as a plate, caballeros in the shape of their seat.
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
  function way(from, to) { return "translate(" + (to.x - from.x) + "px, " + (to.y - from.y) + "px)"; }
  // A target outside the window is replaced by the edge of the window.
  function within(at) { return { x: Math.min(Math.max(at.x, EDGE), innerWidth - EDGE), y: Math.min(Math.max(at.y, EDGE), innerHeight - EDGE) }; }
  // Show a closed place as open while something leaves it.
  function fly(words, seat, from, to) {
    from.classList.add("opening");
    var start = middle(from), end = way(start, within(middle(to))), made = token(words, seat, false, start);
    return run(made, [{ transform: "none", opacity: 1 }, { transform: end, opacity: 1, offset: .85 }, { transform: end, opacity: 0 }], 650, function () { made.remove(); from.classList.remove("opening"); });
  }
  // Show points side by side over the scored part, long enough to read, then move them to their owners.
  function score(part, points) {
    var box = part.getBoundingClientRect(), start = middle(part);
    return points.map(function (pair, index) {
      var made = token("+" + pair[1], pair[0], true, start), own = seatAt(pair[0]);
      var here = way(start, beside(start, index, points.length, box.top)), there = own ? way(start, within(middle(own))) : here;
      return run(made, [{ transform: here, opacity: 0 }, { transform: here, opacity: 1, offset: .15 }, { transform: here, opacity: 1, offset: .45 }, { transform: there, opacity: 1, offset: .9 }, { transform: there, opacity: 0 }], 1400, function () { made.remove(); });
    });
  }
  // The position of one of `count` elements in a row around a point, inside the window.
  function beside(at, index, count, y) {
    var wide = (count - 1) * BESIDE / 2, x = Math.min(Math.max(at.x, wide + EDGE), innerWidth - wide - EDGE);
    return within({ x: x + (index - (count - 1) / 2) * BESIDE, y: y });
  }
  function light(part, ms, style) {
    part.classList.add("lit");
    if (style) part.classList.add(style);
    return run(part, [{ filter: "none" }, { filter: "brightness(1.25) drop-shadow(0 0 6px var(--legal))", offset: .3 }, { filter: "none" }], ms, function () { part.classList.remove("lit", style || "lit"); });
  }
  // Show the contents rising out of the part side by side, for a moment.
  function open(part, inside) {
    var OPEN_MS = 2000, found = [light(part, OPEN_MS, "opening")], box = part.getBoundingClientRect(), start = middle(part);
    inside.forEach(function (pair, index) {
      var made = token(pair[1], pair[0], false, start), out = way(start, beside(start, index, inside.length, box.top - EDGE));
      found.push(run(made, [{ transform: "scale(.4)", opacity: 0 }, { transform: out, opacity: 1, offset: .35 }, { transform: out, opacity: 1, offset: .85 }, { transform: out, opacity: 0 }], OPEN_MS, function () { made.remove(); }));
    });
    return found;
  }
  // Move a unique piece itself, above everything else, from its last known position.
  var PLACE = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/, stood = standing(field);
  function standing(page) {
    return new Map(Array.from(page.querySelectorAll("[data-piece]"), function (piece) { return [piece.dataset.piece, PLACE.exec(piece.getAttribute("transform"))]; }));
  }
  // A piece that was not on the drawing starts from its place beside the board.
  function homeOf(name, piece) {
    var home = piece && field.querySelector('[data-home="' + name.split("-")[0] + '"]'), at = home && middle(home);
    var there = home && new DOMPoint(at.x, at.y).matrixTransform(piece.ownerSVGElement.getScreenCTM().inverse());
    return home && [null, there.x, there.y];
  }
  function walk(name) {
    var piece = field.querySelector('[data-piece="' + name + '"]'), from = stood.get(name) || homeOf(name, piece), to = piece && PLACE.exec(piece.getAttribute("transform"));
    if (!from || !to || (from[1] === to[1] && from[2] === to[2])) return [];
    stood.set(name, to);
    var walker = piece.cloneNode(true);
    walker.removeAttribute("data-piece");
    walker.classList.add("walking");
    piece.ownerSVGElement.append(walker);
    piece.classList.add("walks-off");
    return [run(walker, [{ translate: from[1] - to[1] + "px " + (from[2] - to[2]) + "px" }, { translate: "0px 0px" }], 1100, function () {
      // Keep the element if the stream has morphed it into something else.
      if (walker.classList.contains("walking")) walker.remove();
      piece.classList.remove("walks-off");
    })];
  }
  // The reader is looking at the board, not at the log or chat below it.
  function isRead() { var box = field.getBoundingClientRect(); return box.top < innerHeight / 2 && box.bottom > innerHeight / 2; }
  function show(trace) {
    var part = partAt(trace.part, trace.seat), from = part && trace.source && partAt(trace.source, trace.seat);
    if (!part) return [];
    if ((trace.points || trace.opens) && !isInSight(part) && isRead()) part.scrollIntoView({ block: "center" });
    if (trace.points) return [light(part, 1500)].concat(score(part, trace.points));
    if (trace.opens) return open(part, trace.inside || []);
    if (trace.piece) return [light(part, 1100)].concat(walk(trace.piece));
    return [from ? fly(trace.count || "", trace.seat, from, part) : light(part, 650)];
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

  // Lines present at load have already happened; animate each later line once.
  var seen = Math.max.apply(null, [0].concat(lines().map(version)));
  document.addEventListener("esporles:changed", function (event) {
    offer();
    var parts = (event.detail && event.detail.parts) || [];
    if (!looking.hidden && pieces().some(function (piece) { return parts.includes(piece.id); })) close();
  });
  // Start after the page has changed completely, because measuring positions forces a layout.
  document.addEventListener("esporles:shown", function () {
    if (!looking.hidden) return;
    var fresh = lines().filter(function (line) { return version(line) > seen; }).reverse();
    seen = Math.max.apply(null, [0].concat(lines().map(version)));
    // After a take-back, entries are told again from where the match continues.
    fresh.forEach(function (line) { play(tracesOf(line)); });
  });
  offer();
})();
