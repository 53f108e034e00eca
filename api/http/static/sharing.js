// Copies a link, or passes it to the device's share dialog. Without this script the link can be copied by hand.
(function () {
  "use strict";
  function field(button, name) { return document.querySelector(button.dataset[name]); }
  document.querySelectorAll("[data-copy]").forEach(function (button) {
    var told = button.parentNode.querySelector("[data-told]");
    button.hidden = false;
    button.addEventListener("click", function () {
      var link = field(button, "copy");
      function done() { told.textContent = button.dataset.done; }
      link.select();
      if (navigator.clipboard) navigator.clipboard.writeText(link.value).then(done, function () { if (document.execCommand("copy")) done(); });
      else if (document.execCommand("copy")) done();
    });
  });
  document.querySelectorAll("[data-share]").forEach(function (button) {
    button.hidden = !navigator.share;
    button.addEventListener("click", function () { navigator.share({ url: field(button, "share").value }).catch(function () { /* Not shared, then. */ }); });
  });
})();
