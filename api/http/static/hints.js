// Hints: the panel is fetched for every version of the table, and again while a worker is computing. The choices it
// names are marked among the buttons.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream]"), AGAIN = 300, seen = "", told = "", turn = 0, timer = 0;
  if (!table) return;
  function place() { return document.getElementById("hint"); }

  function mark() {
    var here = place(), places = new Map();
    if (here) here.querySelectorAll("[data-hinted]").forEach(function (line, index) { places.set(line.dataset.hinted, index + 1); });
    document.querySelectorAll("#choices button[name=action]").forEach(function (button) {
      if (places.has(button.value)) button.dataset.place = places.get(button.value); else delete button.dataset.place;
    });
    // Scroll the best choice into view when it is first named, unless the panel shows a warning about a blunder.
    var names = Array.from(places.keys()).join(), best = document.querySelector("#choices button[data-place='1']");
    if (names && names !== told && best && !here.querySelector(".notice")) best.scrollIntoView({ block: "nearest" });
    told = names;
    table.toggleAttribute("data-advised", Boolean(names));
  }
  // Ignore answers to older requests.
  function ask() {
    var here = place(), mine = turn += 1;
    clearTimeout(timer);
    if (!here) return;
    seen = table.dataset.version;
    fetch(here.dataset.hint, { headers: { "HX-Request": "true" } }).then(function (answer) { return answer.ok ? answer.text() : ""; }, function () { return ""; }).then(function (html) {
      if (mine !== turn || !place() || !html) return;
      place().innerHTML = html;
      if (window.htmx) htmx.process(place());
      settle();
    });
  }
  function settle() {
    var here = place(), state = here && here.querySelector("[data-hint-state]");
    mark();
    clearTimeout(timer);
    if (state && state.dataset.hintState === "waiting") timer = setTimeout(ask, AGAIN);
  }
  // The page stores the version it shows only after its pieces are drawn.
  function look() {
    var here = place();
    if (here && (seen !== table.dataset.version || !here.firstElementChild)) ask(); else mark();
  }
  document.addEventListener("esporles:changed", function () { setTimeout(look); });
  document.addEventListener("htmx:afterSwap", function (event) { if (event.detail.target && event.detail.target.id === "hint") { turn += 1; settle(); } });
  ask();
})();
