// The cards of a round as a client checks them: each is proved, and a hand plays no card that was not dealt to it. A twin
// of `croupier.table.card_checker`.

import * as canonical from "./canonical.js";
import { DealChecker } from "./dealchecker.js";
import { count, isObject } from "./memory.js";
import { withoutGame } from "./mirror.js";
import { openedMirror } from "./roundchecker.js";
import { RulelessRound } from "./ruleless.js";
import { checkOpening } from "./sealedpack.js";

/** What is known of the cards of a room's present round. */
export class CardChecker extends DealChecker {
  /** How many cards were proved. */
  checked = 0;

  /** Takes proofs, and the moves that were made since. */
  _take(mirror, openings) {
    while (mirror.proved.length < this._shuffles.length) mirror.proved.push(new Map());
    const revealed = openings.map((opening) => this.#opening(mirror, opening));
    const opened = this.#takeOpened(mirror);
    if (this._found.length) return;
    if (opened || revealed.some(Boolean)) mirror.replay();
    mirror.advance(this._moves.slice(mirror.moves.length));
  }

  /** The mirror of a round that was under way when this client came. */
  _restored({ public: { game } }) {
    const engine = this.engineOf(game);
    const { context } = this._deals.get(this._shuffles[0]);
    if (engine === undefined) {
      this._fault("PLACES_NOT_CHECKED", { game: game.slice(0, 32) });
      return null;
    }
    if (engine === null) {
      this._noteWithoutRules(game);
      return new RulelessRound(context);
    }
    const start = canonical.read(context.setup);
    const mirror = openedMirror(engine, withoutGame(canonical.read(context.rules)), start);
    this._lastSetup = start.setup;
    return mirror;
  }

  /** Takes one proof. Whether a card became known that had been dealt unseen. */
  #opening(mirror, { shuffle = 0, ...opening }) {
    const { k, card } = opening;
    if (shuffle < 0 || shuffle >= this._shuffles.length) {
      this._fault("OPENING_OUT_OF_RANGE", { k, field: "shuffle", value: shuffle, high: 0 });
      return false;
    }
    const deal = this._deals.get(this._shuffles[shuffle]);
    const found = checkOpening(opening, deal.roots[deal.played], deal.order, deal.hashed);
    this._found.push(...found);
    if (found.length) return false;
    const known = mirror.proved[shuffle];
    if (!known.has(k)) this.checked += 1;
    known.set(k, card);
    return mirror.wasUnseen(shuffle, k);
  }

  /** Takes the cards of packs that are opened whole. Whether there are any. */
  #takeOpened(mirror) {
    let opened = false;
    this._shuffles.forEach((number, shuffle) => {
      const known = mirror.proved[shuffle];
      this._deals.get(number).cards.forEach((card, k) => {
        opened = true;
        if (!known.has(k)) known.set(k, card);
        else if (known.get(k) !== card) this._fault("CARD_MISPLACED", { k, shown: known.get(k), proved: card });
      });
    });
    return opened;
  }

  /** In a game with hidden hands: a card that another seat plays was dealt to that seat. */
  _checkPlayed(mirror) {
    if (mirror.tellsAll) return;
    const proved = new Map();
    mirror.proved.forEach((known, shuffle) => {
      for (const [k, card] of known)
        if (k < mirror.places[shuffle].length) count(proved, `${mirror.seatOf(shuffle, k)}: ${card}`);
    });
    const played = new Map();
    for (const { seat, action } of mirror.moves) {
      const card = isObject(action) ? (action.cardId ?? null) : null;
      if (card !== null) count(played, `${seat}: ${card}`);
    }
    for (const [place, times] of played)
      if ((proved.get(place) ?? 0) < times) this._fault("CARD_WITHOUT_PROOF", { place });
  }
}
