// What the pages need beside htmx: keys for the action buttons, the reader's share of luck, and no step backwards in time.
(function () {
  "use strict";

  // Keys 1 to 9 press the buttons that show them.
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    var button = /^[1-9]$/.test(event.key) && document.querySelector('[data-key="' + event.key + '"]');
    if (button) { event.preventDefault(); button.click(); }
  });

  // Pages come by two ways, as the answer to a click and by the stream: what is older than what is shown is dropped.
  function table() { return document.querySelector(".table[data-version]"); }
  function isNews(version) {
    var shown = table();
    if (!shown || !version) return true;
    if (version < Number(shown.dataset.version)) return false;
    shown.dataset.version = version;
    return true;
  }
  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    if (!isNews(Number(event.detail.lastEventId))) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", function (event) {
    var tag = event.detail.xhr && event.detail.xhr.getResponseHeader("ETag");
    if (tag && !isNews(Number(tag.replace(/"/g, "")))) event.detail.shouldSwap = false;
    if (event.detail.xhr && event.detail.xhr.status < 400) {
      var notice = document.getElementById("notice");
      if (notice) notice.textContent = "";
    }
  });

  // Whoever plays by keyboard stays at the buttons when they are replaced.
  var acting = false;
  document.addEventListener("htmx:oobBeforeSwap", function (event) {
    if (event.detail.target.id === "actions") acting = event.detail.target.contains(document.activeElement);
  });
  document.addEventListener("htmx:oobAfterSwap", function (event) {
    if (event.detail.target.id !== "actions") return;
    var first = acting && event.detail.target.querySelector("button"), side = document.querySelector(".side");
    if (side) side.scrollTop = 0;
    if (first) first.focus({ preventScroll: true });
  });

  // The share of luck: 32 bytes of this browser's own, committed to before sitting down, shown when ready.
  function hex(bytes) { return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join(""); }
  function makeShare() {
    var share = hex(crypto.getRandomValues(new Uint8Array(32))), salt = crypto.getRandomValues(new Uint8Array(32));
    var text = new TextEncoder().encode('"' + share + '"'), sealed = new Uint8Array(salt.length + text.length);
    sealed.set(salt); sealed.set(text, salt.length);
    return crypto.subtle.digest("SHA-256", sealed).then(function (digest) {
      return { share: share, salt: hex(salt), commitment: hex(new Uint8Array(digest)) };
    });
  }
  document.addEventListener("submit", function (event) {
    var form = event.target, field = form.matches("[data-luck]") && form.elements.commitment;
    if (!field || field.value || !(window.crypto && crypto.subtle)) return;
    event.preventDefault();
    makeShare().then(function (made) {
      sessionStorage.setItem("luck/" + made.commitment, JSON.stringify(made));
      field.value = made.commitment;
    }).finally(function () { form.submit(); });
  });
  document.addEventListener("submit", function (event) {
    if (!event.target.matches("[data-reveal]")) return;
    var made = JSON.parse(sessionStorage.getItem("luck/" + event.target.dataset.commitment) || "null");
    if (made) { event.target.elements.share.value = made.share; event.target.elements.salt.value = made.salt; }
  });
  document.addEventListener("DOMContentLoaded", function () {
    var form = document.querySelector("form[data-reveal][data-at-once]");
    if (form && sessionStorage.getItem("luck/" + form.dataset.commitment)) form.requestSubmit();
  });
})();
