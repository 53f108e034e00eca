// Explanations of terms, cards and tiles in a box beside them: a paragraph of the rules, or a large card. The
// hovered, tapped or focused element names an address, `/rules/TITLE#ANCHOR`; the server returns its content.
(function () {
  "use strict";
  var box = document.getElementById("beside"), words = document.getElementById("beside-words");
  if (!box) return;
  var REST = 600, LEAVE = 350, GAP = 8, LEAST = 140;
  var known = new Map(), pointed = null, isKept = false, resting = 0, leaving = 0, held = 0;

  function ask(element) {
    var named = element.dataset.beside || element.getAttribute("href"), at = new URL(named, location.href);
    var address = at.pathname + "/" + at.hash.slice(1) + at.search;
    if (!known.has(address)) {
      known.set(address, fetch(address).then(function (answer) {
        if (!answer.ok) known.delete(address);
        return answer.ok ? answer.text() : null;
      }, function () { known.delete(address); return null; }));
    }
    return known.get(address);
  }
  function hide() {
    clearTimeout(resting);
    clearTimeout(leaving);
    pointed = null;
    isKept = false;
    box.hidden = true;
    held = 0;
  }
  function show(element, keeps) {
    clearTimeout(resting);
    clearTimeout(leaving);
    pointed = element;
    isKept = keeps;
    ask(element).then(function (html) {
      if (pointed !== element || html === null) return;
      words.innerHTML = html;
      box.hidden = false;
      place(element);
    });
  }
  // Place the box beside the element: never over it or the prompt, and where it hides the fewest available choices.
  function place(element) {
    var at = element.getBoundingClientRect(), dock = document.querySelector("#actions .dock");
    var free = { left: GAP, top: GAP, right: innerWidth - GAP, bottom: innerHeight - GAP };
    var asked = dock && dock.getBoundingClientRect();
    if (asked && asked.width > innerWidth * .9) free.bottom = Math.min(free.bottom, asked.top - GAP);
    else if (asked && asked.height) free.right = Math.min(free.right, asked.left - GAP);
    box.style.maxHeight = "";
    var wide = box.offsetWidth, high = box.offsetHeight;
    var places = [
      { left: at.right + GAP, top: free.top, right: free.right, bottom: free.bottom },
      { left: free.left, top: free.top, right: Math.min(at.left - GAP, free.right), bottom: free.bottom },
      { left: free.left, top: at.bottom + GAP, right: free.right, bottom: free.bottom },
      { left: free.left, top: free.top, right: free.right, bottom: Math.min(at.top - GAP, free.bottom) }
    ].filter(function (side) { return side.right - side.left >= wide && side.bottom - side.top >= LEAST; }).map(function (side) {
      var tall = Math.min(high, side.bottom - side.top);
      var left = side.left > at.right ? side.left : Math.min(Math.max(side.left, side.right < at.left ? side.right : at.left), side.right - wide);
      var top = side.top > at.bottom ? side.top : side.bottom < at.top ? side.bottom - tall : Math.min(Math.max(at.top, side.top), side.bottom - tall);
      var found = { left: left, top: top, right: left + wide, bottom: top + tall };
      found.cost = (high - tall) * wide + hidden(found);
      return found;
    }).sort(function (one, two) { return one.cost - two.cost; });
    var best = places[0] || { left: free.left, top: free.top, bottom: free.bottom };
    box.style.maxHeight = best.bottom - best.top + "px";
    box.style.left = best.left + "px";
    box.style.top = best.top + "px";
  }
  function hidden(place) {
    return Array.from(document.querySelectorAll(".field .legal"), function (part) {
      var at = part.getBoundingClientRect();
      return Math.max(0, Math.min(at.right, place.right) - Math.max(at.left, place.left)) * Math.max(0, Math.min(at.bottom, place.bottom) - Math.max(at.top, place.top));
    }).reduce(function (sum, area) { return sum + area; }, 0);
  }
  function explained(event) { return event.target.closest ? event.target.closest("[data-beside]") : null; }

  document.addEventListener("click", function (event) {
    if (box.contains(event.target)) { if (event.target.closest("[data-close]")) hide(); return; }
    var element = explained(event);
    if (element && element.tagName === "A" && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      if (isKept && pointed === element) hide(); else show(element, true);
    } else hide();
  });
  document.addEventListener("pointerover", function (event) {
    if (event.pointerType !== "mouse" || isKept) return;
    clearTimeout(leaving);
    if (box.contains(event.target)) return;
    var element = explained(event);
    if (element === pointed) return;
    clearTimeout(resting);
    // The pointer may cross other elements on its way into the box.
    if (!box.hidden) leaving = setTimeout(hide, LEAVE); else pointed = null;
    if (element && !document.querySelector("dialog[open]")) resting = setTimeout(function () { show(element, false); }, REST);
  });
  // Keyboard users get the explanation of the focused element; focus by a press does not count.
  document.addEventListener("focusin", function (event) {
    var element = explained(event);
    if (box.contains(event.target)) return;
    if (!isKept || element !== pointed) hide();
    if (element && element === event.target && element.matches(":focus-visible")) resting = setTimeout(function () { show(element, false); }, REST);
  });
  // On touch screens, a long press explains an element that a tap would choose.
  document.addEventListener("contextmenu", function (event) {
    var element = explained(event);
    if (!element || event.pointerType === "mouse") return;
    event.preventDefault();
    held = event.timeStamp;
    show(element, true);
  });
  document.addEventListener("click", function (event) {
    if (!held || event.timeStamp - held > 1000) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", function (event) {
    if (!box.hidden && !(event.target.nodeType === 1 && box.contains(event.target)) && pointed && pointed.isConnected) place(pointed);
  }, { capture: true, passive: true });
  document.addEventListener("esporles:changed", function () { if (pointed && !pointed.isConnected) hide(); });
})();
