// The games that have a table on this page, one line each. A game's entry is the default export of its folder's
// `index.js`, and says all that the rest of the page wants to know:
//
//   playNow       what one click opens: preset, room options, and the bots that sit down
//   seats         the fewest and the most people who can play
//   bots          the bots that can be added, the customary one first
//   presets       ready-made rules, the customary ones first
//   options       what a host may change, each { name, low, high, … }; see `options.js`
//   keepsSeats    true where a player cannot leave a running game: the page has no button for it then
//   emblem        the cards that stand for the game in the lobby
//   memory        makes what hears every state of a room with this game (`take(frame)`), whichever page is on show
//   standings     who came where: rows { name, value, rank } of a view, the best first; equal ranks share a place
//   table         loads the module whose `makeTable(room, helpers)` draws the table; see `holdem/table.js`

import blackjack from "./blackjack/index.js";
import holdem from "./holdem/index.js";
import sequence from "./sequence/index.js";

export const GAMES = { holdem, sequence, blackjack };
