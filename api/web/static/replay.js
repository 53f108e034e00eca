// The replay: steps without loading the page again. Everything it does is also a link or a plain form of the page.
(function () {
  "use strict";
  var root = document.querySelector(".replay");
  if (!root || !window.fetch || !window.Idiomorph) return;
  var at = Number(root.dataset.at), first = Number(root.dataset.first), last = Number(root.dataset.last);
  var eyes = root.dataset.eyes, base = root.dataset.base, wanted = at, timer = 0;
  var KEPT = 80, AHEAD = 3;
  var slider = document.getElementById("replay-slider"), jump = root.querySelector("[data-jump]");
  var play = root.querySelector("[data-play]"), speed = root.querySelector("[data-speed]");
  var word = play.querySelector("[data-word]");
  var chart = root.querySelector("[data-chart]"), cursor = document.getElementById("replay-cursor");

  // Entries that were fetched are kept, and the next ones are fetched before anybody asks for them.
  var kept = new Map();
  function address(version) { return base + "?at=" + version + "&seat=" + eyes; }
  function pieces(version) {
    if (!kept.has(version)) {
      kept.set(version, fetch(address(version), { headers: { "HX-Request": "true" } }).then(function (answer) {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      }));
      kept.get(version).catch(function () { kept.delete(version); });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    }
    return kept.get(version);
  }
  function fetchAhead(direction) {
    for (var step = 1; step <= AHEAD; step += 1) {
      var version = at + direction * step;
      if (version >= 1 && version <= last) pieces(version);
    }
    if (at - direction >= 1 && at - direction <= last) pieces(at - direction);
  }

  // Pieces are morphed, not replaced: what a reader has opened, filled in or chosen stays as it is.
  function isFilledIn(field) {
    if (field.tagName === "SELECT") return Array.from(field.options).some(function (option) { return option.selected !== option.defaultSelected; });
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }
  var MORPH = {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: function (node, news) {
        var isKept = /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName) && (node === document.activeElement || isFilledIn(node));
        return !isKept && !node.isEqualNode(news);
      },
      beforeAttributeUpdated: function (name, node) { return !(name === "open" && node.tagName === "DETAILS"); }
    }
  };
  function show(version, html) {
    var direction = version < at ? -1 : 1, made = new DOMParser().parseFromString(html, "text/html");
    var before = Math.abs(version - at) === 1 ? parts() : new Map();
    at = version;
    made.querySelectorAll("[hx-swap-oob]").forEach(function (piece) {
      var place = document.getElementById(piece.id);
      if (place) window.Idiomorph.morph(place, piece.innerHTML, MORPH);
    });
    root.dataset.at = version;
    mark(before);
    follow();
    history.replaceState(null, "", address(version));
    document.dispatchEvent(new CustomEvent("esporles:replay", { detail: { at: version, eyes: eyes } }));
    fetchAhead(direction);
  }

  // The parts of the board that an entry has changed are marked until the next one is shown.
  function parts() {
    var found = new Map();
    root.querySelectorAll(".field [data-part]").forEach(function (part) { found.set(part.dataset.part, part.innerHTML); });
    return found;
  }
  function mark(before) {
    root.querySelectorAll(".field .changed").forEach(function (part) { part.classList.remove("changed"); });
    root.querySelectorAll(".field [data-part]").forEach(function (part) {
      var was = before.get(part.dataset.part);
      if (was !== undefined && was !== part.innerHTML) part.classList.add("changed");
    });
  }

  // What stands beside the pieces and shows the same place: slider, list of phases, chart, hidden fields.
  function follow() {
    say(at);
    slider.value = at;
    root.querySelectorAll("form input[type=hidden][name=at]").forEach(function (field) { field.value = at; });
    // Whoever changes the language or signs in comes back to the entry that is shown.
    document.querySelectorAll(".top input[type=hidden][name=back]").forEach(function (field) { field.value = address(at); });
    document.querySelectorAll("a[href^='/sign-in?back=']").forEach(function (link) { link.href = "/sign-in?back=" + encodeURIComponent(address(at)); });
    for (var index = jump.options.length - 1; index >= 0; index -= 1) {
      if (Number(jump.options[index].value) <= at || index === 0) { jump.selectedIndex = index; break; }
    }
    if (cursor) {
      var left = Number(chart.dataset.left), right = Number(chart.dataset.right);
      var part = (Math.max(at, first) - first) / Math.max(1, last - first);
      cursor.setAttribute("transform", "translate(" + (left + part * (right - left)).toFixed(1) + ")");
    }
    var now = document.querySelector("#replay-told .now"), list = now && now.parentElement;
    // In the middle, or from its beginning where it is longer than the list.
    // Where it begins is told in whole pixels: one more, so that nothing of it is cut.
    if (list) list.scrollTop = now.offsetTop - 1 - Math.max(0, list.clientHeight - now.clientHeight) / 2;
  }
  function say(version) { slider.setAttribute("aria-valuetext", slider.dataset.words.replace("{version}", version).replace("{last}", last)); }

  function go(version) {
    version = Math.min(last, Math.max(1, version));
    if (version === wanted && version === at) return Promise.resolve();
    wanted = version;
    return pieces(version).then(function (html) {
      // Whoever steps quickly is shown the last entry asked for.
      if (version === wanted && version !== at) show(version, html);
    }, function () { location.assign(address(version)); });
  }
  function part(direction) {
    var starts = Array.from(jump.options, function (option) { return Number(option.value); });
    if (direction > 0) return starts.find(function (start) { return start > wanted; }) || last;
    return starts.reverse().find(function (start) { return start < wanted; }) || 1;
  }

  // Playing: one entry after the other, each shown before the next is asked for.
  function rest() {
    clearTimeout(timer);
    timer = 0;
    word.textContent = play.dataset.playWord;
    root.classList.remove("playing");
    root.querySelector(".replay-now").removeAttribute("aria-live");
  }
  function tick() {
    if (wanted >= last) { rest(); return; }
    timer = setTimeout(function () { go(wanted + 1).then(function () { if (timer) tick(); }); }, 1000 / Number(speed.value));
  }
  function start() {
    if (wanted >= last) go(first);
    word.textContent = play.dataset.pauseWord;
    root.classList.add("playing");
    root.querySelector(".replay-now").setAttribute("aria-live", "off");
    tick();
  }
  function toggle() { if (timer) rest(); else start(); }

  root.addEventListener("click", function (event) {
    var link = event.target.closest("[data-to]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      if (timer) rest();
      go(Number(link.dataset.to));
      return;
    }
    var copied = event.target.closest("[data-link]");
    if (copied && navigator.clipboard && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      navigator.clipboard.writeText(copied.href).then(function () {
        var words = copied.textContent;
        copied.textContent = copied.dataset.copied;
        setTimeout(function () { copied.textContent = words; }, 1500);
      }, function () { location.assign(copied.href); });
    }
  });
  play.addEventListener("click", toggle);
  slider.addEventListener("input", function () { say(slider.value); if (timer) rest(); go(Number(slider.value)); });
  jump.addEventListener("change", function () { if (timer) rest(); go(Number(jump.value)); });
  root.querySelector("select[data-eyes]").addEventListener("change", function (event) { event.target.form.submit(); });
  if (chart) {
    chart.addEventListener("click", function (event) {
      var box = chart.getBoundingClientRect(), scale = chart.viewBox.baseVal.width / box.width;
      var left = Number(chart.dataset.left), right = Number(chart.dataset.right);
      var part = ((event.clientX - box.left) * scale - left) / (right - left);
      go(Math.round(first + Math.min(1, Math.max(0, part)) * (last - first)));
    });
  }
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, [contenteditable]")) return;
    var steps = { ArrowLeft: event.shiftKey ? part(-1) : wanted - 1, ArrowRight: event.shiftKey ? part(1) : wanted + 1, Home: first, End: last };
    if (event.key in steps) {
      if (event.target.closest("[tabindex], .scroll") && !root.contains(event.target)) return;
      event.preventDefault();
      if (timer) rest();
      go(wanted <= first && event.key === "Home" ? 1 : steps[event.key]);
    } else if (event.key === " " && !event.target.closest("button, summary, a")) {
      event.preventDefault();
      toggle();
    }
  });

  // A match that is still being played grows while it is read: the newest entry can be reached without a reload.
  if (root.dataset.entries && window.EventSource) {
    var entries = new EventSource(root.dataset.entries + "?after=" + last), growing = 0;
    entries.addEventListener("entry", function (event) {
      last = Number(event.lastEventId);
      slider.max = last;
      clearTimeout(growing);
      growing = setTimeout(grow, 300);
    });
    // Whoever has stepped on meanwhile is not shown the place they left.
    var grow = function () {
      var seen = at;
      kept.clear();
      pieces(seen).then(function (html) { if (at === seen) show(seen, html); else grow(); }, function () { /* The next entry brings it. */ });
    };
  }

  root.classList.add("scripted");
  root.querySelectorAll("[hidden]").forEach(function (element) { element.hidden = false; });
  follow();
  fetchAhead(1);
})();
