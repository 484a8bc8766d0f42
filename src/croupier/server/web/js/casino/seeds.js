// The seeds: what the server promised before the bet, what the player brings, and what was revealed.

import { h, openDialog, setText } from "../dom.js";
import { t } from "../texts.js";
import { newSeed } from "./session.js";

const SEED_CHARACTERS_MAX = 256;

export class Seeds {
  /** `rotate` has the server seed revealed. */
  constructor(session, rotate) {
    this.session = session;
    this.hash = h("code", {});
    this.next = h("code", {});
    this.nonce = h("span", {});
    this.field = h("input", {
      name: "clientSeed",
      maxlength: SEED_CHARACTERS_MAX,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": t("web.casino.seeds.client"),
    });
    this.field.addEventListener("input", () => {
      session.clientSeed = this.field.value;
    });
    this.make = h(
      "button",
      { type: "button", class: "quiet-button small", on: { click: () => this.#make() } },
      t("web.casino.seeds.make"),
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
        h("dt", {}, t("web.casino.seeds.nonce")),
        h("dd", {}, this.nonce),
        h("dt", {}, t("web.casino.seeds.next")),
        h("dd", {}, this.next),
      ),
      h("label", { class: "seed-field" }, h("span", {}, t("web.casino.seeds.client")), this.field),
      h(
        "div",
        { class: "button-row" },
        this.make,
        this.rotate,
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
    const { state, revealed, clientSeed } = this.session;
    setText(this.hash, state.seeds.serverSeedHash);
    setText(this.next, state.seeds.nextServerSeedHash);
    setText(this.nonce, state.seeds.nonce);
    if (document.activeElement !== this.field) this.field.value = clientSeed;
    const key = revealed?.seed ?? "";
    if (this.revealed.dataset.seed === key) return;
    this.revealed.dataset.seed = key;
    this.revealed.replaceChildren(
      ...(revealed
        ? [
            h("p", {}, t("web.casino.seeds.revealed")),
            h("code", {}, revealed.seed),
            h(
              "p",
              { class: revealed.kept ? "good" : "fault", role: revealed.kept ? "status" : "alert" },
              t(revealed.kept ? "web.casino.seeds.kept" : "web.casino.seeds.broken"),
            ),
          ]
        : []),
    );
  }

  #make() {
    this.session.clientSeed = newSeed();
    this.field.value = this.session.clientSeed;
  }
}
