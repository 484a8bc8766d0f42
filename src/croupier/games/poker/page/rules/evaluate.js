// What a poker hand is worth.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const ACE = 12;
/** The worst first. */
const CATEGORIES = [
  "HIGH_CARD",
  "ONE_PAIR",
  "TWO_PAIR",
  "THREE_OF_A_KIND",
  "STRAIGHT",
  "FLUSH",
  "FULL_HOUSE",
  "FOUR_OF_A_KIND",
  "STRAIGHT_FLUSH",
];

/** With the short pack a flush beats a full house. */
const SHORT_CATEGORIES = CATEGORIES.with(5, "FULL_HOUSE").with(6, "FLUSH");
/** The lowest straight of the short pack, 9-8-7-6-A. */
const SHORT_WHEEL = [7, 6, 5, 4, 12];

/** The worth of the best five of five to seven different cards: higher is better, equal hands split. */
export function strength(cards, short = false) {
  const worth = (category, ...ranks_) => worthIn(short ? SHORT_CATEGORIES : CATEGORIES, category, ranks_);
  const suited = SUITS.split("")
    .map((suit) => cards.filter((card) => card[1] === suit))
    .find((ofSuit) => ofSuit.length >= 5);
  const flush = suited && ranksOf(suited, 1);
  if (flush && topOfRun(flush, short)) return worth("STRAIGHT_FLUSH", topOfRun(flush, short));
  const ranks = ranksOf(cards, 1);
  const [pair, otherPair] = ranksOf(cards, 2);
  const [three] = ranksOf(cards, 3);
  const [four] = ranksOf(cards, 4);
  const kickers = (...used) => ranks.filter((rank) => !used.includes(rank));
  if (four !== undefined) return worth("FOUR_OF_A_KIND", four, kickers(four)[0]);
  if (three !== undefined && otherPair !== undefined)
    return worth("FULL_HOUSE", three, three === pair ? otherPair : pair);
  if (flush) return worth("FLUSH", ...flush.slice(0, 5));
  if (topOfRun(ranks, short)) return worth("STRAIGHT", topOfRun(ranks, short));
  if (three !== undefined) return worth("THREE_OF_A_KIND", three, ...kickers(three).slice(0, 2));
  if (otherPair !== undefined) return worth("TWO_PAIR", pair, otherPair, kickers(pair, otherPair)[0]);
  if (pair !== undefined) return worth("ONE_PAIR", pair, ...kickers(pair).slice(0, 3));
  return worth("HIGH_CARD", ...ranks.slice(0, 5));
}

/** What the best five of these cards are called, and which they are, in the order in which they count: the pair before
 * its kickers, the ace of a wheel last. Where several choices are worth the same, the suit later in the alphabet. */
export function bestFive(cards, short = false) {
  const category = (short ? SHORT_CATEGORIES : CATEGORIES)[Math.floor(strength(cards, short) / 13 ** 5)];
  const highFirst = [...cards].sort((one, other) => numberOf(other) - numberOf(one));
  if (category in SETS) return { category, cards: setsFirst(highFirst, SETS[category]) };
  const suits = cards.map((card) => card[1]);
  const suit = suits.find((each) => suits.filter((other) => other === each).length >= 5);
  const suited = category === "STRAIGHT" ? highFirst : highFirst.filter((card) => card[1] === suit);
  if (category === "FLUSH") return { category, cards: suited.slice(0, 5) };
  const top = topOfRun(ranksOf(suited, 1), short);
  const ranks = short && top === SHORT_WHEEL[0] ? SHORT_WHEEL : [0, 1, 2, 3, 4].map((below) => (top - below + 13) % 13);
  return { category, cards: ranks.map((rank) => suited.find((card) => RANKS.indexOf(card[0]) === rank)) };
}

/** The sets of cards of one rank that a hand has, in the order in which they count; the rest are kickers. */
const SETS = {
  FOUR_OF_A_KIND: [4],
  FULL_HOUSE: [3, 2],
  THREE_OF_A_KIND: [3],
  TWO_PAIR: [2, 2],
  ONE_PAIR: [2],
  HIGH_CARD: [],
};

const numberOf = (card) => 4 * RANKS.indexOf(card[0]) + SUITS.indexOf(card[1]);

/** Takes the highest set of each size out; the highest of what is left are the kickers. */
function setsFirst(highFirst, sizes) {
  const five = [];
  const rest = [...highFirst];
  for (const size of sizes) {
    // Cards of one rank stand side by side.
    const place = rest.findIndex((card, at) => rest[at + size - 1]?.[0] === card[0]);
    five.push(...rest.splice(place, size));
  }
  return [...five, ...rest].slice(0, 5);
}

/** The ranks of which there are so many cards or more, the highest first. */
function ranksOf(cards, count) {
  const counts = Array(RANKS.length).fill(0);
  for (const card of cards) counts[RANKS.indexOf(card[0])] += 1;
  return counts.flatMap((times, rank) => (times >= count ? [rank] : [])).reverse();
}

/** The highest of five ranks in a row, 3 for the wheel 5-4-3-2-A; 0 where there are none. */
function topOfRun(ranks, short = false) {
  for (let top = ACE; top >= 3; top--) {
    if ([0, 1, 2, 3, 4].every((below) => ranks.includes((top - below + 13) % 13))) return top;
  }
  return short && SHORT_WHEEL.every((rank) => ranks.includes(rank)) ? SHORT_WHEEL[0] : 0;
}

/** Hands compare by category, then by each rank that counts, in order. */
function worthIn(categories, category, ranks) {
  return [0, 1, 2, 3, 4].reduce((sum, place) => 13 * sum + (ranks[place] ?? 0), categories.indexOf(category));
}
