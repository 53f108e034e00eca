// A printable recovery code on the page of keys (docs/specifications/signatures.md). The key that follows from it is
// registered, and later confirms the key of another browser. The code never leaves the browser.
(function () {
  "use strict";
  var ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", ALGORITHM = { name: "Ed25519" };
  var SECRET_BYTES = 16, CHECK_BYTES = 4, GROUP = /.{4}/g;
  // PKCS#8 (RFC 8410) before the 32 bytes of the seed.
  var PKCS8 = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
  var text = new TextEncoder(), keys = window.esporlesKeys;
  function digest(prefix, secret) {
    return crypto.subtle.digest("SHA-256", new Uint8Array([...text.encode(prefix), 0, ...secret])).then(function (found) { return new Uint8Array(found); });
  }

  // Base 32 with the alphabet of Crockford, five bits a character.
  function encode(bytes) {
    var bits = Array.from(bytes, function (byte) { return byte.toString(2).padStart(8, "0"); }).join("");
    return bits.match(/.{5}/g).map(function (five) { return ALPHABET[parseInt(five, 2)]; }).join("").match(GROUP).join("-");
  }
  function decode(code) {
    var letters = code.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
    var places = Array.from(letters, function (letter) { return ALPHABET.indexOf(letter); });
    if (places.length !== (SECRET_BYTES + CHECK_BYTES) * 8 / 5 || places.includes(-1)) return null;
    var bits = places.map(function (place) { return place.toString(2).padStart(5, "0"); }).join("");
    return Uint8Array.from(bits.match(/.{8}/g), function (eight) { return parseInt(eight, 2); });
  }
  function codeOf(secret) {
    return digest("esporles.recovery-check/1", secret).then(function (check) { return encode([...secret, ...check.slice(0, CHECK_BYTES)]); });
  }
  function secretOf(code) {
    var secret = (decode(code) || []).slice(0, SECRET_BYTES);
    if (!secret.length) return Promise.resolve(null);
    return codeOf(secret).then(function (right) { return right === encode(decode(code)) ? secret : null; });
  }
  // The secret must be extractable for a moment, because WebCrypto computes the public key only on export.
  function pairOf(secret) {
    return digest("esporles.recovery-key/1", secret).then(function (seed) {
      return crypto.subtle.importKey("pkcs8", new Uint8Array([...PKCS8, ...seed]), ALGORITHM, true, ["sign"]);
    }).then(function (secretKey) {
      return crypto.subtle.exportKey("jwk", secretKey).then(function (shown) {
        var raw = atob(shown.x.replace(/-/g, "+").replace(/_/g, "/"));
        return { key: keys.hex(Uint8Array.from(raw, function (letter) { return letter.charCodeAt(0); })), secret: secretKey };
      });
    });
  }

  function fill(form, key, by, signature) {
    form.elements.key.value = key;
    form.elements.by.value = by;
    form.elements.signature.value = signature;
  }
  function start() {
    var place = document.querySelector("[data-recovery]"), ring = document.querySelector("[data-keyring]");
    if (!place || !ring) return;
    var actor = ring.dataset.actor, make = place.querySelector("[data-make-code]"), shown = place.querySelector("[data-code-shown]");
    var register = place.querySelector("form[data-register-code]"), use = place.querySelector("form[data-use-code]"), field = use.querySelector("[data-code]");
    var registered = Array.from(ring.querySelectorAll("[data-key-word]"), function (item) { return item.dataset.keyWord; });
    // Without Ed25519 in the browser the section stays hidden.
    keys.keyOf(actor).then(function (own) { place.hidden = !own; });
    make.addEventListener("click", function () {
      var secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
      Promise.all([codeOf(secret), pairOf(secret), keys.keyOf(actor)]).then(function ([code, pair, own]) {
        var vouches = registered.includes(own.key);
        return Promise.resolve(vouches ? keys.vouch(own, pair.key, actor) : "").then(function (signature) {
          fill(register, pair.key, vouches ? own.key : "", signature);
          shown.querySelector("code").textContent = code;
          shown.hidden = false;
          make.hidden = true;
        });
      });
    });
    place.querySelector("[data-print]").addEventListener("click", function () { window.print(); });
    field.addEventListener("input", function () { field.setCustomValidity(""); });
    function refuse(why) { field.setCustomValidity(why); field.reportValidity(); }
    use.addEventListener("submit", function (event) {
      if (use.elements.signature.value) return;
      event.preventDefault();
      secretOf(field.value).then(function (secret) {
        if (!secret) return refuse(field.dataset.wrong);
        return pairOf(secret).then(function (pair) {
          if (!registered.includes(pair.key)) return refuse(field.dataset.unknown);
          return keys.keyOf(actor).then(function (own) {
            return keys.vouch(pair, own.key, actor).then(function (signature) {
              fill(use, own.key, pair.key, signature);
              use.submit();
            });
          });
        });
      });
    });
  }
  document.addEventListener("DOMContentLoaded", start);
})();
