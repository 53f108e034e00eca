// Presence: a mark at the seat of each person online, the list of spectators, and in the chat who is typing.
(function () {
  "use strict";
  var table = document.querySelector(".table"), watchers = document.getElementById("watchers"), typing = document.querySelector(".talk-typing");
  if (!table) return;
  var told = null;
  function show() {
    if (!told) return;
    document.querySelectorAll("#seats .presence").forEach(function (mark) {
      var standing = told.seats[mark.dataset.seat] || "", words = standing ? table.dataset[standing] : "";
      mark.hidden = !standing;
      mark.className = "presence " + standing;
      if (mark.textContent !== words) mark.textContent = mark.title = words;
    });
    if (watchers) { watchers.hidden = !told.watching; if (watchers.textContent !== told.watching) watchers.textContent = told.watching; }
    if (typing) {
      var own = typing.closest("[data-seat-own]"), words = Object.keys(told.typing).filter(function (seat) { return !own || seat !== own.dataset.seatOwn; }).map(function (seat) { return told.typing[seat]; }).join(" · ");
      typing.hidden = !words;
      if (typing.textContent !== words) typing.textContent = words;
    }
  }
  document.addEventListener("esporles:presence", function (event) { told = event.detail; show(); });
  document.addEventListener("esporles:changed", show);

  // Signal typing at most every four seconds, without the text.
  var AGAIN = 4000, said = 0, words = document.querySelector("#talk textarea[name=words]");
  if (typing && words) words.addEventListener("input", function () {
    if (!words.value.trim() || Date.now() - said < AGAIN) return;
    said = Date.now();
    var form = new FormData();
    form.set("_csrf_token", words.form.elements._csrf_token.value);
    fetch(typing.dataset.typingAt, { method: "POST", body: new URLSearchParams(form) }).catch(function () {});
  });
})();
