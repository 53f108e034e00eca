// After a match: rating changes, the rematch and the study are shown beside the result, and fetched again while
// something is pending. A link is shared with the device's share dialog, or copied.
(function () {
  "use strict";
  var WAITS = [800, 1500, 3000, 5000], tries = 0, timer = 0, asking = false;
  function place() { return document.querySelector("[data-after]"); }
  function later() {
    clearTimeout(timer);
    timer = setTimeout(ask, WAITS[Math.min(tries++, WAITS.length - 1)]);
  }
  function ask() {
    var at = place();
    if (!at || asking) return;
    if (document.hidden) { later(); return; }
    asking = true;
    fetch(at.dataset.after, { credentials: "same-origin" }).then(function (answer) { return answer.ok ? answer.text() : ""; }).then(function (html) {
      asking = false;
      at = place();
      if (!at || !html) return;
      if (at.dataset.html !== html.length + html.slice(-200)) {
        var open = at.contains(document.activeElement) && document.activeElement.name;
        at.innerHTML = html;
        at.dataset.html = html.length + html.slice(-200);
        document.dispatchEvent(new CustomEvent("esporles:changed", { detail: { parts: [] } }));
        var again = open && at.querySelector('[name="' + open + '"]');
        if (again) again.focus();
      }
      if (at.querySelector("[data-pending]")) later();
    }, function () { asking = false; later(); });
  }
  function look() { var at = place(); if (at && !at.firstElementChild) ask(); }
  document.addEventListener("esporles:changed", look);
  document.addEventListener("visibilitychange", function () { if (!document.hidden && place() && place().querySelector("[data-pending]")) ask(); });
  look();

  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-share]");
    if (!button) return;
    var url = new URL(button.dataset.share, location.href).href;
    if (navigator.share) { navigator.share({ title: button.dataset.shareTitle, url: url }).catch(function () { /* They thought better of it. */ }); return; }
    if (!navigator.clipboard) { prompt("", url); return; }
    navigator.clipboard.writeText(url).then(function () {
      var words = button.textContent;
      button.textContent = button.dataset.copied;
      setTimeout(function () { button.textContent = words; }, 1500);
    });
  });
})();
