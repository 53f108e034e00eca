// The result of a table, entered by its players. It is kept on the device until the server has answered, and results
// are sent in order. Each has its own key, so that the server stores it only once.
(function () {
  "use strict";
  var place = document.querySelector("[data-claims]");
  if (!place) return;
  var KEPT = "claims", WEEK = 7 * 24 * 3600 * 1000, AGAIN = 5000;
  var said = JSON.parse(place.dataset.refusals), status = document.getElementById("claim-status");
  var unkept = [], isSending = false, timer = 0;

  function queue() { try { return JSON.parse(localStorage.getItem(KEPT) || "[]"); } catch (_) { return unkept; } }
  function keep(entries) { unkept = entries; try { localStorage.setItem(KEPT, JSON.stringify(entries)); } catch (_) { /* This page alone holds them. */ } }
  function key() {
    var bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = bytes[6] & 15 | 64;
    bytes[8] = bytes[8] & 63 | 128;
    return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
  function tell(words, kind) {
    status.hidden = false;
    status.className = "notice " + kind;
    status.textContent = words;
  }

  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (!form.matches("[data-claim]")) return;
    event.preventDefault();
    var fields = new FormData(form);
    function numbers(name) { return fields.getAll(name).filter(function (value) { return value.trim() !== ""; }).map(Number); }
    var body = { entry: fields.get("entry"), code: fields.get("code"), scores: numbers("scores"), places: numbers("places"), sure: fields.has("sure"), key: key() };
    keep(queue().concat([{ to: place.dataset.claims, body: body, at: Date.now() }]));
    tell(place.dataset.sending, "");
    send();
  });

  // Send one at a time: a correction must arrive after what it corrects.
  function send() {
    clearTimeout(timer);
    var entries = queue().filter(function (entry) { return entry.at > Date.now() - WEEK; }), first = entries[0];
    if (isSending || !first) return;
    isSending = true;
    fetch(first.to, { method: "POST", headers: { "Content-Type": "application/json" }, credentials: "omit", cache: "no-store", body: JSON.stringify(first.body) }).then(function (answer) {
      if (answer.status >= 500) throw new Error("later");
      return answer.json().then(function (told) {
        if (answer.status === 429 && told.code !== "tournament/code_locked") throw new Error("later");
        done(first, answer.ok ? null : told);
      });
    }).catch(function () {
      isSending = false;
      tell(place.dataset.kept, "warn");
      timer = setTimeout(send, AGAIN);
    });
  }
  function done(entry, refusal) {
    isSending = false;
    keep(queue().filter(function (other) { return other.body.key !== entry.body.key; }));
    if (refusal) tell(said[refusal.code] || said["tournament/refused"], "bad"); else tell(place.dataset.sent, "good");
    send();
  }
  window.addEventListener("online", send);
  document.addEventListener("visibilitychange", function () { if (!document.hidden) send(); });
  if (queue().length) send();
})();

// Report a photo that is too large before sending it.
document.addEventListener("change", function (event) {
  var input = event.target, file = input.dataset.most && input.files[0];
  if (input.dataset.most) input.setCustomValidity(file && file.size > Number(input.dataset.most) ? input.dataset.tooLarge : "");
  if (file) input.reportValidity();
});
