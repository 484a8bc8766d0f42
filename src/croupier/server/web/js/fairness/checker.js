// One player's part in the deals of a room: cuts them from a hash chain, and checks every card that is shown.

import { Chain } from "./chain.js";
import { checkContributions, checkOpening, permutation } from "./cut.js";

const CHAIN_LINKS = 512;

const nameOf = (context) => `${context.hand}.${context.shuffle}`;

/** Findings are kept: whoever has one says so loudly. */
export class Checker {
  findings = [];
  /** How many cards were shown and proved right, in all and of the present round. */
  checked = 0;
  proved = [];
  #chain = null;
  #used = 0;
  #round = null;
  #deals = new Map();

  /** The anchor of a new chain, to be published before the next deal. */
  async newChain() {
    this.#chain = await Chain.fresh(CHAIN_LINKS);
    this.#used = 0;
    return this.#chain.anchor;
  }

  get needsChain() {
    return this.#chain === null || this.#used >= this.#chain.length;
  }

  /** The chain did not serve (a link was lost, or the anchor came too late): a new one is wanted. */
  dropChain() {
    this.#chain = null;
  }

  /** The link that this seat owes to a deal that waits for it; null when none does. A link serves one deal only. */
  contribution(shown, seat) {
    if (this.needsChain || seat === null) return null;
    for (const deal of shown.deals) {
      const known = this.#deal(deal);
      if (!deal.waitsFor.includes(seat) || known.cut) continue;
      this.#used += 1;
      known.cut = this.#chain.link(this.#used);
      return {
        value: known.cut,
        accepted: () => {
          known.counted = true;
        },
      };
    }
    return null;
  }

  /** Checks what came with a state: the openings, and that every card in sight has been opened. Whatever came, the
   * answer is findings: what cannot even be read is one too. */
  async check(frame, seat, cardsInSight) {
    const found = await this.#faults(frame, seat, cardsInSight).catch((error) => [
      {
        code: "PROOF_MALFORMED",
        facts: { where: `${frame.public.roomCode} ${frame.public.hand}`, fault: error.message },
      },
    ]);
    this.findings.push(...found);
    return found;
  }

  async #faults({ public: shown, openings }, seat, cardsInSight) {
    if (this.#round !== shown.hand) {
      this.#round = shown.hand;
      this.proved = [];
      this.#deals.clear();
    }
    for (const deal of shown.deals) this.#deal(deal);
    const found = [];
    for (const { shuffle = 0, ...opening } of openings) {
      const deal = shown.deals[shuffle];
      const known = this.#deal(deal);
      found.push(...(await this.#checkDeal(deal, known, seat)));
      const faults = await checkOpening(opening, deal.root, known.order, deal.context);
      found.push(...faults);
      if (!faults.length && !known.opened.has(opening.k)) {
        known.opened.add(opening.k);
        this.checked += 1;
        this.proved.push(opening.card);
      }
    }
    const bare = cardsInSight.filter((card) => !this.proved.includes(card));
    if (bare.length) found.push({ code: "CARD_WITHOUT_PROOF", facts: { cards: bare.join(" ") } });
    return found;
  }

  #deal(deal) {
    const name = nameOf(deal.context);
    if (!this.#deals.has(name)) {
      this.#deals.set(name, { root: deal.root, cut: null, counted: false, order: null, opened: new Set() });
    }
    return this.#deals.get(name);
  }

  /** Once a deal: the root is the one that was shown before the cut, and our own link is in it. */
  async #checkDeal(deal, known, seat) {
    if (known.order !== null) return [];
    const found = await checkContributions(deal.contributions);
    const facts = { hand: deal.context.hand, shuffle: deal.context.shuffle };
    const own = seat === null ? null : deal.contributions[seat];
    if (known.root !== deal.root) found.push({ code: "ROOT_CHANGED", facts });
    if (known.cut && own) {
      if (own.value !== null && own.value !== known.cut) found.push({ code: "CUT_REPLACED", facts });
      if (own.value === null && known.counted) found.push({ code: "CUT_LEFT_OUT", facts });
    }
    if (own?.anchor && this.#chain?.anchor === own.anchor) this.#used = Math.max(this.#used, own.link);
    known.order = await permutation(deal.root, deal.contributions, deal.size, deal.context);
    return found;
  }
}
