// Signs the player's acts in the browser, with a key that cannot be exported (docs/specifications/signatures.md). A
// signed form has `data-act`: the act itself, or empty if the pressed button contains it.
(function () {
  "use strict";
  var DATABASE = "esporles", STORE = "keys", ALGORITHM = { name: "Ed25519" };
  var text = new TextEncoder();
  function own() { return document.querySelector("[data-signing]"); }
  function hex(bytes) { return Array.from(bytes, function (byte) { return byte.toString(16).padStart(2, "0"); }).join(""); }
  function unhex(digits) { return (digits.match(/../g) || []).map(function (pair) { return parseInt(pair, 16); }); }

  // One key for each person who plays in this browser.
  function asked(request) {
    return new Promise(function (done, failed) {
      request.onsuccess = function () { done(request.result); };
      request.onerror = function () { failed(request.error); };
    });
  }
  function store(mode) {
    var opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = function () { opening.result.createObjectStore(STORE, { keyPath: "actor" }); };
    return asked(opening).then(function (database) { return database.transaction(STORE, mode).objectStore(STORE); });
  }
  function kept(actor) { return store("readonly").then(function (keys) { return asked(keys.get(actor)); }); }
  function make(actor) {
    return crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]).then(function (pair) {
      return crypto.subtle.exportKey("raw", pair.publicKey).then(function (raw) {
        return { actor: actor, key: hex(new Uint8Array(raw)), secret: pair.privateKey };
      });
    }).then(function (made) {
      // If two windows create a key at the same time, the first one wins.
      return store("readwrite").then(function (keys) { return asked(keys.add(made)); }).then(function () { return made; }, function () { return kept(actor); });
    });
  }
  // A player without an account gets a provisional key, assigned once the seat names the player.
  var NOBODY = "?", known = {};
  function adopt(actor) {
    return kept(NOBODY).then(function (made) {
      var place = own();
      if (!made || !place || place.dataset.actor !== actor || !place.dataset.keys.split(" ").includes(made.key)) return make(actor);
      var owned = Object.assign({}, made, { actor: actor });
      return store("readwrite").then(function (keys) { keys.delete(NOBODY); return asked(keys.add(owned)); }).then(function () { return owned; });
    });
  }
  function keyOf(actor) {
    if (!known[actor]) known[actor] = kept(actor).then(function (found) { return found || (actor === NOBODY ? make(actor) : adopt(actor)); }).catch(function () { return null; });
    return known[actor];
  }
  function fill() {
    document.querySelectorAll("input[data-own-key]").forEach(function (field) {
      keyOf(field.dataset.ownKey || NOBODY).then(function (made) { if (made) field.value = made.key; });
    });
  }
  document.addEventListener("DOMContentLoaded", fill);
  document.addEventListener("esporles:changed", fill);

  // The signed message: the match, the newest entry on this page, and the act.
  function sign(made, act) {
    var seen = document.querySelector("[data-seen]").dataset, version = Number(seen.seen), number = new DataView(new ArrayBuffer(8));
    number.setBigUint64(0, BigInt(version));
    var parts = [text.encode("esporles.act/2\0"), unhex(own().dataset.match.replaceAll("-", "")), new Uint8Array(number.buffer), unhex(seen.head), text.encode(act)];
    var bytes = new Uint8Array(parts.flatMap(function (part) { return Array.from(part); }));
    return crypto.subtle.sign(ALGORITHM, made.secret, bytes).then(function (signature) {
      return JSON.stringify({ key: made.key, signature: hex(new Uint8Array(signature)), version: version, head: seen.head });
    });
  }
  // An official's order is signed over the stream it concerns.
  function signOrder(made, place) {
    var number = new DataView(new ArrayBuffer(8));
    number.setBigUint64(0, BigInt(place.version));
    var parts = [text.encode("esporles.order/1\0"), unhex(place.stream.replaceAll("-", "")), new Uint8Array(number.buffer), unhex(place.head), text.encode(place.order)];
    var bytes = new Uint8Array(parts.flatMap(function (part) { return Array.from(part); }));
    return crypto.subtle.sign(ALGORITHM, made.secret, bytes).then(function (signature) {
      return JSON.stringify({ key: made.key, signature: hex(new Uint8Array(signature)) });
    });
  }
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (!form.matches("form[data-order]") || form.elements.signed.value) return;
    event.preventDefault();
    keyOf(form.dataset.actor).then(function (made) { return made ? signOrder(made, form.dataset) : ""; }).then(function (signed) {
      form.elements.signed.value = signed;
      form.submit();
    });
  });
  function actOf(form, button) {
    if (!form.dataset.act) return button ? button.value : "";
    var act = JSON.parse(form.dataset.act), fields = form.elements;
    if (fields.share && fields.share.value) { act.share = fields.share.value; act.salt = fields.salt.value; }
    return JSON.stringify(act);
  }
  function put(form, signed) {
    var field = form.elements.signed;
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = "signed";
      form.append(field);
    }
    field.value = signed;
  }
  document.addEventListener("htmx:confirm", function (event) {
    var form = event.detail.elt, place = own();
    if (!form.matches("form[data-act]") || !place) return;
    event.preventDefault();
    var pressed = event.detail.triggeringEvent && event.detail.triggeringEvent.submitter;
    keyOf(place.dataset.actor).then(function (made) {
      if (!made || !place.dataset.keys.split(" ").includes(made.key)) return "";
      return sign(made, actOf(form, pressed));
    }).then(function (signed) {
      put(form, signed);
      event.detail.issueRequest(true);
    });
  });

  // Offer signing again to players who continued unsigned.
  function offerAgain() {
    var form = document.querySelector("form[data-sign-again]"), place = own();
    if (!form || !place) return;
    keyOf(place.dataset.actor).then(function (made) {
      if (!made) return;
      form.elements.key.value = made.key;
      form.hidden = false;
    });
  }
  document.addEventListener("DOMContentLoaded", offerAgain);
  document.addEventListener("esporles:changed", offerAgain);

  // The signature with which a key confirms another key of the same person.
  function vouch(made, key, actor) {
    var parts = [text.encode("esporles.key/1\0"), unhex(key), text.encode(actor)];
    var bytes = new Uint8Array(parts.flatMap(function (part) { return Array.from(part); }));
    return crypto.subtle.sign(ALGORITHM, made.secret, bytes).then(function (signature) { return hex(new Uint8Array(signature)); });
  }
  window.esporlesKeys = { hex: hex, keyOf: keyOf, vouch: vouch };

  // The page of keys: which one belongs to this browser, and which ones it may confirm.
  function showKeys() {
    var ring = document.querySelector("[data-keyring]");
    // Accounts of bots do not take keys of browsers.
    if (!ring || !ring.querySelector("[data-register]")) return;
    var words = Array.from(ring.querySelectorAll("[data-key-word]"), function (item) { return item.dataset.keyWord; });
    keyOf(ring.dataset.actor).then(function (made) {
      if (!made) return;
      var place = words.indexOf(made.key);
      ring.querySelector("[data-register]").hidden = place >= 0;
      ring.querySelectorAll("[data-key-word]").forEach(function (item, index) {
        item.querySelector("[data-this]").hidden = index !== place;
        var form = item.querySelector("[data-vouch]");
        if (!form || place < 0 || index <= place) return;
        vouch(made, item.dataset.keyWord, ring.dataset.actor).then(function (signature) {
          form.elements.by.value = made.key;
          form.elements.signature.value = signature;
          form.hidden = false;
        });
      });
    });
  }
  document.addEventListener("DOMContentLoaded", showKeys);

  // Register a key that the seat does not know, once; with the commitment to a share of luck, if there is one.
  var brought = {};
  function bring() {
    var place = own();
    if (!place || document.querySelector("form[data-commit]")) return;
    keyOf(place.dataset.actor).then(function (made) {
      var form = document.querySelector("form[data-bring-key]"), now = own();
      if (!made || !form || !now || now.dataset.keys.split(" ").includes(made.key)) return;
      var time = now.dataset.match + "/" + now.dataset.keys;
      if (brought[time]) return;
      brought[time] = true;
      form.elements.key.value = made.key;
      form.requestSubmit();
    });
  }
  document.addEventListener("DOMContentLoaded", bring);
  document.addEventListener("esporles:changed", bring);
})();
