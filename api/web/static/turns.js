// Where it is my turn: a menu in the head of every page, a number before the title of the tab, a mark on its icon.
(function () {
  "use strict";
  var place = document.getElementById("turns"), icon = document.querySelector("link[rel=icon]");
  var title = document.title, still = icon.getAttribute("href"), EVERY = 20000, SOON = 700, timer = 0, asking = false;
  if (!place) return;

  function show(count) {
    document.title = count ? "(" + count + ") " + title : title;
    var wanted = count ? "/static/esporles-turn.svg" : still;
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  }
  // The table on this page knows first; the read models behind the list follow a moment later.
  function here() { return document.querySelector("#actions .your-turn:not([inert] *)") ? 1 : 0; }
  function count() {
    var menu = place.querySelector("[data-count]"), table = document.querySelector(".table[data-stream^='/tables/']");
    var listed = menu ? Number(menu.dataset.count) : 0;
    if (table && menu) {
      var own = table.dataset.stream.split("/stream")[0];
      if (menu.querySelector('a[href="' + own + '"]')) listed -= 1;
    }
    show(listed + here());
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
      if (place.innerHTML !== html && !isOpen) place.innerHTML = html;
      count();
    }, function () { asking = false; });
  }
  // What is in the middle of changing is asked for when it rests.
  function soon() { count(); clearTimeout(timer); timer = setTimeout(ask, SOON); }
  document.addEventListener("esporles:changed", soon);
  document.addEventListener("visibilitychange", function () { if (!document.hidden) ask(); });
  ask();
})();
