// A table on one device. While nobody has it the page holds what everybody sees; a press on "I am NAME" makes its stream
// that of the seat. When the seat is asked no more the page is loaded anew, so that nothing of what it knew is left in it.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-held]"), isUncovered = false, isLeaving = false;
  if (!table) return;
  function look() {
    if (document.querySelector("#actions [data-holds]")) { isUncovered = true; return; }
    if (!isUncovered || isLeaving) return;
    isLeaving = true;
    document.body.inert = true;
    location.replace(location.pathname);
  }
  document.addEventListener("esporles:passed", function (event) {
    var address = new URL(table.dataset.stream, location.href);
    address.searchParams.set("held", event.detail.held);
    table.dataset.held = event.detail.held;
    table.dataset.stream = address.pathname + address.search;
    document.dispatchEvent(new Event("esporles:resync"));
  });
  document.addEventListener("esporles:changed", look);
  // A browser may keep a page that is left, to show it again as it was: there is nothing in this one any more.
  addEventListener("pagehide", function () { document.body.replaceChildren(); });
  addEventListener("pageshow", function (event) { if (event.persisted) location.replace(location.pathname); });
  look();
})();
