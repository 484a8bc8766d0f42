// The small mark that says how many cards were proved right, and the loud one when a check failed.

import { h, icon, openDialog, setAttribute, setShown, setText } from "./dom.js";
import { recordButtons } from "./downloads.js";
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
    const { checked, findings } = this.room.checker;
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
    const { checked, findings, proved } = this.room.checker;
    const { deals, members, hand } = this.room.state.public;
    const cutters = members.filter((member) => member.seat !== null && member.cuts).map((member) => member.name);
    const roots = deals.map((deal) => h("code", { class: "root" }, deal.root));
    openDialog(
      t("web.trust.title"),
      t("web.close"),
      ...(findings.length
        ? findings.map((finding) => h("p", { class: "fault" }, findingText(finding)))
        : [h("p", {}, plural("web.trust.checked", checked))]),
      h("p", {}, t("web.trust.how")),
      h(
        "dl",
        { class: "facts" },
        h("dt", {}, t("web.trust.cutters")),
        h("dd", {}, cutters.join(", ") || "–"),
        h("dt", {}, t("web.trust.this_round", { hand })),
        h("dd", {}, String(proved.length)),
        ...(roots.length ? [h("dt", {}, t("web.trust.root")), h("dd", {}, ...roots)] : []),
      ),
      h("p", { class: "quiet" }, t("web.trust.limits")),
      recordButtons(this.app, this.room),
    );
  }
}
