// The page as an app: a service worker keeps its shell for when there is no network, and brings it up to date whenever
// the server has a newer one. Browsers allow that only where the page is secure: over TLS, or on this machine.

let prompt = null;

/** Whether this browser lets the page keep itself. */
const mayInstall = () => isSecureContext && "serviceWorker" in navigator;

/** Whether the browser offers to install the page as an app now. */
export const isInstallable = () => prompt !== null;

/** Asks the reader whether to install the page; whether they did. */
export async function install() {
  const asked = prompt;
  prompt = null;
  if (!asked) return false;
  await asked.prompt();
  return (await asked.userChoice).outcome === "accepted";
}

/** Keeps the shell from now on, with the texts of this language. */
export async function keepShell(language) {
  if (!mayInstall()) return;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event;
  });
  addEventListener("appinstalled", () => {
    prompt = null;
  });
  // A browser that forbids it, as in a private window, still has a page that works.
  const worker = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => null);
  if (!worker) return;
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ texts: [`/api/texts/${language}.json`, `/api/texts/${language}/more.json`] });
}
