// Shows where it is my turn: a menu in the header, a number in the title of the tab, a mark on the icon.
(function () {
  "use strict";
  var place = document.getElementById("turns"), icon = document.querySelector("link[rel=icon]");
  var title = document.title, still = icon.getAttribute("href"), EVERY = 30000, SOON = 700, timer = 0, asking = false, last = null;
  if (!place) return;

  var shown = null;
  function show(count) {
    if (shown !== null && count > shown) document.dispatchEvent(new Event("esporles:turn"));
    shown = count;
    document.title = count ? "(" + count + ") " + title : title;
    var wanted = count ? "/static/esporles-turn.svg" : still;
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  }
  // The table on this page knows first; the read models behind the list follow a moment later.
  function here() { return document.querySelector("#actions .your-turn:not([inert] *)") ? 1 : 0; }
  function count() {
    var menu = place.querySelector("[data-count]");
    show((menu ? Number(menu.dataset.count) : 0) + here());
  }
  // The menu leads to other tables, so the one on this page is left out.
  function leaveOut() {
    var menu = place.querySelector("[data-count]"), table = document.querySelector(".table[data-stream^='/tables/']");
    var own = menu && table && menu.querySelector('a[href="' + table.dataset.stream.split("/stream")[0] + '"]');
    if (!own) return;
    var others = Number(menu.dataset.count) - 1;
    if (!others) { place.replaceChildren(); return; }
    own.remove();
    menu.dataset.count = others;
    menu.querySelector(".count").textContent = others;
  }
  function ask() {
    clearTimeout(timer);
    timer = setTimeout(ask, EVERY);
    if (asking) return;
    asking = true;
    fetch("/turns", { credentials: "same-origin" }).then(function (answer) { return answer.ok ? answer.text() : null; }).then(function (html) {
      asking = false;
      if (html === null) return;
      var isOpen = Boolean(place.querySelector("details[open]"));
      // Keep unchanged content, or screen readers would announce it again.
      if (html !== last && !isOpen) { last = html; place.innerHTML = html; leaveOut(); }
      count();
    }, function () { asking = false; });
  }
  // Ask only when it becomes or stops being my turn here, once the read models know. Asking at every change would make
  // every spectator ask at every entry.
  var was = here();
  function changed() {
    count();
    if (here() === was) return;
    was = here();
    clearTimeout(timer);
    timer = setTimeout(ask, SOON);
  }
  document.addEventListener("esporles:changed", changed);
  document.addEventListener("visibilitychange", function () { if (!document.hidden) ask(); });
  ask();
})();
