// "Why not?": a press or a resting pointer on an unavailable part of the board asks the server and shows its reason
// beside the part. The page knows no rules.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream]"), bubble = document.getElementById("why");
  if (!table || !bubble) return;
  var words = document.getElementById("why-words"), rule = document.getElementById("why-rule");
  var REST = 600, LEAVE = 300, HELP = /<([^>]+)>; rel="help"/;
  var answers = new Map(), pointed = null, resting = 0, leaving = 0, shownAt = 0, known = table.dataset.version;

  function partAt(event) {
    var part = event.target.closest && event.target.closest(".field [data-part]:not(.legal)");
    var actions = document.getElementById("actions");
    if (!part || !actions.querySelector("[data-why]") || actions.inert || document.querySelector("dialog[open]")) return null;
    return event.target.closest("a, button, input, select, summary, label") ? null : part;
  }
  function hide() {
    clearTimeout(resting);
    clearTimeout(leaving);
    pointed = null;
    bubble.hidden = true;
  }
  function ask(part) {
    var name = part.dataset.part, key = table.dataset.version + " " + name;
    if (!answers.has(key)) {
      answers.set(key, fetch(location.pathname + "/why-not?part=" + encodeURIComponent(name) + (table.dataset.held ? "&held=" + table.dataset.held : "")).then(function (answer) {
        var help = HELP.exec(answer.headers.get("link") || "");
        return answer.status !== 200 ? null : answer.text().then(function (told) { return { words: told, rule: help ? help[1] : "" }; });
      }, function () { answers.delete(key); return null; }));
    }
    return answers.get(key);
  }
  function show(part) {
    clearTimeout(resting);
    clearTimeout(leaving);
    pointed = part;
    ask(part).then(function (told) {
      if (pointed !== part || !told || !part.isConnected) return;
      words.textContent = told.words;
      rule.hidden = !told.rule;
      rule.href = told.rule;
      bubble.hidden = false;
      var at = part.getBoundingClientRect(), box = bubble.getBoundingClientRect();
      shownAt = at.top;
      var dock = document.querySelector("#actions .dock").getBoundingClientRect(), end = at.right < dock.left ? dock.left : innerWidth;
      var left = Math.min(at.left, end - box.width - 8), below = at.bottom + 6;
      bubble.style.left = Math.max(8, left) + "px";
      bubble.style.top = (below + box.height < innerHeight ? below : Math.max(8, at.top - box.height - 6)) + "px";
    });
  }
  document.addEventListener("click", function (event) {
    if (bubble.contains(event.target)) return;
    var part = partAt(event);
    if (part) show(part); else hide();
  });
  document.addEventListener("pointerover", function (event) {
    if (event.pointerType !== "mouse") return;
    clearTimeout(leaving);
    if (bubble.contains(event.target)) return;
    var part = partAt(event);
    if (part === pointed) return;
    // The pointer may cross other elements on its way to the link in the bubble.
    if (!part && !bubble.hidden) { leaving = setTimeout(hide, LEAVE); return; }
    hide();
    if (part) { pointed = part; resting = setTimeout(function () { show(part); }, REST); }
  });
  // Keyboard: arrows move between parts, available or not, and Enter asks.
  var WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function middle(element) {
    var at = element.getBoundingClientRect();
    return at.width ? [at.left + at.width / 2, at.top + at.height / 2] : null;
  }
  function nextOf(from, way) {
    var start = from.matches(".field") ? [from.getBoundingClientRect().left, from.getBoundingClientRect().top] : middle(from);
    var best = null, least = Infinity;
    document.querySelectorAll(".field [data-part]").forEach(function (part) {
      var at = part !== from && middle(part);
      if (!at) return;
      var ahead = (at[0] - start[0]) * way[0] + (at[1] - start[1]) * way[1], aside = Math.abs((at[0] - start[0]) * way[1]) + Math.abs((at[1] - start[1]) * way[0]);
      var far = ahead + 2 * aside;
      if (ahead > 1 && far < least) { least = far; best = part; }
    });
    return best;
  }
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { hide(); return; }
    var at = event.target, isPart = at.matches && at.matches(".field [data-part]");
    if (!at.matches || !(isPart || at.matches(".field")) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (WAYS[event.key]) {
      var part = nextOf(at, WAYS[event.key]);
      if (!part) return;
      event.preventDefault();
      if (!part.hasAttribute("tabindex")) part.setAttribute("tabindex", "-1");
      hide();
      part.focus();
    } else if (isPart && (event.key === "Enter" || event.key === " ") && partAt(event)) {
      event.preventDefault();
      show(at);
    }
  });
  // The press may have scrolled the part into view: hide the bubble only if the part has moved since.
  document.addEventListener("scroll", function () {
    if (!bubble.hidden && Math.abs(pointed.getBoundingClientRect().top - shownAt) > 4) hide();
  }, { capture: true, passive: true });
  // An update of the same version keeps its reasons; another version has other reasons.
  document.addEventListener("esporles:changed", function () {
    if (known === table.dataset.version) return;
    known = table.dataset.version;
    answers.clear();
    hide();
  });
})();
