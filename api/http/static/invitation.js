// The secret of an invitation is in the fragment of its link, which browsers do not send. It is moved from the address
// into the form, so that neither the history nor a screenshot contains it, and the table opens.
"use strict";
(() => {
  const form = document.querySelector("#invitation");
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!form || !secret) return;
  form.elements.secret.value = secret;
  history.replaceState(null, "", location.pathname);
  form.requestSubmit();
})();
