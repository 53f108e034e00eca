// Shows what is pushed to this browser, and a small page of its own where there is no network. Everything else passes.
"use strict";
const KEPT = "offline-1", OFFLINE = "/offline", STYLE = "/static/esporles.css";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([OFFLINE, STYLE])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const asked = new URL(event.request.url);
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE).then((page) => page || Response.error())));
  } else if (asked.origin === self.location.origin && asked.pathname === STYLE) {
    event.respondWith(fetch(event.request).catch(() => caches.match(STYLE).then((style) => style || Response.error())));
  }
});

const told = (event) => {
  try {
    return event.data ? event.data.json() : {};
  } catch {
    return {};
  }
};

self.addEventListener("push", (event) => {
  const { title = "Esporles", body = "", url = "/", tag = "" } = told(event);
  const show = async () => {
    // Who is looking at that very page sees it there.
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (pages.some((page) => page.focused && new URL(page.url).pathname === url)) return;
    await self.registration.showNotification(title, { body, tag, data: { url }, icon: "/static/esporles.svg", renotify: tag !== "" });
  };
  event.waitUntil(show());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL((event.notification.data || {}).url || "/", self.location.origin);
  if (url.origin !== self.location.origin) return;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => new URL(page.url).pathname === url.pathname);
    return there ? there.focus() : self.clients.openWindow(url.href);
  };
  event.waitUntil(open());
});
