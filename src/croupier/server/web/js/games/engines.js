// What the page knows of each game's rules: how to replay a round, and what a viewer of it may see. A game brings it as
// `engine.js` in its own page. No other part of the page is needed for it, so that checks run wherever JavaScript does.

import { currentName, gameNames, gameShape, pageFile } from "./registry.js";

const loaded = new Map();

/** Loads what is known of a game. A game that brings no engine has nothing to be loaded. */
export async function loadEngine(called) {
  const game = currentName(called);
  if (!loaded.has(game) && gameShape(game).page.engine) loaded.set(game, await import(pageFile(game, "engine.js")));
}

/** Loads the engines of all games. */
export const loadEngines = () => Promise.all(gameNames().map(loadEngine));

/** What was loaded of a game: { begin, amend, firstSetup, readRules, view, … }; null for a game that brings no rules to
 * the page, undefined for a game that there is not. */
export const engineOf = (game) =>
  loaded.get(currentName(game)) ?? (gameNames().includes(currentName(game)) ? null : undefined);
