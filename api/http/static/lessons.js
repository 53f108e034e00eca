// The guide of a lesson highlights the parts of the board that the current step names.
(function () {
  "use strict";
  var actions = document.getElementById("actions");
  if (!actions || !actions.querySelector(".guide")) return;
  function point() {
    var guide = actions.querySelector(".guide"), parts = guide ? guide.dataset.points.split(" ") : [];
    document.querySelectorAll(".pointed-out").forEach(function (part) { part.classList.remove("pointed-out"); });
    parts.forEach(function (name) {
      if (!name) return;
      document.querySelectorAll('[data-part="' + CSS.escape(name) + '"]').forEach(function (part) { part.classList.add("pointed-out"); });
    });
  }
  document.addEventListener("esporles:changed", point);
  document.addEventListener("esporles:marked", point);
  point();
})();
