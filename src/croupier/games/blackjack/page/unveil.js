// The dealer's last cards come one by one, and the result after them. What the server says is the truth; this only
// takes the time to look at it.

import { moves } from "/js/motion.js";
import { paceFactor } from "/js/settings.js";
import { totalOf } from "./totals.js";

const CARD_MS = 650;

/** The picture before the dealer's later cards were seen: no result is in it yet. */
function veiled(picture, shown) {
  const cards = picture.dealer.cards.slice(0, shown);
  const { hard, best } = totalOf(cards);
  const seats = picture.seats.map(({ finalPayout, ...seat }) => ({
    ...seat,
    chips: seat.chips - (finalPayout ?? 0),
    hands: seat.hands.map(({ result, ...hand }) => hand),
  }));
  return {
    ...picture,
    seats,
    dealer: { ...picture.dealer, cards, hardValue: hard, bestValue: best, hasBlackjack: false },
  };
}

export class Unveiling {
  #show;
  #count = 0;
  #seen = null;

  /** `show` is called with each picture in its time. */
  constructor(show) {
    this.#show = show;
  }

  /** Shows a picture; true when it was seen whole, false when a newer one took its place. The first is shown at once. */
  async take(picture) {
    this.#count += 1;
    const turn = this.#count;
    const cards = picture.dealer?.cards.length ?? 0;
    const first = Math.max(this.#seen !== null && this.#seen < cards ? this.#seen : 0, 1);
    const lookMs = CARD_MS * paceFactor();
    const slow = this.#seen !== null && this.#seen < cards && moves() && lookMs > 0;
    for (let shown = first; slow && shown < cards; shown++) {
      this.#show(veiled(picture, shown));
      await new Promise((resolve) => {
        setTimeout(resolve, lookMs);
      });
      if (turn !== this.#count) return false;
    }
    this.#seen = cards;
    this.#show(picture);
    return true;
  }
}
