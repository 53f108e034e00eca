// The secret of an invitation stands behind the # of its link, where no server is told it. It goes into the form and out of
// the address, so that neither the history nor a screenshot keeps it, and the table opens.
"use strict";
(() => {
  const form = document.querySelector("#invitation");
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!form || !secret) return;
  form.elements.secret.value = secret;
  history.replaceState(null, "", location.pathname);
  form.requestSubmit();
})();
