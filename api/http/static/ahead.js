// An action chosen in advance. It is kept in this page only. When the buttons appear, it is pressed and signed like any
// other action, or dropped if it is not among them.
(function () {
  "use strict";
  var table = document.querySelector(".table[data-stream]"), form = document.getElementById("ahead-form");
  if (!table || !form) return;
  var chosen = null, asked = "", gone = "";
  function place() { return document.getElementById("ahead"); }
  function within(selector) { return place() && place().querySelector(selector); }

  function fill() {
    var here = place();
    if (!here || here.firstElementChild) return;
    here.append(form.content.cloneNode(true));
    here.querySelector("details").addEventListener("toggle", function () { if (this.open) ask(); });
    tell();
  }
  // The choices depend on the version of the page.
  function ask() {
    var here = place(), version = table.dataset.version;
    if (!here || asked === version) return;
    asked = version;
    fetch(here.dataset.ahead).then(function (answer) { return answer.ok ? answer.text() : ""; }, function () { return ""; }).then(function (html) {
      var list = within("[data-choices]");
      if (!list || !html) { asked = ""; return; }
      list.innerHTML = html;
      tell();
    });
  }
  function tell() {
    var told = within("[data-chosen]"), forget = within("[data-forget]");
    if (!told) return;
    told.textContent = chosen ? told.dataset.words.replace("{action}", chosen.words) : gone ? told.dataset.gone.replace("{action}", gone) : "";
    forget.hidden = !chosen;
    place().querySelectorAll("[data-choice]").forEach(function (button) { button.setAttribute("aria-pressed", String(Boolean(chosen) && button.dataset.choice === chosen.value)); });
  }
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("#ahead [data-choice], #ahead [data-forget]");
    if (!button) return;
    chosen = button.dataset.choice ? { value: button.dataset.choice, words: button.querySelector(".words").textContent.trim() } : null;
    gone = "";
    tell();
  });
  function send() {
    var choices = document.getElementById("choices");
    if (!chosen || !choices || document.getElementById("actions").inert) return;
    var wanted = chosen, button = Array.from(choices.querySelectorAll("button[name=action]")).find(function (each) { return each.value === wanted.value; });
    chosen = null;
    if (!button) {
      gone = wanted.words;
      var line = document.createElement("p"), words = form.content.querySelector("[data-chosen]").dataset.gone;
      line.className = "notice warn";
      line.textContent = words.replace("{action}", wanted.words);
      document.getElementById("notice").replaceChildren(line);
      return;
    }
    // The player already decided, so no confirmation is asked for.
    var sure = choices.elements.sure || choices.appendChild(document.createElement("input"));
    sure.type = "hidden";
    sure.name = "sure";
    sure.value = "true";
    button.click();
    // With the preference for two presses, choosing in advance counts as the first.
    if (button.isConnected && button.classList.contains("armed")) button.click();
  }
  document.addEventListener("esporles:changed", function () {
    fill();
    if (within("details[open]")) ask();
    // The buttons belong to the newest version, which the page stores after drawing them.
    setTimeout(send);
  });
  document.addEventListener("htmx:beforeRequest", function () { gone = ""; });
  fill();
})();
