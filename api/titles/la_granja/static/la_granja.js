// The farms of the others: folded on a narrow screen, open where there is room. What a reader folds stays folded.
(function () {
  "use strict";
  var wide = matchMedia("(min-width: 64rem)"), known = new WeakSet();
  function farms() { return Array.from(document.querySelectorAll(".lg-farms details")); }
  function open(some) {
    some.forEach(function (farm) { known.add(farm); if (wide.matches) farm.open = true; });
  }
  // A match that begins while its table is looked at brings its farms with it.
  document.addEventListener("esporles:changed", function () { open(farms().filter(function (farm) { return !known.has(farm); })); });
  wide.addEventListener("change", function () { open(farms()); });
  open(farms());

  // The ways to the parts of the table show where something can be chosen. A style sheet could ask what a part has inside,
  // but then the browser asks it again for every mark.
  function dots() {
    document.querySelectorAll(".lg-ways [data-within]").forEach(function (way) {
      way.classList.toggle("has-legal", Boolean(document.querySelector(way.dataset.within + " .legal")));
    });
  }
  document.addEventListener("esporles:marked", dots);
  dots();
})();
