// The big screen shows one slide after the other, each up to date: changes arrive by the stream at any time.
(function () {
  "use strict";
  var SHOWN = 9000, at = 0, timer = 0, isStopped = false;
  var button = document.getElementById("screen-pause"), told = document.getElementById("screen-at");
  if (!button) return;
  function slides() { return Array.from(document.querySelectorAll(".slide")); }
  function show() {
    var all = slides();
    if (!all.length) return;
    at %= all.length;
    all.forEach(function (slide, index) { slide.classList.toggle("now", index === at); });
    told.textContent = at + 1 + " / " + all.length;
  }
  function turn(step) { at = (at + step + slides().length) % Math.max(1, slides().length); show(); }
  function go() { clearInterval(timer); if (!isStopped) timer = setInterval(function () { turn(1); }, SHOWN); }
  function stop(wanted) {
    isStopped = wanted;
    button.setAttribute("aria-pressed", String(isStopped));
    button.textContent = isStopped ? button.dataset.go : button.dataset.stop;
    go();
  }
  button.hidden = false;
  button.addEventListener("click", function () { stop(!isStopped); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") { turn(event.key === "ArrowRight" ? 1 : -1); go(); }
    if (event.key === " " && event.target !== button) { event.preventDefault(); stop(!isStopped); }
  });
  document.addEventListener("esporles:changed", show);
  document.body.classList.add("turning");
  show();
  go();
})();
