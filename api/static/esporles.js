// What the pages need beside htmx: keys for the action buttons, the reader's share of luck, and no step backwards in time.
(function () {
  "use strict";

  // Keys 1 to 9 press the buttons that show them.
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    var button = /^[1-9]$/.test(event.key) && document.querySelector('[data-key="' + event.key + '"]');
    if (button) { event.preventDefault(); button.click(); }
  });

  // A page changes by its stream alone, so nothing older ever follows something newer. Between a click and the event
  // that shows what came of it the buttons rest; if the stream is silent, the page is loaded again.
  var awaited = 0, silence = 0, acting = false;
  function actions() { return document.getElementById("actions"); }
  function rest() {
    // What it waits for is known when the answer names the new version; an earlier event must not wake the buttons.
    awaited = 0;
    acting = acting || actions().contains(document.activeElement);
    actions().inert = true;
  }
  function wake() {
    clearTimeout(silence);
    actions().inert = false;
    var first = acting && actions().querySelector("button"), side = document.querySelector(".side");
    acting = false;
    if (side) side.scrollTop = 0;
    if (first) first.focus({ preventScroll: true });
  }
  function answered(xhr) {
    if (xhr.status !== 204) { wake(); return; }
    document.getElementById("notice").textContent = "";
    awaited = Number((xhr.getResponseHeader("ETag") || "0").replace(/"/g, ""));
    if (Number(document.querySelector(".table").dataset.version) >= awaited) wake();
    else silence = setTimeout(function () { location.reload(); }, 4000);
  }
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (!actions()) return;
    rest();
    // The request is asked, not the document: the stream may have replaced the form before its answer comes.
    var xhr = event.detail.xhr;
    xhr.addEventListener("loadend", function () { answered(xhr); });
  });
  document.addEventListener("htmx:sseMessage", function (event) {
    var shown = document.querySelector(".table[data-version]");
    if (!shown) return;
    shown.dataset.version = event.detail.lastEventId;
    if (actions().inert && awaited && Number(event.detail.lastEventId) >= awaited) wake();
    openShareAtOnce();
  });

  // Whoever plays by keyboard stays at the buttons when they are replaced.
  document.addEventListener("htmx:oobBeforeSwap", function (event) {
    if (event.detail.target.id === "actions" && event.detail.target.contains(document.activeElement)) acting = true;
  });
  document.addEventListener("htmx:oobAfterSwap", function (event) {
    if (event.detail.target.id === "actions" && acting && !event.detail.target.inert) wake();
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
  function openShareAtOnce() {
    var form = document.querySelector("form[data-reveal][data-at-once]");
    if (form && sessionStorage.getItem("luck/" + form.dataset.commitment)) form.requestSubmit();
  }
  document.addEventListener("DOMContentLoaded", openShareAtOnce);
})();
