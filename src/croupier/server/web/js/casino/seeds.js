// The seeds: what the server promised before the bet, what the player brings, and what was revealed.

import { h, openDialog, setShown, setText } from "../dom.js";
import { saveText } from "../downloads.js";
import { number, t } from "../texts.js";

const SEED_CHARACTERS_MAX = 256;

export class Seeds {
  /** `rotate` has the server seed revealed. */
  constructor(session, rotate) {
    this.session = session;
    this.hash = h("code", {});
    this.next = h("code", {});
    this.proved = h("span", {});
    this.unproved = h("span", {});
    this.warning = h("p", { class: "notice seed-warning", role: "status", hidden: true }, t("web.casino.seeds.warning"));
    this.again = h("p", { class: "quiet", role: "status", hidden: true }, t("web.casino.seeds.again"));
    this.field = h("input", {
      name: "clientSeed",
      maxlength: SEED_CHARACTERS_MAX,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("web.casino.seeds.fresh"),
      "aria-label": t("web.casino.seeds.client"),
    });
    this.field.addEventListener("input", () => {
      session.typedSeed = this.field.value;
      this.show();
    });
    this.make = h(
      "button",
      { type: "button", class: "quiet-button small", on: { click: () => this.#clear() } },
      t("web.casino.seeds.fresh"),
    );
    this.rotate = h(
      "button",
      { type: "button", class: "quiet-button small", on: { click: rotate } },
      t("web.casino.seeds.rotate"),
    );
    this.revealed = h("div", { class: "revealed" });
    this.element = h(
      "section",
      { class: "panel seeds" },
      h("h2", {}, t("web.casino.seeds.title")),
      h(
        "dl",
        { class: "facts seed-facts" },
        h("dt", {}, t("web.casino.seeds.hash")),
        h("dd", {}, this.hash),
        h("dt", {}, t("web.casino.seeds.next")),
        h("dd", {}, this.next),
        h("dt", {}, t("web.casino.seeds.proved")),
        h("dd", { class: "proved" }, this.proved),
        h("dt", {}, t("web.casino.seeds.unproved")),
        h("dd", { class: "unproved" }, this.unproved),
      ),
      h("label", { class: "seed-field" }, h("span", {}, t("web.casino.seeds.client")), this.field),
      this.warning,
      this.again,
      h(
        "div",
        { class: "button-row" },
        this.make,
        this.rotate,
        h(
          "button",
          { type: "button", class: "quiet-button small", on: { click: () => this.#save() } },
          t("web.casino.seeds.log"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet-button small",
            on: {
              click: () =>
                openDialog(
                  t("web.casino.seeds.title"),
                  t("web.close"),
                  h("p", {}, t("web.casino.seeds.how")),
                  h("p", {}, t("web.casino.seeds.limits")),
                ),
            },
          },
          t("web.casino.seeds.explain"),
        ),
      ),
      this.revealed,
    );
  }

  show() {
    const { notebook, revealed, typedSeed } = this.session;
    setText(this.hash, notebook.commitment?.serverSeedHash ?? "");
    setText(this.next, notebook.commitment?.nextServerSeedHash ?? "");
    setText(this.proved, number(notebook.proven));
    setText(this.unproved, number(notebook.unproven));
    setShown(this.warning, Boolean(typedSeed));
    setShown(this.again, Boolean(notebook.pending));
    if (document.activeElement !== this.field) this.field.value = typedSeed;
    const key = revealed?.seed ?? "";
    if (this.revealed.dataset.seed === key) return;
    this.revealed.dataset.seed = key;
    this.revealed.replaceChildren(
      ...(revealed
        ? [
            h("p", {}, t("web.casino.seeds.revealed")),
            h("code", {}, revealed.seed),
            h("p", { class: "good", role: "status" }, t("web.casino.seeds.kept")),
          ]
        : []),
    );
  }

  #clear() {
    this.session.typedSeed = "";
    this.field.value = "";
    this.show();
  }

  async #save() {
    saveText(await this.session.log(), "croupier-casino-log.jsonl", "application/x-ndjson");
  }
}
