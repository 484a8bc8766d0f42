// The casino: one player and the house. Table, wallet, seeds, history, and a trainer who looks over the shoulder.

import { h, icon, setShown, setText } from "../dom.js";
import { Controls } from "/games/blackjack/controls.js";
import { Felt } from "/games/blackjack/felt.js";
import { openRounds, Rounds } from "/games/blackjack/rounds.js";
import { Unveiling } from "/games/blackjack/unveil.js";
import { clothText, sentence, totalText } from "/games/blackjack/words.js";
import { loadSheet, pageFile } from "../games/registry.js";
import { askName } from "../nameform.js";
import { read, write } from "../settings.js";
import { play } from "../sound.js";
import { tell } from "../speech.js";
import { number, t } from "../texts.js";
import { HELP_KEY, openHelp } from "../help.js";
import { tool, topBar } from "../topbar.js";
import { CasinoAlarm } from "./alarm.js";
import { History } from "./history.js";
import { Seeds } from "./seeds.js";
import { Alarmed, CasinoSession } from "./session.js";
import { Trainer } from "./trainer.js";

const TRAINER_KEY = "croupier.trainer";
const SEAT = 0;
/** Amounts of the casino are hundredths of a chip. */
const CHIP_UNITS = 100;

/** The page of the casino; for a newcomer, the question for a name. */
export async function makeCasino(app) {
  const title = `${t("web.casino.title")} · ${t("web.title")}`;
  if (!app.player)
    return { element: askName(app, t("web.casino.title"), t("web.casino.about")), title, close: () => {} };
  const session = new CasinoSession();
  await Promise.all([session.open(), loadSheet(pageFile("blackjack", "style.css"))]);
  return new CasinoPage(app, session, title);
}

/** The alarm says itself what is wrong. */
async function quietly(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Alarmed)) throw error;
  }
}

class CasinoPage {
  #closed = new AbortController();
  #menu = [];
  #advised = 0;

