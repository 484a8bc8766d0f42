// The way through the tree: every decision with its actions and how often they are taken, every card that was dealt.

import { cardName, smallCard } from "../../cards.js";
import { h, setVariable } from "../../dom.js";
import { number, t } from "../../texts.js";
import { actionColours, actionDetail, share } from "./actions.js";
import { cardsOf } from "./spotform.js";

const BOARD_MAX = 5;

export class Trail {
  /** `go` is called with a path. */
  constructor(go) {
    this.go = go;
    this.list = h("ol", { class: "trail" });
    this.element = h(
      "div",
      { class: "scroll-x trail-scroll", tabindex: "0", role: "region", "aria-label": t("web.lab.solver.way") },
      this.list,
    );
  }

  show(view) {
    const taken = view.way.map((step) => step.taken);
    const steps = [...view.way, { ...view, taken: null, stack: null }];
    this.list.replaceChildren(...steps.map((step, place) => this.#step(step, taken.slice(0, place), view)).filter(Boolean));
    const last = this.list.lastElementChild;
    this.element.scrollLeft = last ? last.offsetLeft + last.offsetWidth : 0;
  }

  #step(step, before, view) {
    const here = step.taken === null;
    const current = here ? "step" : null;
    if (step.player) return this.#decision(step, before, current);
    if (!here) return this.#dealt(step.taken, before);
    const ended = view.kind === "end";
    const words = ended ? t("web.lab.solver.ended") : t("web.lab.solver.to_deal", { street: streetName(view.board) });
    return h("li", { class: "trail-step", "aria-current": current }, h("p", { class: "trail-head" }, words), potLine(step.pot));
  }

  #decision({ player, pot, actions, taken, board }, before, current) {
    const colours = actionColours(actions);
    const faced = actions.some(({ action }) => action === "call");
    const buttons = actions.map(({ action, frequency }, place) => {
      const button = h(
        "button",
        {
          type: "button",
          class: "trail-action",
          "data-action": action,
          "aria-pressed": String(action === taken),
          "aria-keyshortcuts": current ? String(place + 1) : null,
          on: { click: () => this.go([...before, action].join(",")) },
        },
        h("span", {}, actionDetail(action, pot, faced)),
        h("b", {}, share(frequency)),
      );
      setVariable(button, "--colour", colours[place]);
      setVariable(button, "--part", frequency);
      return button;
    });
    const head = h(
      "button",
      { type: "button", class: "trail-head", on: { click: () => this.go(before.join(",")) } },
      h("b", {}, playerShort(player)),
      " ",
      h("small", {}, streetName(board, 0)),
    );
    return h("li", { class: "trail-step", "aria-current": current }, head, potLine(pot), ...buttons);
  }

  #dealt(card, before) {
    const change = h(
      "button",
      { type: "button", class: "trail-head", "aria-label": t("web.lab.solver.other_card", { card: cardName(card) }), on: { click: () => this.go(before.join(",")) } },
      smallCard(card),
    );
    return h("li", { class: "trail-step trail-card" }, change);
  }
}

export const playerShort = (player) => t(`web.lab.solver.short.${player.toLowerCase()}`);

/** The street of a board; with `ahead`, the one that comes next. */
const streetName = (board, ahead = 1) =>
  t(`web.lab.solver.street.${["flop", "turn", "river"][Math.min(cardsOf(board).length + ahead, BOARD_MAX) - 3]}`);

const potLine = (pot) => h("p", { class: "quiet trail-pot" }, t("web.lab.solver.pot_of", { pot: number(pot) }));
