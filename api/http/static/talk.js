// Chat, in a panel beside a table or on its own page: messages appear as they are written, and unread ones are counted.
// The stream is open only while the page is visible, because browsers limit the connections of all pages.
(function () {
  "use strict";
  var RETRIES = [250, 500, 1000, 2000, 4000, 8000];

  function follow(place) {
    var log = place.querySelector(".said"), nobody = place.querySelector(".empty"), lost = place.querySelector(".talk-lost");
    var badge = place.querySelector(".talk-new"), key = "esporles.talk." + place.dataset.room;
    var source = null, retry = 0, tries = 0, isPanel = place.tagName === "DETAILS", wanted = "";

    function read() { try { return localStorage.getItem(key) || ""; } catch (error) { return ""; } }
    function keep(id) { try { if (id) localStorage.setItem(key, id); } catch (error) { /* Nothing is kept, then. */ } }
    function isSeen() { return !document.hidden && (!isPanel || place.open); }
    function lines() { return Array.from(log.children); }
    function count() {
      var all = lines();
      nobody.hidden = all.length > 0;
      if (isSeen()) keep(all.length ? all[all.length - 1].id : "");
      if (!badge) return;
      var last = read(), since = all.findIndex(function (line) { return line.id === last; });
      var fresh = all.slice(since + 1).filter(function (line) { return line.dataset.by !== place.dataset.own && !line.classList.contains("removed"); });
      badge.hidden = isSeen() || !fresh.length;
      badge.textContent = badge.hidden ? "" : badge.dataset.words.replace("{count}", fresh.length);
    }
    function isAtEnd() { return log.scrollTop + log.clientHeight >= log.scrollHeight - 40; }
    function toEnd() { log.scrollTop = log.scrollHeight; }

    function show(said) {
      var follows = isAtEnd(), known = {};
      // Screen readers announce new messages, not the existing ones.
      log.setAttribute("aria-busy", said.whole ? "true" : "false");
      said.lines.forEach(function (line) {
        var made = document.createElement("template");
        made.innerHTML = line.html.trim();
        var fresh = made.content.firstElementChild, old = document.getElementById(fresh.id);
        known[fresh.id] = true;
        if (!old) log.append(fresh);
        else if (!old.isEqualNode(fresh)) old.replaceWith(fresh);
      });
      (said.gone || []).forEach(function (id) { var line = document.getElementById("said-" + id); if (line) line.remove(); });
      if (said.whole) lines().forEach(function (line) { if (!known[line.id]) line.remove(); });
      document.dispatchEvent(new CustomEvent("esporles:said", { detail: { place: place } }));
      if (follows) toEnd();
      count();
      if (said.whole) setTimeout(function () { log.setAttribute("aria-busy", "false"); });
    }

    function connect() {
      clearTimeout(retry);
      if (source) source.close();
      source = null;
      if (document.hidden) return;
      source = new EventSource(place.dataset.talk);
      source.addEventListener("open", function () { tries = 0; lost.hidden = true; });
      source.addEventListener("talk", function (event) { tries = 0; lost.hidden = true; show(JSON.parse(event.data)); });
      source.addEventListener("closed", function () { source.close(); });
      source.addEventListener("error", function () {
        source.close();
        lost.hidden = tries < 2;
        retry = setTimeout(connect, RETRIES[Math.min(tries++, RETRIES.length - 1)]);
      });
    }
    document.addEventListener("visibilitychange", function () { connect(); count(); });
    addEventListener("pagehide", function () { if (source) source.close(); clearTimeout(retry); });
    addEventListener("pageshow", function (event) { if (event.persisted) connect(); });
    addEventListener("online", connect);

    var fault = place.querySelector(".say-fault"), words = place.querySelector("textarea[name=words]");
    function complain(text) { if (fault) { fault.textContent = text; fault.hidden = !text; } }
    if (words) {
      words.addEventListener("keydown", function (event) {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        if (words.value.trim()) words.form.requestSubmit();
      });
      place.addEventListener("htmx:beforeRequest", function (event) {
        if (event.detail.elt.matches("[data-say]")) wanted = words.value;
        complain("");
      });
      place.addEventListener("htmx:afterRequest", function (event) {
        if (!event.detail.elt.matches("[data-say], [data-phrase]")) return;
        if (event.detail.xhr.status === 204) {
          // Keep text that was typed meanwhile.
          if (event.detail.elt.matches("[data-say]") && words.value === wanted) words.value = "";
          var ready = place.querySelector(".phrases");
          if (event.detail.elt.matches("[data-phrase]") && ready) { ready.open = false; ready.querySelector("summary").focus(); }
          toEnd();
          return;
        }
        setTimeout(function () {
          var told = document.querySelector("#notice .notice p");
          complain(told ? told.textContent.trim() : fault.dataset.words || "");
        });
      });
    }
    if (isPanel) {
      place.addEventListener("toggle", function () { if (place.open) { toEnd(); if (words) words.focus({ preventScroll: true }); } count(); });
      place.querySelector(".talk-close").addEventListener("click", function () { place.open = false; place.querySelector("summary").focus(); });
      place.addEventListener("keydown", function (event) {
        if (event.key === "Escape" && place.open) { event.stopPropagation(); place.open = false; place.querySelector("summary").focus(); }
      });
    }
    toEnd();
    count();
    document.addEventListener("DOMContentLoaded", connect);
  }
  document.querySelectorAll("[data-talk]").forEach(follow);
})();
