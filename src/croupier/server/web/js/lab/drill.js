// The drill: hands of a solved spot to decide. Decisions come as often as in play, close hands more often.

import { makeCard } from "../cards.js";
import { h, setShown, setText } from "../dom.js";
import { tell } from "../speech.js";
import { number, t } from "../texts.js";
import { percent } from "./figures.js";
import { combinations, HANDS } from "./hands.js";

/** A hand whose choices differ by this part of the unit comes half as often as one where they are equal. */
const EDGE = 0.2;
/** Choices that differ by less of the unit are equally good. */
const EVEN = 0.001;
const WRONG_FACTOR = 4;

export class Drill {
  #charts = [];
  #unit = 1;
  #asked = null;
  #done = 0;
  #wrong = new Map();
  #score = { answered: 0, right: 0, lost: 0 };

  constructor() {
    const button = (name, key, act) =>
      h("button", { type: "button", class: "primary", "aria-keyshortcuts": key, on: { click: act } }, t(`web.lab.pushfold.${name}`));
    this.spot = h("p", { class: "drill-spot" });
    this.cards = h("div", { class: "drill-cards" });
    this.go = button("go", "A", () => this.#answer("go"));
    this.fold = button("fold", "F", () => this.#answer("fold"));
    this.next = button("next", "Enter", () => this.#ask());
    this.verdict = h("p", { class: "drill-verdict" });
    this.score = h("p", { class: "quiet" });
    this.element = h(
      "section",
      { class: "panel drill", "aria-label": t("web.lab.pushfold.drill") },
      h("h2", {}, t("web.lab.pushfold.drill")),
      h("p", { class: "quiet" }, t("web.lab.pushfold.drill_about")),
      this.spot,
      this.cards,
      h("div", { class: "button-row" }, this.go, this.fold, this.next),
      this.verdict,
      this.score,
    );
  }

  /** Hands come from these charts from now on; what was asked stays asked while the same spot gets better. */
  take({ charts, payouts, bigBlind, done }) {
    const other = done <= this.#done;
    this.#done = done;
    this.#charts = charts.filter(({ after }) => after.length < 2);
    this.#unit = payouts.length ? payouts.reduce((sum, each) => sum + each, 0) : bigBlind;
    if (!this.#asked || other) this.#ask(false);
  }

  /** True for a key that was meant for the drill. */
  key(code) {
    const act = { KeyA: this.go, KeyF: this.fold, Enter: this.next }[code];
    const elsewhere = code === "Enter" && !this.element.contains(document.activeElement) && document.activeElement !== document.body;
    if (!act || act.hidden || !this.#asked || elsewhere) return false;
    act.click();
    return true;
  }

  #ask(focus = true) {
    const chances = [];
    let total = 0;
    for (const chart of this.#charts)
      for (let place = 0; place < HANDS.length; place += 1) {
        const apart = Math.abs(chart.go[place] - chart.fold[place]) / this.#unit;
        const again = this.#wrong.get(name(chart, place)) ?? 1;
        total += (chart.probability * combinations(HANDS[place]) * again * EDGE) / (EDGE + apart);
        chances.push(total);
      }
    const drawn = Math.random() * total;
    const found = Math.max(0, chances.findIndex((each) => drawn < each));
    const chart = this.#charts[Math.floor(found / HANDS.length)];
    const place = found % HANDS.length;
    this.#asked = { chart, place, answered: false };
    const { seat, after } = chart;
    const words = after.length ? "ask_against" : "ask_first";
    setText(this.spot, t(`web.lab.pushfold.${words}`, { seat, before: after.join(" + ") }));
    const hand = HANDS[place];
    const suits = hand[2] === "s" ? ["s", "s"] : ["s", "h"];
    this.cards.replaceChildren(...suits.map((suit, card) => makeCard(hand[card] + suit)));
    setText(this.verdict, "");
    this.#offer(true);
    if (focus) {
      this.go.focus();
      tell(`${this.spot.textContent} ${hand}`);
    }
  }

  #offer(open) {
    setShown(this.go, open);
    setShown(this.fold, open);
    setShown(this.next, !open);
  }

  #answer(choice) {
    const { chart, place, answered } = this.#asked;
    if (answered) return;
    this.#asked.answered = true;
    const better = chart.go[place] - chart.fold[place];
    const best = better > 0 ? "go" : "fold";
    const even = Math.abs(better) <= EVEN * this.#unit;
    const right = even || choice === best;
    const lost = right ? 0 : Math.abs(better);
    this.#score.answered += 1;
    this.#score.right += Number(right);
    this.#score.lost += lost;
    const key = name(chart, place);
    if (right) this.#wrong.delete(key);
    else this.#wrong.set(key, WRONG_FACTOR * (this.#wrong.get(key) ?? 1));
    const facts = {
      best: t(`web.lab.pushfold.${best}`),
      margin: number(Math.abs(better), { minimumFractionDigits: 3, maximumFractionDigits: 3 }),
      often: percent(chart.frequencies[place], 0),
    };
    setText(this.verdict, t(`web.lab.pushfold.${even ? "even" : right ? "right" : "wrong"}`, facts));
    this.verdict.dataset.right = right;
    const score = { ...this.#score, lost: number(this.#score.lost, { maximumFractionDigits: 3 }) };
    setText(this.score, t("web.lab.pushfold.score", score));
    this.#offer(false);
    this.next.focus();
    tell(this.verdict.textContent);
  }
}

const name = ({ seat, after }, place) => [seat, ...after, HANDS[place]].join(" ");
