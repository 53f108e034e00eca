// Quick pairing: shows the waiting time, and opens the table once there is one.
(function () {
  "use strict";
  function two(number) { return String(number).padStart(2, "0"); }
  function tick() {
    document.querySelectorAll("[data-since]").forEach(function (clock) {
      var seconds = Math.max(0, Math.floor((Date.now() - Number(clock.dataset.since)) / 1000));
      clock.textContent = Math.floor(seconds / 60) + ":" + two(seconds % 60);
    });
  }
  // Open each table only once: a player who returns to the lobby wants to stay there.
  function go() {
    var place = document.querySelector("[data-go]");
    if (!place || went(place.dataset.go)) return;
    location.assign(place.dataset.go);
  }
  function went(path) {
    try {
      if (sessionStorage.getItem("went") === path) return true;
      sessionStorage.setItem("went", path);
    } catch (_) { return true; }
    return false;
  }
  document.addEventListener("esporles:changed", function () { tick(); go(); });
  setInterval(tick, 500);
  tick();
  go();
})();
