// The farms of others: for players folded, each opened from its line beside the board; for spectators all open where
// there is room. What a reader folds stays folded.
(function () {
  "use strict";
  var wide = matchMedia("(min-width: 64rem)"), known = new WeakSet();
  function farms(where) { return Array.from(document.querySelectorAll(where + " details[id^=lg-farm]")); }
  function open(some) {
    some.forEach(function (farm) { known.add(farm); if (wide.matches) farm.open = true; });
  }
  // A match that begins while its table is looked at brings its farms with it.
  document.addEventListener("esporles:changed", function () { open(farms(".lg-farms:not(.of-others)").filter(function (farm) { return !known.has(farm); })); });
  wide.addEventListener("change", function () { open(farms(".lg-farms:not(.of-others)")); });
  open(farms(".lg-farms:not(.of-others)"));

  // At a desk one farm is looked at over the own one; a press elsewhere, or Escape, puts it back.
  function show(wanted) {
    var home = document.getElementById("lg-own"), own = home && home.getBoundingClientRect();
    if (own) farms(".of-others").forEach(function (farm) {
      farm.open = farm === wanted;
      // Measures of the window, in those of a part that the style sheet may have made smaller.
      var scale = farm.currentCSSZoom || 1;
      farm.style.setProperty("--lg-own-top", Math.min(Math.max(54, own.top), innerHeight - 260) / scale + "px");
      farm.style.setProperty("--lg-own-width", own.width / scale + "px");
    });
  }
  document.addEventListener("click", function (event) {
    if (!wide.matches || !event.target.closest) return;
    var line = event.target.closest(".lg-strip"), farm = line && document.getElementById(line.hash.slice(1));
    // Of spectators every farm is open: the line leads there by itself.
    if (farm && !farm.matches(".of-others details")) farm = null;
    if (farm) event.preventDefault();
    if (farm && farm.open) farm = null;
    if (farm || !event.target.closest(".of-others details, #actions, dialog")) show(farm);
    if (farm) farm.querySelector("summary").focus({ preventScroll: true });
  });
  // Who looks back sees the farm where something was done, as long as it is looked at.
  var unfolded = null;
  document.addEventListener("esporles:looked", function (event) {
    var of = event.detail.moved.map(function (each) { return each.closest(".of-others details"); }).filter(Boolean);
    var farm = of.find(function (each) { return each.id === "lg-farm-" + event.detail.seat; }) || of[0] || null;
    if (wide.matches) show(farm);
    else {
      if (unfolded) unfolded.open = false;
      unfolded = farm && !farm.open ? farm : null;
      if (farm) farm.open = true;
    }
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape" && wide.matches) show(null); });

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
