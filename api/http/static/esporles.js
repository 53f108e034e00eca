// What every page needs besides htmx: switching colours, keyboard shortcuts, and the reader's share of luck.
(function () {
  "use strict";

  // Switch between light and dark without a reload: set the form's cookie, and submit the form in the background.
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (!form.matches("[data-appearance]") || !event.submitter) return;
    event.preventDefault();
    var theme = event.submitter.value, root = document.documentElement;
    var sent = new FormData(form);
    sent.set("theme", theme);
    document.cookie = "theme=" + theme + "; path=/; max-age=31536000; samesite=lax";
    fetch(form.action, { method: "POST", body: new URLSearchParams(sent), redirect: "manual", keepalive: true }).catch(function () { /* The browser has it. */ });
    if (theme === "auto") root.removeAttribute("data-theme"); else root.dataset.theme = theme;
    form.querySelectorAll("button").forEach(function (button) {
      if (button === event.submitter) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
    });
    form.closest("details").open = false;
  });

  // The menus of the header: only one is open, and Escape or a click elsewhere closes it.
  function closeMenus(except) {
    document.querySelectorAll(".tools details[open]").forEach(function (menu) { if (menu !== except) menu.open = false; });
  }
  document.addEventListener("click", function (event) { closeMenus(event.target.closest(".tools details")); });

  // An embedded match lacks some parts of the page: a link to one of them leads to the full table.
  document.addEventListener("click", function (event) {
    var link = event.target.closest('[data-whole] a[href^="#"]');
    if (!link || document.getElementById(link.hash.slice(1))) return;
    event.preventDefault();
    location.assign(link.closest("[data-whole]").dataset.whole + link.hash);
  });

  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") {
      // Return the focus to the menu's button, because hiding the menu would lose it.
      var menu = event.target.closest(".tools details[open]");
      closeMenus(null);
      if (menu) menu.querySelector("summary").focus();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (document.querySelector("dialog[open]")) return;
    // The digit keys press the buttons that show them.
    var button = /^[0-9]$/.test(event.key) && document.querySelector('[data-key="' + event.key + '"]');
    if (button) { event.preventDefault(); button.click(); }
  });

  // Creating a table: hide the seats beyond the number of players.
  function showSeats(form) {
    var seats = Number(form.elements.seats.value);
    form.querySelectorAll("[data-seat]").forEach(function (seat) { seat.hidden = Number(seat.dataset.seat) >= seats; });
  }
  document.querySelectorAll("form[data-seats]").forEach(function (form) {
    showSeats(form);
    form.elements.seats.addEventListener("change", function () { showSeats(form); });
    // A rated table needs a clock: disable the option without one.
    var rated = form.elements.rated, clock = form.elements.clock;
    if (!rated || !clock) { return; }
    function offerClocks() {
      Array.from(clock.options).forEach(function (option) { option.disabled = option.value === "none" && rated.checked; });
      if (rated.checked && clock.value === "none") { clock.value = "match-1500-30"; }
    }
    rated.addEventListener("change", offerClocks);
    offerClocks();
  });

  // The share of luck: 32 random bytes from this browser. It is committed to once the table is known, for this match,
  // seat and player only (docs/specifications/chance.md), and revealed when all shares are fixed.
  function hex(bytes) { return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join(""); }
  function random() { return crypto.getRandomValues(new Uint8Array(32)); }
  function makeShare(place) {
    var share = random(), salt = random(), text = new TextEncoder();
    var match = place.match.replaceAll("-", "").match(/../g).map(function (digits) { return parseInt(digits, 16); });
    var parts = [text.encode("esporles.share/2\0"), match, [0, 0, 0, Number(place.seat)], salt, share, text.encode(place.actor)];
    var sealed = new Uint8Array(parts.flatMap(function (part) { return Array.from(part); }));
    return crypto.subtle.digest("SHA-256", sealed).then(function (digest) {
      return { share: hex(share), salt: hex(salt), commitment: hex(new Uint8Array(digest)) };
    });
  }
  // Keep the share until nobody can need it: a lost reveal is sent again.
  var KEPT_MS = 90 * 24 * 3600 * 1000;
  function keep(made) {
    Object.keys(localStorage).filter(function (key) { return key.startsWith("luck/"); }).forEach(function (key) {
      if (!(JSON.parse(localStorage.getItem(key)).at > Date.now() - KEPT_MS)) localStorage.removeItem(key);
    });
    localStorage.setItem("luck/" + made.commitment, JSON.stringify(Object.assign({ at: Date.now() }, made)));
  }
  function kept(commitment) { return JSON.parse(localStorage.getItem("luck/" + commitment) || "null"); }
  var canShare = window.crypto && crypto.subtle;
  document.addEventListener("submit", function (event) {
    if (event.target.matches("[data-luck]") && event.target.elements.ownLuck) event.target.elements.ownLuck.value = String(Boolean(canShare));
  }, true);
  // Commit once each time a table waits for a share, however often the form is redrawn; again if the request was lost.
  var committed = {};
  function timeOf(place) { return [place.match, place.seat, place.actor, place.round].join("/"); }
  document.addEventListener("htmx:afterRequest", function (event) {
    var form = event.target;
    if (!form.matches("form[data-commit]") || event.detail.successful) return;
    delete committed[timeOf(form.dataset)];
    var plain = document.querySelector("form[data-without-share]");
    if (plain) plain.hidden = false;
  });
  function commitAtOnce() {
    var form = document.querySelector("form[data-commit]"), plain = document.querySelector("form[data-without-share]");
    if (!form || !canShare) return;
    if (plain) plain.hidden = true;
    var place = form.dataset, time = timeOf(place);
    if (committed[time]) return;
    committed[time] = true;
    // The same request registers this browser's key if the seat does not know it yet.
    var own = document.querySelector("[data-signing]"), known = own && own.dataset.keys ? own.dataset.keys.split(" ") : [];
    var key = window.esporlesKeys && own ? window.esporlesKeys.keyOf(place.actor).then(function (made) { return made ? made.key : ""; }) : Promise.resolve("");
    Promise.all([makeShare(place), key]).then(function (both) {
      var made = both[0], isNew = both[1] && !known.includes(both[1]);
      keep(made);
      form = document.querySelector("form[data-commit]");
      if (!form) return;
      form.elements.commitment.value = made.commitment;
      if (isNew) form.elements.key.value = both[1];
      form.requestSubmit();
    });
  }
  // In the capture phase, because htmx listens at the form itself.
  document.addEventListener("submit", function (event) {
    if (!event.target.matches("[data-reveal]")) return;
    var commitment = event.target.dataset.commitment, made = kept(commitment);
    if (!made) return;
    event.target.elements.share.value = made.share;
    event.target.elements.salt.value = made.salt;
  }, true);
  // Once, however often the page changes before the answer; again if the request was lost.
  var opened = {};
  document.addEventListener("htmx:afterRequest", function (event) {
    if (event.target.matches("form[data-reveal]") && !event.detail.successful) delete opened[event.target.dataset.commitment];
  });
  function openShareAtOnce() {
    var form = document.querySelector("form[data-reveal][data-at-once]");
    if (!form || opened[form.dataset.commitment] || !kept(form.dataset.commitment)) return;
    opened[form.dataset.commitment] = true;
    form.requestSubmit();
  }
  function shareAtOnce() { commitAtOnce(); openShareAtOnce(); }
  document.addEventListener("DOMContentLoaded", shareAtOnce);
  document.addEventListener("esporles:changed", shareAtOnce);

  // Compare the signed tree of this server with the last one that this browser saw, at most once an hour.
  var HISTORY_MS = 3600 * 1000, QUIET_MS = 3000;
  function compareHistory() {
    var at = Number(localStorage.getItem("checkpoint/checked"));
    if (!localStorage.getItem("checkpoint/contradiction") && Date.now() - at < HISTORY_MS) return;
    import("/static/checkpoints.js").catch(function () { /* The next page tries again. */ });
  }
  if (!document.getElementById("history")) setTimeout(function () {
    (window.requestIdleCallback || setTimeout)(compareHistory);
  }, QUIET_MS);
})();
