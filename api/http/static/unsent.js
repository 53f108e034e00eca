// A press without a connection: the reader can wait, so that it is sent after reconnecting, or drop it.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream]"), box = document.getElementById("unsent");
  if (!table || !box) return;
  var told = box.querySelector("[data-told-words]"), wait = box.querySelector("[data-wait]"), wanted = null, isWaiting = false;
  function isLost() { return !navigator.onLine || table.classList.contains("lost"); }
  function isOurs(form) { return form.matches("#actions form[hx-post]:not([hidden])"); }
  function remember(form, button) {
    var words = button && (button.querySelector(".words") || button);
    wanted = { action: form.getAttribute("action"), value: button ? button.value : "", words: words ? words.textContent.trim() : "" };
  }
  function ask() {
    isWaiting = false;
    told.textContent = box.dataset.asks.replace("{action}", wanted.words);
    wait.hidden = false;
    if (!box.open) box.show();
    wait.focus();
  }
  function drop() {
    wanted = null;
    isWaiting = false;
    if (box.open) box.close();
  }
  document.addEventListener("submit", function (event) {
    if (!isOurs(event.target)) return;
    var before = wanted;
    remember(event.target, event.submitter);
    if (!isLost()) { if (before && box.open) box.close(); return; }
    event.preventDefault();
    event.stopPropagation();
    ask();
  }, true);
  // The request was lost: whether the server received it is unknown. Sending the same action twice performs it once.
  document.addEventListener("htmx:sendError", function (event) {
    if (event.detail.elt && isOurs(event.detail.elt) && wanted) ask();
  });
  function send() {
    if (!isWaiting || !wanted || isLost()) return;
    var sent = wanted, button = Array.from(document.querySelectorAll("#actions form[hx-post] button")).find(function (each) {
      return each.value === sent.value && each.form.getAttribute("action") === sent.action;
    });
    drop();
    if (button) { button.form.requestSubmit(button); return; }
    told.textContent = box.dataset.gone.replace("{action}", sent.words);
    wait.hidden = true;
    box.show();
  }
  wait.addEventListener("click", function () {
    isWaiting = true;
    wait.hidden = true;
    told.textContent = box.dataset.waits.replace("{action}", wanted.words);
    box.querySelector("[data-drop]").focus();
    send();
  });
  box.querySelector("[data-drop]").addEventListener("click", drop);
  box.addEventListener("close", function () { if (!isWaiting) wanted = null; });
  // The stream is back: its changes are shown first, then the action is sent.
  document.addEventListener("esporles:found", function () { setTimeout(send, 400); });
})();
