// The last rounds of this session, each as the picture of its end: kept in this browser until the tab is closed.

import { h, keyed, openDialog, setAttribute } from "/js/dom.js";
import { memberName } from "/js/people.js";
import { read, write } from "/js/settings.js";
import { t } from "/js/texts.js";
import { isOver, pictureOf } from "./picture.js";
import { signed } from "./words.js";

const ROUNDS_KEPT_MAX = 30;

export class Rounds {
  #key;

  constructor(name) {
    this.#key = `croupier.rounds.${name}`;
    this.all = read(this.#key, [], sessionStorage);
  }

  get last() {
    return this.all.at(-1) ?? null;
  }

  /** Takes what a state of a room tells. */
  take(frame) {
    const { public: shown, you } = frame;
    if (!you.view) return;
    const names = new Map(shown.members.map((member) => [member.seat, memberName(member, shown.game)]));
    this.keep(
      shown.hand,
      pictureOf(frame, (seat) => names.get(seat) ?? ""),
      you.seat,
    );
  }

  /** Keeps a picture if its round is over; the same round is kept once. */
  keep(round, picture, own) {
    if (!isOver(picture) || this.last?.round === round) return;
    this.all = [...this.all, { round, picture, own }].slice(-ROUNDS_KEPT_MAX);
    write(this.#key, this.all, sessionStorage);
  }
}

/** Opens the list of rounds with the last one on a felt; `below` stands under them. */
export async function openRounds(rounds, below = null) {
  const { Felt } = await import("./felt.js");
  const felt = new Felt();
  const list = h("ol", { class: "hand-list", reversed: true, "aria-label": t("web.blackjack.last_rounds") });
  const choose = (chosen) => {
    felt.show(chosen.picture, chosen.own);
    for (const item of list.children)
      setAttribute(item.firstChild, "aria-current", item.dataset.key === String(chosen.round) ? "true" : null);
  };
  keyed(
    list,
    [...rounds.all].reverse(),
    ({ round }) => round,
    (each) => h("li", {}, line(each, choose)),
  );
  const dialog = openDialog(
    t("web.blackjack.last_rounds"),
    t("web.close"),
    rounds.last
      ? h("div", { class: "replay" }, list, h("div", { class: "blackjack replay-view" }, felt.element))
      : h("p", { class: "quiet" }, t("web.blackjack.no_rounds")),
    below,
  );
  dialog.classList.add("wide");
  if (rounds.last) choose(rounds.last);
}

function line(each, choose) {
  const { round, picture, own } = each;
  const seat = picture.seats.find((candidate) => candidate.seat === own);
  const staked = seat ? seat.hands.reduce((sum, hand) => sum + hand.bet, 0) + seat.insurance : 0;
  const net = seat?.finalPayout === undefined ? null : seat.finalPayout - staked;
  return h(
    "button",
    { type: "button", on: { click: () => choose(each) } },
    h("span", { class: "hand-number" }, t("web.blackjack.round_number", { round })),
    h("span", {}),
    net === null ? null : h("b", { class: net > 0 ? "gain" : net < 0 ? "loss" : "" }, signed(net)),
  );
}
