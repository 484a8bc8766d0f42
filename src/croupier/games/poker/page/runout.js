// Everybody's chance while an all-in runs out, from the cards that lie open: exact where the boards that can come are few
// enough for the page to count in a moment, as from the flop on in Hold'em, else of a sample of them.

import { NO_LOW, worthOf } from "./rules/worth.js";
import { BOARD_CARDS, packOf } from "./rules/options.js";

/** How many hands of five cards are weighed at most. */
const WEIGHED_MAX = 20_000;
/** A smaller sample would say too little. */
const SAMPLE_MIN = 2_000;

let last = { key: "", found: null };

/** Of a view, { bySeat, isSampled }: by seat the part of the pot that it can expect. Null while no all-in runs out with
 * every hand open, and where there would be too much to weigh. */
export function chances({ seats, board, street, otherBoards }, rules) {
  const live = seats.filter(({ inHand }) => inHand);
  const isOpen = live.length > 1 && live.every(({ cards }) => cards.length && cards.every((card) => card !== null));
  if (!isOpen || street === "OVER") return null;
  const hands = new Map(live.map(({ seat, cards }) => [seat, cards]));
  const boards = [board, ...otherBoards];
  // The same cards are asked about with every event that adds none.
  const key = JSON.stringify([...hands, boards]);
  if (last.key !== key) last = { key, found: equities(hands, boards, rules) };
  return last.found;
}

/** The same for open hands, by seat, on boards of up to five cards each. */
export function equities(hands, boards, rules) {
  const seen = new Set([...boards.flat(), ...[...hands.values()].flat()]);
  const left = packOf(rules).filter((card) => !seen.has(card));
  const missing = boards.reduce((sum, board) => sum + BOARD_CARDS - board.length, 0);
  if (!missing) return null;
  const affordable = Math.floor(WEIGHED_MAX / (hands.size * boards.length * waysToFive(rules, [...hands.values()][0].length)));
  const isSampled = chosen(left.length, missing) > affordable || boards.length > 1;
  if (isSampled && affordable < SAMPLE_MIN) return null;
  const shares = new Map([...hands.keys()].map((seat) => [seat, 0]));
  let count = 0;
  for (const runout of isSampled ? sample(left, missing, affordable) : combinations(left, missing)) {
    share(hands, filled(boards, runout), rules, shares);
    count += 1;
  }
  return { bySeat: new Map([...shares].map(([seat, sum]) => [seat, sum / count])), isSampled };
}

/** The boards with the cards that come. */
function filled(boards, runout) {
  let next = 0;
  return boards.map((board) => {
    const more = BOARD_CARDS - board.length;
    next += more;
    return [...board, ...runout.slice(next - more, next)];
  });
}

/** Adds to everybody's part what these boards bring: each an equal part, halved with the best low where there is one. */
function share(hands, boards, rules, shares) {
  const worths = [...hands].map(([seat, cards]) => [seat, worthOf(rules, cards, boards)]);
  const parts = worths[0][1].length / boards.length;
  for (let board = 0; board < boards.length; board += 1) {
    const places = Array.from({ length: parts }, (_, part) => board * parts + part);
    const played = places.map((place) => [place, Math.max(...worths.map(([, worth]) => worth[place]))]);
    const won = played.filter(([, best], part) => part === 0 || best !== NO_LOW);
    for (const [place, best] of won) {
      const winners = worths.filter(([, worth]) => worth[place] === best);
      for (const [seat] of winners) shares.set(seat, shares.get(seat) + 1 / (winners.length * won.length * boards.length));
    }
  }
}

/** In how many ways so many can be chosen. */
const chosen = (all, count) => (count ? (chosen(all - 1, count - 1) * all) / count : 1);

/** How many hands of five are weighed for one hand on one board. */
function waysToFive({ used, pot }, held) {
  const ways = used === "two" ? chosen(held, 2) * chosen(BOARD_CARDS, 2) : held > 2 ? chosen(held + BOARD_CARDS, 5) : 1;
  return pot === "high_low" ? 2 * ways : ways;
}

function* combinations(cards, count, from = 0) {
  if (!count) yield [];
  else
    for (let place = from; place <= cards.length - count; place += 1)
      for (const rest of combinations(cards, count - 1, place + 1)) yield [cards[place], ...rest];
}

/** So many run-outs; the same ones whenever the same cards are open. */
function* sample(cards, count, times) {
  const pack = [...cards];
  let state = 1;
  const below = (high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * high);
  };
  for (let time = 0; time < times; time += 1) {
    for (let place = 0; place < count; place += 1) {
      const other = place + below(pack.length - place);
      [pack[place], pack[other]] = [pack[other], pack[place]];
    }
    yield pack.slice(0, count);
  }
}
