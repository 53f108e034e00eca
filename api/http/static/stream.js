// Live updates of a page. Its pieces change only by its stream, so that an older state never follows a newer one. A
// lost connection is shown, and resumed with the state that the page has.
(function () {
  "use strict";
  var table = document.querySelector("[data-stream]");
  if (!table) return;
  var have = table.dataset.have, ahead = Number(table.dataset.now || Date.now()) - Date.now();
  var source = null, retry = 0, tries = 0, heard = Date.now(), isLost = false, grace = 0;
  var SILENCE = 25000, RETRIES = [250, 500, 1000, 2000, 4000, 8000];
  var connection = document.getElementById("connection"), announcer = document.getElementById("announce");

  // Morph the pieces instead of replacing them, so that focus, scroll position and open elements stay.
  var MORPH = {
    morphStyle: "innerHTML",
    callbacks: {
      // Keep the field that has the focus and forms with typed text, but never a button, which could keep an old
      // action. Parts that the page already has arrive empty. Equal nodes are skipped, because the browser compares
      // several times faster than the morph.
      beforeNodeMorphed: function (node, news) {
        return !(news.dataset && "kept" in news.dataset) && !(node.dataset && "typed" in node.dataset) && !(node === document.activeElement && /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName)) && !node.isEqualNode(news);
      },
      beforeAttributeUpdated: function (name, node) {
        return !(name === "open" && /^(DETAILS|DIALOG)$/.test(node.tagName)) && !(name === "inert" && node.id === "actions");
      }
    }
  };
  function apply(parts) {
    var start = performance.now();
    Object.keys(parts).forEach(function (id) {
      var place = document.getElementById(id);
      if (!place) return;
      Idiomorph.morph(place, parts[id], MORPH);
      if (window.htmx && parts[id].includes(" hx-")) htmx.process(place);
    });
    announce();
    tick();
    document.dispatchEvent(new CustomEvent("esporles:changed", { detail: { parts: Object.keys(parts) } }));
    performance.measure("esporles:apply", { start: start, end: performance.now(), detail: Object.keys(parts) });
  }

  // Draw at most one update per frame; updates that arrive meanwhile are merged into one.
  var FRAME = 100, news = null, drawing = 0;
  function show(latest) {
    if (news) latest.parts = Object.assign(news.parts, latest.parts);
    news = latest;
    if (!drawing || document.hidden) next();
  }
  function next() {
    clearTimeout(drawing);
    drawing = 0;
    if (!news) return;
    var shown = news;
    news = null;
    drawing = setTimeout(next, FRAME);
    apply(shown.parts);
    table.dataset.version = shown.version;
    document.dispatchEvent(new CustomEvent("esporles:shown", { detail: { version: shown.version } }));
    requestAnimationFrame(function () { setTimeout(next); });
  }

  // Announce events to screen readers line by line, with a delay that groups many at once. The prompt is announced
  // once, until the reader has acted.
  document.addEventListener("htmx:beforeRequest", function () { asked = ""; });
  var told = newest(), waiting = 0, asked = "";
  function lines() { return Array.from(document.querySelectorAll("#narration [data-told]")); }
  function newest() { return lines().reduce(function (most, line) { return Math.max(most, Number(line.dataset.told)); }, 0); }
  // The newest sentence is first in a line, as in the log; announce them in chronological order.
  function inOrder(line) { return Array.from(line.querySelectorAll("p"), function (sentence) { return sentence.textContent; }).reverse(); }
  // On a narrow screen the newest line is also shown above the choices.
  function latest() {
    var line = lines()[0], place = document.querySelector("[data-latest]");
    if (place && line) place.textContent = inOrder(line).join(" · ");
  }
  function announce() {
    latest();
    var last = newest();
    if (last < told) told = 0;
    lines().forEach(function (line) { line.classList.toggle("fresh", Number(line.dataset.told) > told); });
    if (last === told || !announcer || waiting) { if (!announcer) told = last; return; }
    var since = told;
    waiting = setTimeout(function () {
      waiting = 0;
      told = newest();
      var happened = lines().filter(function (line) { return Number(line.dataset.told) > since; }).slice(0, 6).reverse();
      var prompt = document.querySelector("#actions .your-turn .prompt"), before = asked;
      asked = prompt ? prompt.textContent : "";
      var sentences = happened.map(function (line) { return inOrder(line).join(" "); });
      sentences.concat(asked && asked !== before ? [asked] : []).forEach(function (words) {
        var sentence = document.createElement("p");
        sentence.textContent = words;
        announcer.append(sentence);
      });
      while (announcer.childElementCount > 12) announcer.firstElementChild.remove();
    }, 400);
    told = last;
  }

  // Clocks show the time left by the entries, or the time until the deadline by the server's clock.
  function two(number) { return String(number).padStart(2, "0"); }
  function spelled(left) {
    var seconds = Math.max(0, Math.ceil(left / 1000)), hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
    return hours ? hours + ":" + two(minutes) + ":" + two(seconds % 60) : minutes + ":" + two(seconds % 60);
  }
  function tick() {
    document.querySelectorAll(".clock[data-deadline]").forEach(function (clock) {
      var left = Number(clock.dataset.deadline) - Date.now() - ahead, words = spelled(left);
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("low", left < 30000);
    });
  }
  setInterval(tick, 250);

  function say(words) { if (connection) { connection.textContent = words; connection.classList.toggle("shown", Boolean(words)); } }
  function lost() {
    if (isLost) return;
    isLost = true;
    table.classList.add("lost");
    if (connection) say(connection.dataset.lost);
  }
  function found() {
    clearTimeout(grace);
    grace = 0; tries = 0; heard = Date.now();
    if (!isLost) return;
    isLost = false;
    table.classList.remove("lost");
    document.dispatchEvent(new Event("esporles:found"));
    if (connection) { say(connection.dataset.found); setTimeout(function () { if (!isLost) say(""); }, 2500); }
  }
  function connect() {
    clearTimeout(retry);
    if (source) source.close();
    var address = new URL(table.dataset.stream, location.href);
    address.searchParams.set("have", have);
    source = new EventSource(address);
    source.addEventListener("open", found);
    source.addEventListener("beat", found);
    source.addEventListener("table", function (event) {
      found();
      have = event.lastEventId.slice(event.lastEventId.indexOf("~") + 1);
      var latest = JSON.parse(event.data);
      ahead = latest.now - Date.now();
      show(latest);
    });
    source.addEventListener("presence", function (event) {
      found();
      document.dispatchEvent(new CustomEvent("esporles:presence", { detail: JSON.parse(event.data) }));
    });
    // The reader has lost access to the page: reloading shows the public part, or the refusal.
    source.addEventListener("closed", function () { source.close(); location.reload(); });
    source.addEventListener("error", function () {
      source.close();
      if (!grace && !isLost) grace = setTimeout(lost, 1000);
      retry = setTimeout(connect, RETRIES[Math.min(tries++, RETRIES.length - 1)]);
    });
  }
  function reconnect() { tries = 0; connect(); }
  addEventListener("offline", function () { if (source) source.close(); lost(); });
  addEventListener("online", reconnect);
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && Date.now() - heard > SILENCE / 2) reconnect();
  });
  setInterval(function () { if (Date.now() - heard > SILENCE && navigator.onLine) { heard = Date.now(); lost(); connect(); } }, 5000);
  addEventListener("pagehide", function () { if (source) source.close(); });
  addEventListener("pageshow", function (event) { if (event.persisted) reconnect(); });
  // A script that changes pieces of the page itself requests everything again.
  document.addEventListener("esporles:resync", function () { have = ""; news = null; reconnect(); });
  // Connect after all scripts are loaded: listeners and htmx must be ready for the first pieces.
  document.addEventListener("DOMContentLoaded", connect);
  latest();
  tick();
})();
