// What the page knows of each game's rules: how to replay a round (`replay.js`) and what a viewer of it may see
// (`faces.js`). No other part of the page is needed for it, so that checks run wherever JavaScript does.

const ENGINES = {
  blackjack: () => Promise.all([import("./blackjack/replay.js"), import("./blackjack/faces.js")]),
  holdem: () => Promise.all([import("./holdem/replay.js"), import("./holdem/faces.js")]),
  sequence: () => Promise.all([import("./sequence/replay.js"), import("./sequence/faces.js")]),
};

/** The games whose rules the page knows. */
export const GAMES = Object.keys(ENGINES);

const loaded = new Map();

/** Loads what is known of a game. A game that the page does not know has nothing to be loaded. */
export async function loadEngine(game) {
  if (loaded.has(game) || !Object.hasOwn(ENGINES, game)) return;
  const [replay, faces] = await ENGINES[game]();
  loaded.set(game, { ...replay, ...faces });
}

/** What was loaded of a game: { begin, amend, firstSetup, readRules, view, … }; null for one that is not known. */
export const engineOf = (game) => loaded.get(game) ?? null;
