// Searching the rules: hides paragraphs without the words, ignoring accents and case. Without this script the browser's
// own search works too.
(function () {
  "use strict";
  var field = document.getElementById("rule-search"), found = document.getElementById("rule-found");
  var none = document.getElementById("rule-none"), paragraphs = document.querySelectorAll(".rule");
  if (!field) return;

  function fold(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }
  var known = Array.from(paragraphs, function (paragraph) {
    return fold(paragraph.closest(".rule-section").querySelector("h2").textContent + " " + paragraph.textContent + " " + paragraph.dataset.rules);
  });

  function search() {
    var words = fold(field.value).split(/\s+/).filter(Boolean), count = 0;
    paragraphs.forEach(function (paragraph, index) {
      paragraph.hidden = !words.every(function (word) { return known[index].includes(word); });
      count += !paragraph.hidden;
    });
    document.querySelectorAll(".rule-figure").forEach(function (figure) {
      figure.hidden = document.getElementById(figure.dataset.of).hidden;
    });
    document.querySelectorAll(".rule-section").forEach(function (section) {
      section.hidden = !section.querySelector(".rule:not([hidden])");
    });
    found.textContent = words.length ? found.dataset.words.replace("#1", count).replace("#2", paragraphs.length) : "";
    // On a narrow screen the contents would separate the search field from the results.
    field.closest(".rulebook").classList.toggle("searched", words.length > 0);
    none.hidden = count > 0;
  }

  // A link to a paragraph shows it, whatever the search.
  addEventListener("hashchange", function () {
    var target = document.getElementById(location.hash.slice(1));
    if (!target || !(target.hidden || target.closest("[hidden]"))) return;
    field.value = "";
    search();
    target.scrollIntoView();
  });
  field.addEventListener("input", search);
  field.closest("[hidden]").hidden = false;
})();
