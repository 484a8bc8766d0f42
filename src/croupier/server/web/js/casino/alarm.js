// The alarm: a full sentence, who did what, what to do, the evidence, and the player's decision. Until then nothing is bet.

import { h, keyed, setShown } from "../dom.js";
import { saveText } from "../downloads.js";
import { findingText, t } from "../texts.js";

export class CasinoAlarm {
  /** `attempt` does something that may fail, and says so. */
  constructor(session, attempt) {
    this.session = session;
    this.sentences = h("div", { class: "alarm-sentences" });
    const button = (name, kind, work) =>
      h("button", { type: "button", class: kind, "data-alarm": name, on: { click: work } }, t(`alarm.${name}`));
    this.element = h(
      "section",
      { class: "panel notice alarm casino-alarm", role: "alert", hidden: true },
      h("h2", {}, t("alarm.title")),
      this.sentences,
      h("p", {}, t("alarm.casino")),
      h(
        "div",
        { class: "button-row" },
        button("evidence", "primary", () => attempt(() => this.#save())),
        button("leave", "quiet-button", () => {
          location.hash = "#/";
        }),
        button("go_on", "quiet-button", () => attempt(() => session.goOn())),
      ),
    );
  }

  show() {
    const { alarms } = this.session;
    keyed(
      this.sentences,
      alarms.map((alarm, place) => ({ alarm, place })),
      ({ place }) => place,
      ({ alarm }) => h("p", { class: "fault", "data-code": alarm.code }, findingText(alarm)),
    );
    setShown(this.element, alarms.length > 0);
  }

  async #save() {
    saveText(await this.session.log(), "croupier-casino-log.jsonl", "application/x-ndjson");
  }
}
