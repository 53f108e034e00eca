// The page of notifications: subscribes this browser to push messages and marks it in the list of devices.
(() => {
  "use strict";
  const form = document.querySelector("[data-push-key]");
  if (!form) return;
  const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const say = (name) => {
    for (const each of document.querySelectorAll("[data-push]")) each.hidden = each.dataset.push !== name;
  };
  const bytes = (word) => Uint8Array.from(atob(word.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
  const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const markOf = async (endpoint) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const send = (subscription) => {
    form.endpoint.value = subscription.endpoint;
    form.p256dh.value = base64(subscription.getKey("p256dh"));
    form.auth.value = base64(subscription.getKey("auth"));
    form.submit();
  };
  const look = async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    const subscription = registration && (await registration.pushManager.getSubscription());
    const mark = subscription ? await markOf(subscription.endpoint) : "";
    const row = mark && document.querySelector(`[data-device="${mark}"]`);
    if (row) row.querySelector("[data-this]").hidden = false;
    say(row ? "here" : Notification.permission === "denied" ? "denied" : "ask");
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      if ((await Notification.requestPermission()) !== "granted") return say("denied");
      await navigator.serviceWorker.register("/worker.js");
      const registration = await navigator.serviceWorker.ready;
      const options = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.pushKey) };
      const known = await registration.pushManager.getSubscription();
      if (known) await known.unsubscribe();
      send(await registration.pushManager.subscribe(options));
    } catch {
      say("failed");
    }
  });
  if (can) look().catch(() => say("failed"));
  else say("cannot");
})();
