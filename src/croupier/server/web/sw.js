// Keeps the shell of the page: its files, its texts, and the list of games. The network comes first, so nobody plays with
// an old page; without a network the page opens as it was last. Nothing of a room, a wallet or a person is kept here.

/** The server writes these two when it starts: another page is another version. */
const VERSION = "{{version}}";
const FILES = JSON.parse('{{files}}');

const CACHE = `croupier-${VERSION}`;
const INDEX = "/";
const KEPT = new Set([INDEX, "/api/games", ...FILES]);
const PATIENCE_MS = 4000;

const isKept = (path) => KEPT.has(path) || path.startsWith("/api/texts/");
/** Every page is the same file: what is shown stands behind the #. */
const isPage = (path) => path === INDEX || path.startsWith("/room/");

addEventListener("install", (event) => {
  const fresh = [...KEPT].map((path) => new Request(path, { cache: "no-cache" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(fresh))
      .then(() => skipWaiting()),
  );
});

/** The page names the texts of its reader's language. */
addEventListener("message", (event) => {
  const paths = event.data?.texts?.filter((path) => path.startsWith("/api/texts/")) ?? [];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(paths)));
});

addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** From now on this version answers; the shells of others go. Texts in the reader's language come along. */
async function takeOver() {
  const cache = await caches.open(CACHE);
  for (const name of await caches.keys()) {
    if (name === CACHE) continue;
    const old = await caches.open(name);
    for (const { url } of await old.keys())
      if (new URL(url).pathname.startsWith("/api/texts/")) await cache.add(url).catch(() => {});
    await caches.delete(name);
  }
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && isPage(pathname)) event.respondWith(answer(request, INDEX));
  else if (request.mode !== "navigate" && isKept(pathname)) event.respondWith(answer(request, pathname));
});

/** The server's answer, which is kept; where there is none in time, the one that was kept last. */
async function answer(request, path) {
  const cache = await caches.open(CACHE);
  const asked = fetch(request).then((response) => {
    if (response.ok) cache.put(path, response.clone());
    return response;
  });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const first = await Promise.race([asked, late]).catch(() => null);
  return first ?? (await cache.match(path)) ?? asked;
}

/** Whoever presses the notice of a turn comes to the table. */
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window" }).then(([open]) => (open ? open.focus() : clients.openWindow(INDEX))),
  );
});