  constructor(app, session, title) {
    this.app = app;
    this.session = session;
    this.title = title;
    this.trainer = new Trainer();
    this.felt = new Felt();
    const { blackjackPayout, dealerRule } = session.params.gameParameters;
    this.felt.showPrint(...clothText(blackjackPayout === 1.5 ? "3:2" : `${blackjackPayout}:1`, dealerRule === "H17"));
    this.controls = new Controls((action) => this.#act(action), CHIP_UNITS);
    this.unveiling = new Unveiling((picture) => this.felt.show(picture, SEAT));
    this.alarm = new CasinoAlarm(session, (work) => app.attempt(work));
    this.seeds = new Seeds(session, () => app.attempt(() => quietly(() => session.rotate())));
    this.rounds = new Rounds("casino");
    this.lastRounds = h(
      "button",
      { type: "button", class: "quiet-button last-hands", hidden: true, on: { click: () => openRounds(this.rounds) } },
      icon("history"),
      h("span", {}, t("web.blackjack.last_rounds")),
    );
    this.history = new History(session, (work) => app.attempt(work));
    this.balance = h("b", {});
    this.refill = h(
      "button",
      {
        type: "button",
        class: "primary refill",
        hidden: true,
        on: { click: () => app.attempt(() => session.refill()) },
      },
      t("web.casino.refill"),
    );
    this.element = h(
      "div",
      { class: "casino-page" },
      this.#bar(),
      h(
        "main",
        { class: "casino" },
        h("div", { class: "casino-main" }, this.alarm.element, this.#table()),
        h("div", { class: "casino-side" }, this.#trainerPanel(), this.seeds.element, this.history.element),
      ),
    );
    session.addEventListener("state", ({ detail }) => this.#show(detail), { signal: this.#closed.signal });
    session.addEventListener("status", () => this.freshness(session.fresh), { signal: this.#closed.signal });
    this.#show([]);
  }

  close() {
    this.#closed.abort();
    this.session.close();
  }

  freshness(fresh) {
    this.element.classList.toggle("stale", !fresh);
    if (!fresh) this.controls.show([], "");
    else this.#showControls();
  }

  key(code) {
    if (code === "KeyT") {
      this.toggle.click();
      return true;
    }
    if (code === HELP_KEY) return this.#help();
    return this.controls.key(code);
  }

  #help() {
    openHelp("blackjack", null, [["T", "web.casino.trainer.title"]]);
    return true;
  }

  #bar() {
    const wallet = h("p", { class: "wallet" }, h("span", { class: "quiet" }, t("web.casino.balance")), this.balance);
    return topBar(this.app, h("span", { class: "gap" }), wallet, tool("help", t("web.help.open"), () => this.#help()));
  }

  #table() {
    const { betMin, betMax, gameParameters: game } = this.session.params;
    const rules = t("web.casino.rules", {
      decks: game.deckCount,
      dealer: t(`web.casino.dealer.${game.dealerRule}`),
      low: betMin,
      high: betMax,
    });
    return h(
      "section",
      { class: "blackjack casino-table", "aria-label": t("web.casino.table") },
      h("h1", { class: "unseen" }, t("web.casino.title")),
      h("div", { class: "info" }, h("p", {}, rules), this.lastRounds),
      this.felt.element,
      this.refill,
      this.controls.element,
    );
  }

  #trainerPanel() {
    this.toggle = h("input", {
      type: "checkbox",
      role: "switch",
      checked: read(TRAINER_KEY, false),
      on: { change: () => this.#toggleTrainer() },
    });
    this.verdict = h("p", { class: "trainer-verdict" });
    this.score = h("p", { class: "quiet" });
    return h(
      "section",
      { class: "panel trainer" },
      h(
        "label",
        { class: "row" },
        h(
          "span",
          {},
          h("b", {}, t("web.casino.trainer.title")),
          h("small", { class: "quiet" }, t("web.casino.trainer.about")),
        ),
        this.toggle,
      ),
      this.verdict,
      this.score,
    );
  }

  #toggleTrainer() {
    write(TRAINER_KEY, this.toggle.checked);
    setText(this.verdict, "");
    setText(this.score, "");
    this.#advise();
  }

  async #act(action) {
    const verdict = this.toggle.checked ? this.trainer.judge(action) : "";
    if (action.type === "PLACE_BET") scrollTo({ top: 0, behavior: "smooth" });
    const done = await this.app.attempt(() => quietly(() => this.session.act(action)));
    if (done && verdict) {
      setText(this.verdict, verdict);
      tell(verdict);
      setText(this.score, this.trainer.score);
    }
    if (!done) this.#showControls();
  }

  #show(events) {
    const { state } = this.session;
    this.seeds.show();
    this.history.show();
    this.alarm.show();
    if (this.session.alarms.length) {
      this.controls.show([], "");
      return;
    }
    for (const event of events) this.#narrate(event);
    if (state.menu !== this.#menu) {
      this.#menu = state.menu;
      if (events.length) this.controls.show([], "");
      this.#draw(state);
    }
  }

  async #draw(state) {
    const picture = this.#picture(state);
    this.rounds.keep(state.roundId, picture, SEAT);
    setShown(this.lastRounds, Boolean(this.rounds.last));
    if (!(await this.unveiling.take(picture))) return;
    setText(this.balance, number(state.balance));
    if (state.finalPayout !== undefined) {
      const change = state.finalPayout - state.totalBet;
      const kind = change > 0 ? "won" : change < 0 ? "lost" : "even";
      this.felt.showNote(t(`web.casino.result.${kind}`, { change: number(Math.abs(change)) }));
      if (this.#menu === state.menu && state.events.length) play(change > 0 ? "win" : change < 0 ? "fold" : "check");
    }
    this.#showControls();
    this.#advise();
  }

  #picture(state) {
    const over = state.finalPayout !== undefined;
    const seat = {
      seat: SEAT,
      name: this.app.player?.name ?? "",
      chips: state.balance,
      bet: 0,
      insurance: state.insurance?.betAmount ?? 0,
      hands: state.playerHands.map(({ betAmount, ...hand }) => ({ ...hand, bet: betAmount })),
      ...(over ? { finalPayout: state.finalPayout } : {}),
    };
    return {
      dealer: state.dealerHand,
      hasHole: true,
      seats: [seat],
      activeSeat: state.playerHands[state.activeHandIndex]?.canStand ? SEAT : null,
      activeHand: state.activeHandIndex,
    };
  }

  #showControls() {
    const { state } = this.session;
    const fresh = this.session.fresh && !this.session.alarms.length;
    const hand = state.playerHands[state.activeHandIndex];
    setShown(this.refill, fresh && !state.menu.length && state.balance < 1);
    this.controls.show(fresh ? state.menu : [], this.#promptText(state, hand), {
      bet: hand?.betAmount,
      insurance: Math.floor((state.betAmount * CHIP_UNITS) / 2) / CHIP_UNITS,
    });
  }

  #promptText({ menu, canInsure, playerHands, activeHandIndex, balance }, hand) {
    if (menu.some(({ action }) => action.type === "PLACE_BET")) return t("web.blackjack.place_your_bet");
    if (canInsure) return t("web.blackjack.insure");
    if (!menu.length) return balance < 1 ? t("web.casino.broke") : "";
    const total = totalText(hand);
    return playerHands.length > 1
      ? t("web.blackjack.hand_of", { hand: activeHandIndex + 1, hands: playerHands.length, total })
      : t("web.blackjack.your_hand", { total });
  }

  async #advise() {
    this.#advised += 1;
    const turn = this.#advised;
    this.controls.suggest("");
    setText(this.controls.hint, "");
    if (!this.toggle.checked) return;
    const { state } = this.session;
    const waiting = setTimeout(() => setText(this.controls.hint, t("web.casino.trainer.thinking")), 300);
    const advice = await this.trainer.advise(state).catch(() => ({ type: "", text: t("web.casino.trainer.silent") }));
    clearTimeout(waiting);
    if (turn !== this.#advised) return;
    setText(this.controls.hint, advice?.text ?? "");
    this.controls.suggest(advice?.type ?? "");
  }

  #narrate(event) {
    tell(sentence(event, () => t("web.casino.you")));
    if (event.type === "BET_PLACED") play("chips");
    else if (event.type.includes("CARD")) play("card");
  }
}
