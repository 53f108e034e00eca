// Passkeys: a form with data-passkey fetches options from the server, passes them to the authenticator and submits its
// response. It stays hidden without browser support, or at another origin than the passkeys' one.
"use strict";
(() => {
  const forms = document.querySelectorAll("form[data-passkey]");
  const bytes = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0));
  const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const named = each => ({ ...each, id: bytes(each.id) });

  // Convert the server's options for the browser.
  const asked = options => ({
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: named(options.user), excludeCredentials: (options.excludeCredentials || []).map(named) }),
    ...(options.allowCredentials && { allowCredentials: options.allowCredentials.map(named) }),
  });

  // Convert the authenticator's response for the server.
  const answered = credential => {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (credential.response[name]) response[name] = text(credential.response[name]);
    }
    return JSON.stringify({ id: credential.id, rawId: text(credential.rawId), type: credential.type, response });
  };

  const begin = async form => {
    const body = new URLSearchParams({ _csrf_token: form.elements._csrf_token.value });
    const answer = await fetch(form.dataset.begin, { method: "POST", body, headers: { "HX-Request": "true" } });
    if (answer.ok) return asked(await answer.json());
    // Show a refusal as the usual notice.
    document.querySelector("#notice").innerHTML = await answer.text();
    return null;
  };

  const run = async form => {
    const publicKey = await begin(form);
    if (!publicKey) return;
    const makes = form.dataset.passkey === "make";
    const credential = await (makes ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }));
    form.elements.credential.value = answered(credential);
    const typed = document.querySelector("[data-passkey-name]");
    if (typed && form.elements.name) form.elements.name.value = typed.value;
    HTMLFormElement.prototype.submit.call(form);
  };

  for (const form of forms) {
    const isHere = location.origin === form.dataset.origin;
    const elsewhere = form.parentElement.querySelector("[data-passkey-elsewhere]");
    if (!isHere && elsewhere) elsewhere.hidden = false;
    if (!isHere || !window.PublicKeyCredential) continue;
    form.hidden = false;
    form.addEventListener("submit", event => {
      event.preventDefault();
      const button = form.querySelector("button"), failed = form.querySelector("[data-passkey-failed]");
      button.disabled = true;
      failed.hidden = true;
      // Cancelling, a timeout and a missing passkey give the same message: the browser reports them alike.
      run(form).catch(() => { failed.hidden = false; }).finally(() => { button.disabled = false; });
    });
  }
})();
