// Players who return to a table after a minute or more are shown what has happened since.
(function () {
  "use strict";

  var table = document.querySelector(".table[data-stream]"), AWAY_MS = 60000, STILL_MS = 10000;
  if (!table) return;
  var KEPT = "left", TABLES_MAX = 20, gone = null, since = 0;
  // The time and version of the reader's last visit to each table, for the most recent tables.
  function tables() { return JSON.parse(localStorage.getItem(KEPT) || "{}"); }
  function leave() {
    var known = tables(), left = { at: Date.now(), version: Number(table.dataset.version) };
    known[location.pathname] = left;
    var newest = Object.entries(known).sort(function (one, other) { return other[1].at - one[1].at; }).slice(0, TABLES_MAX);
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(newest)));
    return left;
  }
  function tell() {
    if (gone && Date.now() - since < STILL_MS) document.dispatchEvent(new CustomEvent("esporles:returned", { detail: gone }));
    else gone = null;
  }
  // The stream may deliver the news a moment after the reader's return.
  function comes(left) {
    if (!left || Date.now() - left.at < AWAY_MS) return;
    gone = left;
    since = Date.now();
    tell();
  }
  document.addEventListener("esporles:changed", function (event) {
    if (gone && event.detail && event.detail.parts && event.detail.parts.includes("narration")) tell();
  });
  document.addEventListener("pointerdown", function () { gone = null; }, true);
  document.addEventListener("keydown", function () { gone = null; }, true);

  var left = null;
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) left = leave(); else { comes(left); left = null; }
  });
  addEventListener("pagehide", leave);
  comes(tables()[location.pathname]);
})();
