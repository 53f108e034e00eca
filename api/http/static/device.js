// A table on one device. Between turns the page shows only public information; a press on "I am NAME" switches the
// stream to that seat. When the seat has acted, the page is reloaded, so that nothing private is left in it.
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
  // The browser may keep this page for its back button, so remove everything from it.
  addEventListener("pagehide", function () { document.body.replaceChildren(); });
  addEventListener("pageshow", function (event) { if (event.persisted) location.replace(location.pathname); });
  look();
})();
