// The records of a room as files: for the verify page, `croupier verify`, and other programs.

import { h, icon } from "./dom.js";
import { gameEntry } from "./games/registry.js";
import { currentLanguage, t } from "./texts.js";

const KEPT_MS = 10_000;

/** Gives the reader a file with this text. */
export const saveText = (text, name, type) => saveFile(new Blob([text], { type }), name);

/** Gives the reader a file. */
export function saveFile(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** What the server has at an address, as this player may see it. The token is never part of the address. */
async function fetchText(app, address) {
  const headers = { authorization: `Bearer ${app.connection.token}`, "accept-language": currentLanguage() };
  const answer = await fetch(address, { headers });
  if (answer.ok) return answer.text();
  const { code, facts, message } = await answer.json();
  throw Object.assign(new Error(message), { code, facts: facts ?? {} });
}

/** Buttons for a room: the records, for Hold'em the hands as PHH, and the way to the check of them. */
export function recordButtons(app, { code, state }) {
  const button = (key, file, type) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet-button small",
        "data-download": file,
        on: {
          click: () =>
            app.attempt(async () =>
              saveText(await fetchText(app, `/api/rooms/${code}/${file}`), `croupier-${code}-${file}`, type),
            ),
        },
      },
      icon("download"),
      t(key),
    );
  return h(
    "div",
    { class: "button-row records" },
    button("web.records.ledger", "ledger.csv", "text/csv"),
    button("web.records.jsonl", "records.jsonl", "application/x-ndjson"),
    ...gameEntry(state.public.game).records.map(({ key, file, type }) => button(key, file, type)),
    h("a", { class: "quiet-button small", href: `#/verify/${code}` }, icon("shield"), t("web.records.verify")),
  );
}
