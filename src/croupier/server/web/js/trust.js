// The small mark that says how many cards were proved right, and the loud one when a check failed.

import { logButton } from "./alarm.js";
import { h, icon, openDialog, setAttribute, setShown, setText } from "./dom.js";
import { recordButtons } from "./downloads.js";
import { picturesOf } from "./pictures.js";
import { findingText, plural, t } from "./texts.js";

export class TrustMark {
  constructor(room, app) {
    this.app = app;
    this.room = room;
    this.count = h("span", {});
    this.mark = h(
      "button",
      { type: "button", class: "trust", on: { click: () => this.#open() } },
      icon("shield"),
      this.count,
    );
    this.alarm = h("p", { class: "notice alarm", role: "alert", hidden: true });
  }

  show() {
    const { checked, findings } = this.room.guard.checker;
    const failed = findings.length > 0;
    this.mark.classList.toggle("failed", failed);
    setText(this.count, failed ? "!" : checked);
    const label = failed ? t("web.trust.failed") : plural("web.trust.checked", checked);
    setAttribute(this.mark, "aria-label", label);
    setAttribute(this.mark, "title", label);
    setShown(this.alarm, failed);
    setText(this.alarm, failed ? `${t("web.trust.failed")} ${findingText(findings.at(-1))}` : "");
  }

  #open() {
    const { checker } = this.room.guard;
    const { findings, notes } = checker;
    const said = (list, kind) =>
      [...new Set(list.map(findingText))].map((text) => h("p", { class: kind }, text));
    openDialog(
      t("web.trust.title"),
      t("web.close"),
      ...(findings.length ? said(findings, "fault") : [h("p", {}, plural("web.trust.checked", checker.checked))]),
      ...said(notes, "quiet"),
      h("p", {}, t("web.trust.how")),
      this.#code(checker),
      this.#facts(checker),
      h("p", { class: "quiet" }, t("web.trust.limits")),
      h("div", { class: "button-row" }, logButton(this.room)),
      recordButtons(this.app, this.room),
    );
  }

  /** The code to read aloud: who sees the same pictures sees the same deals, this one and all before it. */
  #code({ code }) {
    if (!code) return null;
    const pictures = picturesOf(code).map(({ sign, name }) =>
      h("li", {}, sign ? h("span", { class: "picture", "aria-hidden": "true" }, sign) : null, h("span", {}, name)),
    );
    return h(
      "section",
      { class: "cut-code" },
      h("h3", {}, t("web.trust.code")),
      h("ol", { class: "pictures" }, ...pictures),
      h("p", { class: "quiet" }, t("web.trust.code_how")),
    );
  }

  #facts(checker) {
    const { members, hand } = this.room.state.public;
    const deal = checker.deals.at(-1);
    const nameAt = (seat) => members.find((member) => member.seat === seat)?.name ?? String(seat + 1);
    const cutters = deal?.context.cutters.map(({ seat }) => nameAt(seat)) ?? [];
    const row = (label, ...values) => [h("dt", {}, label), h("dd", {}, ...values)];
    return h(
      "dl",
      { class: "facts" },
      ...row(t("web.trust.cutters"), cutters.join(", ") || "–"),
      ...row(t("web.trust.this_round", { hand }), String(checker.proved)),
      ...(deal ? row(t("web.trust.deal"), String(deal.context.deal)) : []),
      ...(checker.memory?.seal ? row(t("web.trust.seal"), h("code", { class: "root" }, checker.memory.seal)) : []),
    );
  }
}
