// The page of preferences: a choice is previewed at once and saved with the form.
(function () {
  "use strict";
  var form = document.querySelector("[data-preferences]"), root = document.documentElement;
  var USUAL = { theme: "auto", motion: "auto", sound: "off", confirm: "ask", clicks: "one", colours: "usual", patterns: "off", density: "usual", numbers: "off", hours: "usual" };
  form.addEventListener("change", function (event) {
    var name = event.target.name, value = event.target.value;
    if (!(name in USUAL)) return;
    if (value === USUAL[name]) root.removeAttribute("data-" + name); else root.setAttribute("data-" + name, value);
  });
  if (window.AudioContext) form.querySelector("[data-with-sounds]").hidden = false;
})();
