// The farms of the others: folded on a narrow screen, open where there is room. What a reader folds stays folded.
(function () {
  "use strict";
  var wide = matchMedia("(min-width: 64rem)");
  function open() {
    if (wide.matches) document.querySelectorAll(".lg-farms details").forEach(function (farm) { farm.open = true; });
  }
  wide.addEventListener("change", open);
  open();
})();
