// The classroom table as everybody sees it: the dealer above, every player with open cards.

import { cardName, makeCard, showCard } from "../cards.js";
import { h, keyed, setAttribute, setShown, setText } from "../dom.js";
import { comeFrom } from "../motion.js";
import { t } from "../texts.js";

export class ClassroomBoard {
  constructor() {
    this.deck = h("span", { class: "class-deck", "aria-hidden": "true" });
    this.dealer = h("ol", { class: "desks dealer-desk", "aria-label": t("web.classroom.dealer") });
    this.players = h("ol", { class: "desks", "aria-label": t("web.classroom.players") });
    this.empty = h("p", { class: "class-empty" }, t("web.classroom.empty"));
    this.element = h("div", { class: "class-board" }, this.deck, this.dealer, this.empty, this.players);
  }

  /** Shows the state; `ownId` is who looks, "" for a spectator. */
  show(state, ownId) {
    const isDealer = ({ playerId }) => playerId === state.dealerPlayerId;
    const others = state.players.filter((player) => !isDealer(player));
    setShown(this.empty, !state.players.length);
    setAttribute(this.element, "data-crowd", others.length > 16 ? "many" : others.length > 6 ? "some" : "few");
    this.#show(this.dealer, state.players.filter(isDealer), state, ownId);
    this.#show(this.players, others, state, ownId);
  }

  #show(list, players, state, ownId) {
    keyed(
      list,
      players,
      ({ playerId }) => playerId,
      () => this.#make(),
      (element, player) => {
        const { parts } = element;
        element.classList.toggle("turn", player.playerId === state.currentTurnPlayerId);
        element.classList.toggle("own", player.playerId === ownId);
        setAttribute(element, "aria-current", player.playerId === state.currentTurnPlayerId ? "true" : null);
        setAttribute(element, "data-outcome", player.outcome === "None" ? null : player.outcome);
        setText(parts.name, player.playerId === ownId ? `${player.name} (${t("web.classroom.you")})` : player.name);
        setText(parts.role, player.isDealer ? t("web.classroom.dealer") : "");
        setText(parts.score, player.cards.length ? player.score : "");
        setAttribute(
          parts.score,
          "aria-label",
          player.cards.length ? t("web.classroom.score", { score: player.score }) : null,
        );
        setText(parts.state, stateText(player));
        this.#showCards(parts.cards, player.cards);
      },
    );
  }

  #make() {
    const parts = {
      name: h("b", { class: "desk-name" }),
      role: h("span", { class: "desk-role" }),
      cards: h("span", { class: "bj-cards" }),
      score: h("span", { class: "bj-total", role: "img" }),
      state: h("span", { class: "desk-state" }),
    };
    const element = h(
      "li",
      { class: "desk" },
      h("span", { class: "desk-head" }, parts.name, parts.role),
      parts.cards,
      h("span", { class: "desk-foot" }, parts.score, parts.state),
    );
    element.parts = parts;
    return element;
  }

  #showCards(row, cards) {
    if (cards.length < row.children.length || row.firstChild?.dataset.card !== cards[0]) row.replaceChildren();
    let fresh = 0;
    cards.forEach((card, place) => {
      if (row.children[place]) showCard(row.children[place], card);
      else {
        const made = makeCard(card);
        row.append(made);
        comeFrom(made, this.deck, { delay: 120 * fresh });
        fresh += 1;
      }
    });
  }
}

/** How somebody stands: the outcome once there is one. */
export function stateText({ outcome, turnState, cards }) {
  if (!cards.length) return "";
  return outcome !== "None"
    ? t(`web.classroom.outcome.${outcome}`)
    : turnState === "Playing"
      ? ""
      : t(`web.classroom.state.${turnState}`);
}

/** What changed from one state to the next, as sentences. */
export function changes(before, after) {
  const known = new Map((before?.players ?? []).map((player) => [player.playerId, player]));
  return after.players.flatMap((player) => {
    const old = known.get(player.playerId);
    const { name, score, cards, outcome } = player;
    const seen = old && old.cards.length <= cards.length ? old.cards.length : 0;
    const told = cards.slice(seen).map((card) => t("web.classroom.told.card", { name, card: cardName(card), score }));
    if (outcome !== "None" && outcome !== old?.outcome)
      told.push(t("web.classroom.told.outcome", { name, outcome: t(`web.classroom.outcome.${outcome}`), score }));
    return told;
  });
}
