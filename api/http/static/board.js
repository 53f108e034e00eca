// A clickable board. The page knows no rules: every legal action is a button in #actions whose `data-target` names its
// part of the board. A part with buttons is a button itself; a part with several opens a dialog.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream], .replay"), chooser = document.getElementById("chooser");
  function actions() { return document.getElementById("actions"); }
  if (!table || !actions()) return;

  // Disable the buttons between a press and the event that shows its outcome. The answer to the request names the
  // version to wait for.
  var SILENCE = 5000, awaited = 0, silence = 0, acting = false, pressed = 0, clicked = 0;
  document.addEventListener("click", function (event) { clicked = event.timeStamp; }, true);
  function rest(isPressed) {
    awaited = 0;
    pressed = isPressed ? clicked || performance.now() : 0;
    close();
    acting = acting || (isPressed && isAtTable());
    actions().inert = true;
    mark();
  }
  function wake() {
    clearTimeout(silence);
    awaited = 0;
    actions().inert = false;
    var was = acting;
    acting = false;
    mark();
    // Keyboard users continue at the next choice.
    var first = was && !document.activeElement.matches("#actions *, .legal") && isAtTable() && actions().querySelector(".actions button");
    if (first) first.focus({ preventScroll: true });
  }
  function isAtTable() {
    return document.activeElement === document.body || Boolean(document.activeElement.closest("#actions, [data-part]"));
  }
  function isResting() { return actions().inert; }
  function measure() {
    if (!pressed) return;
    var start = pressed;
    pressed = 0;
    requestAnimationFrame(function () { setTimeout(function () { performance.measure("esporles:act", { start: start, end: performance.now() }); }); });
  }
  // The stream has not shown the outcome of a press: request everything again, then reload the page if it stays silent.
  function ask() {
    document.dispatchEvent(new Event("esporles:resync"));
    clearTimeout(silence);
    silence = setTimeout(function () { location.reload(); }, 2 * SILENCE);
  }
  function answered(xhr) {
    if (xhr.status !== 204) { if (isResting()) wake(); return; }
    document.getElementById("notice").textContent = "";
    // A browser that contributes a share of luck sends two requests, whose answers may arrive one after the other.
    awaited = Math.max(awaited, Number((xhr.getResponseHeader("ETag") || "0").replace(/"/g, "")));
    clearTimeout(silence);
    if (Number(table.dataset.version) >= awaited) { measure(); wake(); }
    else silence = setTimeout(ask, SILENCE);
  }
  document.addEventListener("htmx:beforeRequest", function (event) {
    if (!actions().contains(event.detail.elt)) return;
    rest(!event.detail.elt.matches("[data-at-once], [data-commit]"));
    // Listen at the request, not the document: the stream may have replaced the form before the answer.
    var xhr = event.detail.xhr;
    xhr.addEventListener("loadend", function () { answered(xhr); });
  });
  // A refusal includes the current table; resynchronise the stream too, because it may be behind the answer.
  document.addEventListener("htmx:beforeSwap", function (event) {
    var version = Number((event.detail.xhr.getResponseHeader("ETag") || "0").replace(/"/g, ""));
    if (!version || event.detail.xhr.status < 400) return;
    if (version < Number(table.dataset.version)) {
      var page = new DOMParser().parseFromString(event.detail.serverResponse, "text/html");
      event.detail.serverResponse = page.getElementById("notice").outerHTML;
    } else table.dataset.version = version;
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    if (event.detail.xhr.status < 400) return;
    if (event.detail.xhr.getResponseHeader("ETag")) document.dispatchEvent(new Event("esporles:resync"));
    document.getElementById("notice").scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("esporles:shown", function (event) {
    if (!awaited || event.detail.version < awaited) return;
    measure();
    wake();
  });
  // Scroll back to the first choice when the prompt changes. This forces a layout, so it waits until the page has
  // changed and its buttons are enabled.
  var asked = "";
  function readAnew() {
    var prompt = actions().querySelector(".prompt"), words = prompt ? prompt.textContent : "";
    if (words !== asked) actions().querySelectorAll(".dock, .actions").forEach(function (box) { box.scrollTop = 0; });
    asked = words;
  }
  document.addEventListener("esporles:shown", readAnew);
  // Mark nothing while the buttons are disabled.
  document.addEventListener("esporles:changed", function () { refresh(); if (!isResting()) mark(); });

  // Parts of the board that have buttons.
  var before = new WeakMap();
  function buttonsBy() {
    var by = new Map();
    if (isResting()) return by;
    actions().querySelectorAll("button[data-target]").forEach(function (button) {
      button.dataset.target.split(" ").forEach(function (target) {
        if (!by.has(target)) by.set(target, []);
        by.get(target).push(button);
      });
    });
    return by;
  }
  function nameOf(part) {
    var title = part.querySelector(":scope > title");
    return part.dataset.name || part.getAttribute("aria-label") || (part.hasAttribute("data-marked") && (before.get(faceOf(part)) || {})["aria-label"]) || (title ? title.textContent : part.textContent.trim().slice(0, 60));
  }
  // A part that contains links cannot be a button itself; its face becomes the button.
  function faceOf(part) { return part.querySelector("[data-face]") || part; }
  function textOn(part) {
    var walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) if (walk.currentNode.data.trim()) found.push(walk.currentNode.data.trim().replace(/\s+/g, " "));
    return found.join(" ");
  }
  function restore(part) {
    var face = faceOf(part), was = before.get(face);
    if (part.classList.contains("chosen")) part.classList.remove("chosen");
    if (!was || !part.hasAttribute("data-marked")) return;
    part.classList.remove("legal");
    part.removeAttribute("data-marked");
    Object.keys(was).forEach(function (name) { if (was[name] === null) face.removeAttribute(name); else face.setAttribute(name, was[name]); });
  }
  function mark() {
    var by = buttonsBy();
    document.querySelectorAll("[data-part]").forEach(function (part) {
      restore(part);
      var buttons = by.get(part.dataset.part);
      if (!buttons) return;
      // The accessible name stays the visible text; the action is its description.
      var face = faceOf(part), isButton = part.tagName === "BUTTON", isNamed = part.hasAttribute("aria-label") || part.textContent.trim();
      before.set(face, { role: face.getAttribute("role"), tabindex: face.getAttribute("tabindex"), "aria-label": face.getAttribute("aria-label"), "aria-haspopup": null, "aria-description": null });
      part.setAttribute("data-marked", "");
      part.classList.add("legal");
      if (!isButton) { face.setAttribute("role", "button"); face.setAttribute("tabindex", "0"); }
      // The name of a button is all its visible text; the rest of its label becomes the description.
      var label = part.getAttribute("aria-label"), seen = textOn(part), further = "";
      if (face !== part) face.setAttribute("aria-label", nameOf(part) + " " + textOn(face));
      else if (label && seen && (seen.startsWith(label) || !label.includes(seen))) {
        part.removeAttribute("aria-label");
        if (!seen.startsWith(label)) further = label + ". ";
      } else if (!isNamed) part.setAttribute("aria-label", nameOf(part));
      if (buttons.length > 1) face.setAttribute("aria-haspopup", "dialog");
      face.setAttribute("aria-description", further + (buttons.length > 1 ? chooser.dataset.several : words(buttons[0])));
    });
    document.dispatchEvent(new Event("esporles:marked"));
  }
  function words(button) { var text = button.querySelector(".words"); return (text || button).textContent.trim(); }

  // Perform a single action at once; let the player choose among several.
  var chosen = null, offered = [];
  function offer(part) {
    var buttons = buttonsBy().get(part.dataset.part);
    if (!buttons) return;
    if (buttons.length === 1) { buttons[0].click(); return; }
    chosen = part.dataset.part;
    fill(part, buttons);
    if (!chooser.open) chooser.showModal();
    place(part);
    part.classList.add("chosen");
  }
  function fill(part, buttons) {
    chooser.querySelector("h2").textContent = nameOf(part);
    var list = chooser.querySelector(".choices");
    // Keep unchanged choices: a click may be on its way to one of them.
    if (buttons.length === offered.length && buttons.every(isOffered)) return;
    offered = buttons;
    list.replaceChildren.apply(list, buttons.map(function (button) {
      var copy = document.createElement("button");
      copy.type = "button";
      copy.textContent = words(button);
      copy.addEventListener("click", function () { close(); armed = button.value; button.click(); });
      return copy;
    }));
  }
  function isOffered(button, index) {
    return button === offered[index] && words(button) === chooser.querySelectorAll(".choices button")[index].textContent;
  }
  function place(part) {
    // Beside the part where there is room; on a narrow screen the style sheet puts it at the bottom.
    var at = part.getBoundingClientRect(), box = chooser.getBoundingClientRect();
    var left = at.right + 8 + box.width < innerWidth ? at.right + 8 : Math.max(8, at.left - box.width - 8);
    chooser.style.left = Math.min(left, Math.max(8, innerWidth - box.width - 8)) + "px";
    chooser.style.top = Math.max(8, Math.min(at.top, innerHeight - box.height - 8)) + "px";
  }
  function close() {
    chosen = null;
    if (chooser.open) chooser.close();
    document.querySelectorAll(".chosen").forEach(function (part) { part.classList.remove("chosen"); });
  }
  function refresh() {
    // The table has changed under an open dialog: keep the choices that are still available.
    if (!chosen) return;
    var part = document.querySelector('[data-part="' + CSS.escape(chosen) + '"]'), buttons = buttonsBy().get(chosen);
    if (!part || !buttons || !chooser.open) close(); else fill(part, buttons);
  }
  chooser.addEventListener("click", function (event) {
    if (event.target === chooser || event.target.closest("[data-cancel]")) close();
  });
  chooser.addEventListener("close", close);
  document.addEventListener("click", function (event) {
    var part = event.target.closest && event.target.closest("[data-part].legal");
    var inner = part && event.target.closest("a, button, input, select, summary");
    if (part && (!inner || inner.contains(part))) offer(part);
  });
  document.addEventListener("keydown", function (event) {
    var part = event.target.closest && event.target.closest("[data-part].legal");
    if (!part || faceOf(part) !== event.target || part.tagName === "BUTTON" || !(event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    offer(part);
  });

  // With the preference for two presses, the first marks an action and the second performs it. Choosing in the dialog
  // counts as both.
  var armed = "";
  function takesTwo() { return document.documentElement.dataset.clicks === "two"; }
  function disarm() {
    armed = "";
    document.querySelectorAll("#actions .armed").forEach(function (button) { button.classList.remove("armed"); button.removeAttribute("aria-pressed"); });
    if (!chosen) document.querySelectorAll(".chosen").forEach(function (part) { part.classList.remove("chosen"); });
  }
  function arm(button) {
    disarm();
    armed = button.value;
    button.classList.add("armed");
    button.setAttribute("aria-pressed", "true");
    button.scrollIntoView({ block: "nearest" });
    (button.dataset.target || "").split(" ").forEach(function (target) {
      document.querySelectorAll('[data-part="' + CSS.escape(target) + '"]').forEach(function (part) { part.classList.add("chosen"); });
    });
    var again = document.createElement("p");
    again.textContent = chooser.dataset.again + " " + words(button);
    document.getElementById("announce").append(again);
  }
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("#actions .actions button");
    if (!button || !takesTwo() || armed === button.value) return;
    event.preventDefault();
    event.stopPropagation();
    arm(button);
  }, true);
  document.addEventListener("keydown", function (event) { if (event.key === "Escape" && armed) disarm(); });
  document.addEventListener("htmx:beforeRequest", disarm);
  document.addEventListener("esporles:changed", function () {
    if (armed && !Array.from(actions().querySelectorAll(".armed")).some(function (button) { return button.value === armed; })) disarm();
  });

  // Ask for confirmation before an irreversible action, unless it was pressed twice or the reader has turned this off.
  // The server requests it (`esporles:final`), and does nothing before the answer.
  var last = null;
  document.addEventListener("submit", function (event) {
    if (!event.target.matches("#choices") || !event.submitter) return;
    last = { value: event.submitter.value, words: words(event.submitter) };
    if (takesTwo()) beSure(event.target);
  }, true);
  function beSure(form) {
    var field = form.elements.sure || form.appendChild(document.createElement("input"));
    field.type = "hidden";
    field.name = "sure";
    field.value = "true";
  }
  document.addEventListener("htmx:afterRequest", function () {
    var field = document.querySelector("#choices [name=sure]");
    if (field) field.remove();
  });
  document.addEventListener("esporles:final", function (event) {
    if (!last) return;
    var wanted = last, yes = document.createElement("button"), what = document.createElement("p");
    offered = [];
    chooser.querySelector("h2").textContent = chooser.dataset[event.detail.why];
    yes.type = "button";
    what.textContent = wanted.words;
    yes.textContent = chooser.dataset.yes;
    yes.addEventListener("click", function () {
      close();
      var button = Array.from(actions().querySelectorAll("#choices button")).find(function (each) { return each.value === wanted.value; });
      if (!button) return;
      beSure(button.form);
      armed = button.value;
      button.click();
    });
    chooser.querySelector(".choices").replaceChildren(what, yes);
    if (!chooser.open) chooser.showModal();
    chooser.style.left = Math.max(8, (innerWidth - chooser.offsetWidth) / 2) + "px";
    chooser.style.top = innerHeight / 4 + "px";
  });

  // Highlight the part of the board that belongs to the button under the pointer.
  function point(event) {
    var button = event.target.closest && event.target.closest("#actions button[data-target]");
    document.querySelectorAll(".pointed").forEach(function (part) { part.classList.remove("pointed"); });
    if (button) button.dataset.target.split(" ").forEach(function (target) {
      document.querySelectorAll('[data-part="' + CSS.escape(target) + '"]').forEach(function (part) { part.classList.add("pointed"); });
    });
  }
  document.addEventListener("mouseover", point);
  document.addEventListener("focusin", point);

  // On a narrow screen the list of actions can be folded away to show the board.
  document.addEventListener("click", function (event) {
    if (!event.target.closest("[data-fold]")) return;
    var isFolded = document.body.classList.toggle("folded");
    try { sessionStorage.setItem("folded", isFolded ? "yes" : ""); } catch (refused) { /* It is folded all the same. */ }
    unfolded();
  });
  try { document.body.classList.toggle("folded", Boolean(sessionStorage.getItem("folded"))); } catch (refused) { /* It stays open. */ }
  function unfolded() {
    var button = document.querySelector("[data-fold]");
    if (button) button.setAttribute("aria-expanded", String(!document.body.classList.contains("folded")));
  }
  document.addEventListener("esporles:changed", unfolded);
  unfolded();

  // On a narrow screen, scroll the available parts into view once per prompt, above the list of actions, which covers
  // the lower part of the screen.
  var narrow = matchMedia("(max-width: 63.99rem)"), asked = "";
  function bring() {
    var prompt = actions().querySelector(".your-turn .prompt"), part = document.querySelector(".field .legal");
    if (!narrow.matches || !prompt || !part || prompt.textContent === asked) return;
    asked = prompt.textContent;
    var end = actions().firstElementChild.getBoundingClientRect().top;
    if (Array.from(document.querySelectorAll(".field .legal")).some(function (each) { var box = each.getBoundingClientRect(); return box.top > 0 && box.bottom < end; })) return;
    scrollBy({ top: part.getBoundingClientRect().top - end / 3 });
  }
  document.addEventListener("esporles:marked", bring);
  mark();
})();
