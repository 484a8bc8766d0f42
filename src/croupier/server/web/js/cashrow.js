// At a table where chips can be bought: a purchase of any size, sitting out and coming back, and what of it is booked for
// the end of the round.

import { h, openDialog, setShown, setText } from "./dom.js";
import { MISSED_MAX } from "./people.js";
import { number, t } from "./texts.js";

/** Asks how many chips, from 1 to `most`, and buys them; `label` says whether at once or after the hand. */
function openPurchase(page, most, label) {
  const bounds = { min: 1, max: most, step: 1, value: most, required: true };
  const field = h("input", { type: "number", name: "chips", inputmode: "numeric", ...bounds });
  const slider = h("input", { type: "range", "aria-label": t("web.cash.amount"), ...bounds });
  field.addEventListener("input", () => (slider.value = field.value));
  slider.addEventListener("input", () => (field.value = slider.value));
  const form = h(
    "form",
    { class: "column" },
    h("p", {}, t("web.cash.at_most", { chips: number(most) })),
    h("label", { class: "column" }, h("span", {}, t("web.cash.amount")), field),
    slider,
    h("button", { class: "primary" }, label),
  );
  const dialog = openDialog(label, t("web.close"), form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await page.command("PLAYER_BUY_CHIPS", { chips: Number(field.value) })) dialog.close();
  });
}

export class CashRow {
  #most = 0;
  #isOut = false;

  constructor(page) {
    const button = (name, click) =>
      h("button", { type: "button", class: "quiet-button", "data-do": name, on: { click } });
    this.buy = button("buy", () => openPurchase(page, this.#most, this.buy.textContent));
    this.sit = button("sit", () => page.command(this.#isOut ? "PLAYER_SIT_IN" : "PLAYER_SIT_OUT"));
    this.wait = button("wait", () => page.command("PLAYER_SIT_IN", { wait: true }));
    setText(this.wait, t("web.cash.wait"));
    this.stand = button("stand", () => page.command("PLAYER_SWITCH_TO_SPECTATOR"));
    setText(this.stand, t("web.cash.stand"));
    this.note = h("p", { class: "quiet cash-note", role: "status" });
    this.element = h("div", { class: "chips-row", hidden: true }, this.buy, this.sit, this.wait, this.stand, this.note);
  }

  /** `most` may be bought now, or booked while `inRound`; `isOut` says whether the player sits out, null where a game has
   * no such thing. To be dealt in at once the player posts `owes`; else they wait for the big blind, as `waits` says. */
  show(member, { most, inRound, isOut, owes = 0, waits = false, missed = member?.missed ?? 0 }) {
    setShown(this.element, Boolean(member));
    if (!member) return;
    this.#most = most;
    this.#isOut = member.sitsNext === "" ? isOut === true : member.sitsNext === "out";
    setShown(this.buy, most > 0);
    setText(this.buy, t(inRound ? "web.cash.book" : "web.cash.buy"));
    setShown(this.sit, isOut !== null);
    const posts = this.#isOut && owes > 0;
    const back = posts ? t("web.cash.post", { chips: number(owes) }) : t("web.cash.sit_in");
    setText(this.sit, this.#isOut ? back : t("web.cash.sit_out"));
    setShown(this.wait, posts && !waits);
    const notes = [
      member.buying > 0 && t("web.cash.booked", { chips: number(member.buying) }),
      member.bought > 0 && t("web.cash.bought", { chips: number(member.bought) }),
      waits && member.sitsNext === "" && t("web.cash.waiting"),
      isOut === true && !waits && member.sitsNext === "" && t(missed ? "web.cash.out_missed" : "web.cash.out"),
      member.sitsNext === "out" && t(missed >= MISSED_MAX ? "web.cash.out_missed" : "web.cash.out_next"),
      member.sitsNext === "in" && t("web.cash.in_next"),
    ];
    setText(this.note, notes.filter(Boolean).join(" "));
  }
}
