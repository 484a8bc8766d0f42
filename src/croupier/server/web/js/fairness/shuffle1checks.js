// What a client holds a server to in shuffle-1, one check a function: { code, facts } of what is wrong, or null. Each
// stands by itself, so that a test can show what it is for by removing it. The same as dealing/shuffle1_checks.py.

import { isHash } from "./encoding.js";
import { commitment, packOf, shuffle } from "./shuffle1.js";

const NO_CARD = "–";
const FACT_CHARACTERS_MAX = 80;
/** The cards on the table before anything is played. */
export const FIRST_CARDS = 4;
/** The highest stake in halves of the bet: as dealt, with insurance, and with two hands doubled and insurance. */
const [DEALT_HALVES, INSURED_HALVES, PLAYED_HALVES] = [2, 3, 9];

const found = (code, facts = {}) => ({ code, facts });

/** A value out of a message as a fact: short. */
const fact = (value) => (Number.isSafeInteger(value) ? value : String(value).slice(0, FACT_CHARACTERS_MAX));

const hundredths = (amount) => Math.round(amount * 100);
const chips = (units) => (units % 100 === 0 ? fact(units / 100) : (units / 100).toFixed(2));

export const checks = {
  /** A commitment is a hash. */
  malformed({ serverSeedHash, nextServerSeedHash }) {
    const value = [serverSeedHash, nextServerSeedHash].find((hash) => !isHash(hash));
    return value === undefined ? null : found("HASH_MALFORMED", { value: fact(value) });
  },

  /** A session never goes back behind what was seen of it before it was asked. */
  woundBack(version, shown) {
    return shown.version >= version ? null : found("SESSION_WOUND_BACK", { first: version, now: shown.version });
  },

  /** A commitment that was replaced never comes back. */
  cameBack(replaced, { serverSeedHash: hash }) {
    return replaced.has(hash) ? found("HASH_CAME_BACK", { hash }) : null;
  },

  /** The seed is replaced when the player asks for it, and is revealed then. */
  unasked(known, shown) {
    return shown.serverSeedHash === known.nextServerSeedHash
      ? found("ROTATION_UNASKED", { hash: known.serverSeedHash })
      : null;
  },

  /** Until the reveal the commitment is the one that was first shown. */
  swapped(known, { serverSeedHash: now }) {
    return [known.serverSeedHash, known.nextServerSeedHash].includes(now)
      ? null
      : found("HASH_SWAPPED", { first: known.serverSeedHash, now });
  },

  /** What was announced to follow a commitment stays announced. */
  nextChanged(known, shown) {
    const [first, now] = [known.nextServerSeedHash, shown.nextServerSeedHash];
    return shown.serverSeedHash !== known.serverSeedHash || first === now
      ? null
      : found("NEXT_HASH_CHANGED", { first, now });
  },

  /** After a reveal the commitment is the one that was announced. */
  nextSkipped(known, { serverSeedHash: now }) {
    const announced = known.nextServerSeedHash;
    return now === announced ? null : found("NEXT_HASH_SKIPPED", { announced, now });
  },

  /** A round that runs is one that this player bet on. It is called where that is not so. */
  notMine({ roundId }) {
    return found("ROUND_NOT_MINE", { round: roundId });
  },

  /** A round that was dealt is shown until it is over. */
  dropped(running, { round }) {
    const isShown = (seen) =>
      ["serverSeedHash", "clientSeed", "nonce"].every((name) => seen[name] === (round ?? {})[name]);
    const lost = running.find((seen) => !isShown(seen));
    return lost ? found("ROUND_DROPPED", { round: lost.roundId }) : null;
  },

  /** A card that was shown stays what it was. */
  cardSwapped(before, { cards }) {
    const place = before?.cards.findIndex((card, index) => card !== null && card !== cards[index]) ?? -1;
    return place < 0
      ? null
      : found("CARD_SWAPPED", { card: place + 1, first: before.cards[place], now: fact(cards[place] ?? NO_CARD) });
  },

  /** The answer to a bet carries the hash that was shown before it. */
  otherHash(bet, { serverSeedHash: now }) {
    const first = bet.serverSeedHash;
    return now === first ? null : found("DEALT_BY_OTHER_HASH", { first, now: fact(now) });
  },

  /** The answer to a bet carries the client seed that came with it. */
  otherSeed(bet, { clientSeed: now }) {
    return now === bet.clientSeed
      ? null
      : found("DEALT_BY_OTHER_SEED", { first: fact(bet.clientSeed), now: fact(now) });
  },

  /** The answer to a bet carries the player's own count of the rounds on this pair of seeds. */
  otherNonce(bet, { nonce: now }) {
    return now === bet.nonce ? null : found("DEALT_BY_OTHER_NONCE", { first: bet.nonce, now: fact(now) });
  },

  /** The stake is the amount of the bet. In a round that was not shown from its beginning it may be higher, as far as the
   * player can have raised it on another device. Of a draw that was bet on several times, any amount will do. */
  otherAmount(sent, { staked, cards }, { answers }) {
    const [now, amounts] = [hundredths(staked), sent.map(hundredths)];
    const atFirst = cards.length === FIRST_CARDS ? INSURED_HALVES : PLAYED_HALVES;
    const halves = answers ? DEALT_HALVES : atFirst;
    return amounts.some((amount) => 2 * amount <= 2 * now && 2 * now <= halves * amount)
      ? null
      : found("STAKED_OTHER_AMOUNT", { first: chips(amounts.at(-1)), now: chips(now) });
  },

  /** A client knows that its seed is fresh and long enough, and how many more the server takes. */
  untrue(code, clientSeedsLeft) {
    const lies = ["CLIENT_SEED_USED", "BAD_CLIENT_SEED"].includes(code);
    return lies || (code === "ROTATE_SEED_FIRST" && clientSeedsLeft > 0) ? found("REFUSAL_UNTRUE", { code }) : null;
  },

  /** A seed is revealed whenever it is asked for and no round runs. */
  revealRefused(code, running) {
    return running ? null : found("REVEAL_REFUSED", { code: fact(code) });
  },

  /** The revealed seed fits the hash that was first shown. */
  notPromised(known, serverSeed) {
    const hash = known.serverSeedHash;
    return isHash(serverSeed) && commitment(serverSeed) === hash
      ? null
      : found("SEED_NOT_PROMISED", { hash, seed: fact(serverSeed) });
  },

  /** Every card that was seen is the one that the seeds make. */
  async notFromSeeds(known, rounds, serverSeed) {
    for (const { clientSeed, nonce, roundId, cards } of isHash(serverSeed) ? rounds : []) {
      const order = await shuffle(packOf(known.decks), serverSeed, clientSeed, nonce);
      const place = cards.findIndex((card, index) => card !== null && card !== (order[index] ?? NO_CARD));
      if (place >= 0) {
        const facts = { round: roundId, card: place + 1, shown: fact(cards[place]), due: order[place] ?? NO_CARD };
        return found("CARD_NOT_FROM_SEEDS", facts);
      }
    }
    return null;
  },
};
