// The games there are, as the server describes them at `/api/games`, and what each brings to the page. Seats, presets,
// options, bounds, bots and packs stand in the description, and nowhere in the page.
//
// A game's own page stands in its folder and is served under `/games/<name>/`. It may have:
//
//   index.js    its entry, the default export; what it leaves out is as in `generic/index.js`:
//                 emblem      the cards that stand for the game in the lobby
//                 firstOptions  the options of the rules that most hosts change; the others are folded away in the form
//                 playNow     room options of a game that one click opens
//                 memory      makes what hears every state of a room (`take(frame)`), whichever page is on show
//                 standings   who came where: rows { name, value, rank } of a view, the best first
//                 stakes      what is played for by these rules, in words; `stakeOptions` are the options that it tells
//                 shortcuts   what keys do: pairs of keys and the key of a text
//                 story       loads the module whose `story(memory)` tells what a match was like, in sentences
//                 records     what else of a room can be downloaded: { key, file, type }
//                 table       loads the module whose `makeTable(room, page)` draws the table; see `generic/table.js`
//   style.css   its style sheet
//   engine.js   its rules, for the checks; see `engines.js`

import generic from "./generic/index.js";

let described = new Map();
let former = new Map();
let roomOptions = { options: [], values: {} };
const entries = new Map();
const sheets = new Map();
const asked = new Set();

/** Takes the description of all games. */
export function useGames({ games, room, roomValues }) {
  described = new Map(games.map((game) => [game.name, game]));
  former = new Map(games.flatMap(({ name: game, formerNames }) => formerNames.map((each) => [each.name, { ...each, game }])));
  roomOptions = { options: room, values: roomValues };
}

/** Asks the server which games there are. */
export async function loadGames() {
  const answer = await fetch("/api/games");
  if (!answer.ok) throw new Error(`games: ${answer.status}`);
  useGames(await answer.json());
}

/** The names of all games. */
export const gameNames = () => [...described.keys()];

/** The name of a game today: rooms, records and lists of earlier releases may have its former name. */
export const currentName = (name) => former.get(name)?.game ?? name;

/** The name under which proofs and records of this edition of a game's rules are written. */
export function writtenName(game, edition) {
  const found = [...former.values()].find((each) => each.game === currentName(game) && edition <= each.lastEdition);
  return found ? found.name : currentName(game);
}

/** What every room lets its host decide: { options, values }. */
export const roomChoices = () => roomOptions;

const NO_PAGE = { index: false, style: false, engine: false };

/** The description of a game; one that the server does not know has nothing to choose from. */
export const gameShape = (name) =>
  described.get(currentName(name)) ?? { name, page: NO_PAGE, presets: [], options: [], bots: [], fillingBots: [], formerNames: [] };

/** The preset of that name; the customary one for a name that there is not. */
export function presetOf(game, name) {
  const { presets } = gameShape(game);
  return presets.find((preset) => preset.name === name) ?? presets[0] ?? null;
}

/** The address of a file of a game's own page. */
export const pageFile = (name, file) => `/games/${encodeURIComponent(name)}/${file}`;

/** Loads a game's entry. */
export async function loadGame(called) {
  const name = currentName(called);
  if (!described.has(name) && !asked.has(name)) {
    // It may have come since this page was opened.
    asked.add(name);
    await loadGames().catch(() => {});
  }
  if (gameShape(name).page.index && !entries.has(name))
    entries.set(name, { ...generic, ...(await import(pageFile(name, "index.js"))).default });
  return gameEntry(name);
}

/** Loads the module that draws a game's table, and its style sheet. */
export async function loadTable(called) {
  const name = currentName(called);
  const entry = await loadGame(name);
  const shared = entry.table === generic.table && loadSheet("/css/generic.css");
  const [table] = await Promise.all([entry.table(), loadStyle(name), shared]);
  return table;
}

/** Loads the module that shows a game's rounds again, and the style sheet of its table; null where a game has none. */
export async function loadReplay(called) {
  const name = currentName(called);
  const { replay } = await loadGame(name);
  if (!replay) return null;
  const [module] = await Promise.all([replay(), loadStyle(name)]);
  return module;
}

/** Loads a game's own style sheet, if it has one. */
const loadStyle = (name) => gameShape(name).page.style && loadSheet(pageFile(name, "style.css"));

/** What was loaded of a game's entry; the generic one for a game that brings none. */
export const gameEntry = (name) => entries.get(currentName(name)) ?? generic;

/** Adds a style sheet, once; resolves when it holds. */
export function loadSheet(address) {
  if (!sheets.has(address)) {
    const link = document.createElement("link");
    const loaded = new Promise((resolve) => {
      for (const event of ["load", "error"]) link.addEventListener(event, resolve, { once: true });
    });
    Object.assign(link, { rel: "stylesheet", href: address });
    document.head.append(link);
    sheets.set(address, loaded);
  }
  return sheets.get(address);
}
