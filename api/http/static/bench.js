// The organisers' workbench: places are computed while points are typed, a submitted result moves the focus to the next
// table, rows are found by name, and people are dragged between tables.
(function () {
  "use strict";
  var find = document.getElementById("find");

  // Results: a field under each name. Enter moves to the next field; in the last one it submits the result.
  function fields(form) { return Array.from(form.querySelectorAll("input[name=scores]")); }
  function follow(form) {
    var inputs = fields(form), points = inputs.map(function (input) { return input.value.trim() === "" ? null : Number(input.value); });
    inputs.forEach(function (input, seat) {
      var own = points[seat], better = points.filter(function (other) { return other !== null && own !== null && other > own; }).length;
      input.parentElement.querySelector("output").textContent = own === null || Number.isNaN(own) ? "" : better + 1 + ".";
    });
    // Keep partly entered results when the row is redrawn.
    if (points.some(function (each) { return each !== null; })) form.dataset.typed = ""; else delete form.dataset.typed;
  }
  function forms() { return Array.from(document.querySelectorAll("form[data-result]")); }
  function beside(form, step, seat) {
    var shown = forms().filter(function (each) { return each.offsetParent !== null; });
    var next = shown[shown.indexOf(form) + step], inputs = next ? fields(next) : [];
    if (inputs.length) inputs[Math.min(seat, inputs.length - 1)].focus();
  }
  document.addEventListener("input", function (event) {
    var form = event.target.closest("form[data-result]");
    if (form) follow(form);
    if (event.target === find) filter();
  });
  document.addEventListener("keydown", function (event) {
    var form = event.target.closest("form[data-result]");
    if (!form || event.target.name !== "scores" || event.ctrlKey || event.metaKey || event.altKey) return;
    var inputs = fields(form), seat = inputs.indexOf(event.target);
    if (event.key === "Enter" && seat < inputs.length - 1) { event.preventDefault(); inputs[seat + 1].focus(); }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); beside(form, event.key === "ArrowDown" ? 1 : -1, seat); }
    if (event.key === "Escape") { form.reset(); follow(form); }
  });

  // Submit once, without leaving the page; the stream shows the outcome to every organiser. A refusal is a page with
  // the entered values and replaces this one. Without an answer, whether the result was stored is unknown.
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (!form.matches("form[data-result], form[data-slip]")) return;
    event.preventDefault();
    if (form.dataset.sending !== undefined) return;
    form.dataset.sending = "";
    fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" }).then(function (answer) {
      return answer.type === "opaqueredirect" ? null : answer.text();
    }).then(function (html) {
      delete form.dataset.sending;
      if (html !== null) { refused(html); return; }
      delete form.dataset.typed;
      if (form.matches("[data-result]")) beside(form, 1, 0);
    }, unanswered.bind(null, form));
  });
  function refused(html) {
    var page = new DOMParser().parseFromString(html, "text/html"), main = page.getElementById("main");
    if (!main) { unanswered(); return; }
    document.title = page.title;
    document.getElementById("main").replaceWith(document.adoptNode(main));
    find = document.getElementById("find");
    document.dispatchEvent(new Event("esporles:resync"));
    scrollTo(0, 0);
    var wrong = main.querySelector("[autofocus]");
    if (wrong) wrong.focus();
  }
  // If the result was stored, the row is redrawn once the stream is back; until then the entered values stay.
  function unanswered(form) {
    var words = document.createElement("p"), told = document.createElement("div");
    if (form) { delete form.dataset.sending; delete form.dataset.typed; }
    words.textContent = document.querySelector(".bench").dataset.unanswered;
    told.className = "notice warn";
    told.append(words);
    document.getElementById("notice").replaceChildren(told);
  }

  // Search by part of a name or by table number.
  function filter() {
    var wanted = find.value.trim().toLocaleLowerCase();
    document.querySelectorAll("[data-names]").forEach(function (row) {
      var names = row.dataset.names, isNumber = /^\d+$/.test(wanted);
      (row.closest("li") || row).hidden = wanted !== "" && !(isNumber ? names.split(" ")[0] === wanted : names.includes(wanted));
    });
  }
  document.addEventListener("esporles:changed", function () { find = document.getElementById("find"); if (find && find.value) filter(); });

  // Seating: the selected person is marked at once; dragging equals selecting one person and then the other.
  function seating(target) { return target.closest ? target.closest("[data-seating]") : null; }
  var picked = null;
  function pick(person) {
    if (picked) picked.removeAttribute("aria-current");
    picked = person;
    if (!person) return;
    person.setAttribute("aria-current", "true");
    var hint = document.getElementById("seating-hint");
    if (hint) hint.textContent = seating(person).dataset.pickedWords.replace("…", person.textContent);
  }
  function goes(board, first, query) { location.href = board.dataset.seating + "?first=" + encodeURIComponent(first) + query; }
  document.addEventListener("click", function (event) {
    var board = seating(event.target), person = event.target.closest(".bench-person");
    if (!board || event.ctrlKey || event.metaKey || event.shiftKey) return;
    var first = picked ? picked.dataset.entry : null;
    if (person && first === person.dataset.entry) { event.preventDefault(); pick(null); return; }
    if (person && !first) {
      if (board.querySelector(".bench-person[aria-current]")) return;
      event.preventDefault();
      pick(person);
    } else if (person) {
      event.preventDefault();
      goes(board, first, "&second=" + encodeURIComponent(person.dataset.entry));
    } else if (first && event.target.closest("[data-table]") && !event.target.closest("a, label, summary, input")) {
      goes(board, first, "&table=" + event.target.closest("[data-table]").dataset.table);
    }
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape" && picked) pick(null); });
  document.addEventListener("dragstart", function (event) {
    var person = event.target.closest ? event.target.closest(".bench-person") : null;
    if (person) { event.dataTransfer.setData("text/plain", person.dataset.entry); event.dataTransfer.effectAllowed = "move"; }
  });
  document.addEventListener("dragover", function (event) { if (seating(event.target) && event.target.closest("[data-table]")) event.preventDefault(); });
  document.addEventListener("drop", function (event) {
    var board = seating(event.target), table = board && event.target.closest("[data-table]"), first = event.dataTransfer.getData("text/plain");
    if (!table || !/^e\d+$/.test(first)) return;
    event.preventDefault();
    var person = event.target.closest(".bench-person");
    if (person && person.dataset.entry !== first) goes(board, first, "&second=" + encodeURIComponent(person.dataset.entry));
    else if (!person && !table.querySelector('[data-entry="' + first + '"]')) goes(board, first, "&table=" + table.dataset.table);
  });
})();
