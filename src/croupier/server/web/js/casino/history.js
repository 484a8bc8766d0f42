// The last rounds: what was staked, what came back, and whether the cards can be checked yet.

import { h, keyed, setText } from "../dom.js";
import { saveText } from "../downloads.js";
import { signed } from "/games/blackjack/words.js";
import { number, t } from "../texts.js";

export class History {
  constructor(session, attempt) {
    this.session = session;
    this.attempt = attempt;
    this.rows = h("tbody", {});
    this.empty = h("p", { class: "quiet" }, t("web.casino.history.empty"));
    const head = ["round", "staked", "change", "seed"].map((name) =>
      h("th", { scope: "col" }, t(`web.casino.history.${name}`)),
    );
    this.table = h("table", { class: "history" }, h("thead", {}, h("tr", {}, ...head)), this.rows);
    this.element = h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.casino.history.title")),
      this.empty,
      h(
        "div",
        { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("web.casino.history.title") },
        this.table,
      ),
      h(
        "div",
        { class: "button-row" },
        h(
          "button",
          { type: "button", class: "quiet-button small", on: { click: () => attempt(() => this.#verify()) } },
          t("web.casino.history.verify"),
        ),
        h(
          "button",
          { type: "button", class: "quiet-button small", on: { click: () => attempt(() => this.#download()) } },
          t("web.casino.history.download"),
        ),
      ),
      (this.verdict = h("div", { class: "verdict-place" })),
    );
  }

  show() {
    const { rounds } = this.session;
    this.empty.hidden = rounds.length > 0;
    this.table.hidden = rounds.length === 0;
    keyed(
      this.rows,
      rounds,
      (round) => round.roundId,
      (round) => {
        const change = round.finalPayout - round.staked;
        return h(
          "tr",
          {},
          h("td", {}, number(round.roundId)),
          h("td", {}, number(round.staked)),
          h("td", { class: change > 0 ? "gain" : change < 0 ? "loss" : "" }, signed(change)),
          h("td", {}),
        );
      },
      (row, round) =>
        setText(row.lastChild, t(round.serverSeed ? "web.casino.history.revealed" : "web.casino.history.sealed")),
    );
  }

  /** Checks all rounds here and now, in this browser. */
  async #verify() {
    const [{ verify }, { verdictView }, text] = await Promise.all([
      import("../verify/verify.js"),
      import("../verify/report.js"),
      this.session.records(),
    ]);
    this.verdict.replaceChildren(verdictView(await verify(text)));
  }

  async #download() {
    saveText(await this.session.records(), "croupier-casino.jsonl", "application/x-ndjson");
  }
}
