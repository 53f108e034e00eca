// Shows times in the reader's time zone. The server writes UTC, which stays without this script.
(function () {
  "use strict";

  var root = document.documentElement, made = {};
  var CYCLES = { 12: "h12", 24: "h23" };
  function formatOf(hours) {
    if (!made[hours]) {
      var wanted = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
      if (CYCLES[hours]) wanted.hourCycle = CYCLES[hours];
      made[hours] = new Intl.DateTimeFormat(root.lang === "en" ? "en-GB" : root.lang, wanted);
    }
    return made[hours];
  }
  // HTML shared by many readers contains each time format in an element that names it.
  function hoursOf(time) {
    var way = time.closest(".hours-usual, .hours-12, .hours-24");
    return way ? way.className.slice("hours-".length) : root.dataset.hours || "usual";
  }
  function tell() {
    document.querySelectorAll("time[datetime]:not([title])").forEach(function (time) {
      var at = new Date(time.dateTime);
      if (isNaN(at)) return;
      time.title = time.textContent;
      time.textContent = formatOf(hoursOf(time)).format(at);
    });
  }
  document.addEventListener("DOMContentLoaded", tell);
  document.addEventListener("esporles:changed", tell);
  document.addEventListener("esporles:replay", tell);
  document.addEventListener("htmx:afterSettle", tell);
})();
