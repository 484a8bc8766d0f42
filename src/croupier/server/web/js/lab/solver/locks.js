// Locks: hands held to frequencies at a decision. The rest is solved around them.

import { h, icon, setShown, setText } from "../../dom.js";
import { number, t } from "../../texts.js";
import { actionName, share } from "./actions.js";
import { playerShort } from "./trail.js";

const LOCKS_MAX = 100;

export class Locks {
  #locks = [];
  #view = null;
  #cell = null;
  #figures = null;

  /** `changed` is called when locks come or go. */
  constructor(given, changed) {
    this.#locks = given;
    this.changed = changed;
    this.hands = h("input", { name: "lock-hands", maxlength: 2000, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: t("web.lab.solver.lock.all") });
    this.rows = h("div", { class: "lock-rows" });
    this.sum = h("p", { class: "quiet", role: "status" });
    this.add = h("button", { type: "button", class: "quiet-button", on: { click: () => this.#add() } }, t("web.lab.solver.lock.add"));
    this.editor = h(
      "div",
      { class: "lock-editor" },
      h("label", { class: "option" }, h("span", {}, t("web.lab.solver.lock.hands")), this.hands, h("small", {}, t("web.lab.solver.lock.hands_about"))),
      this.rows,
      this.sum,
      this.add,
    );
    this.list = h("ul", { class: "lock-list" });
    this.title = h("summary", {});
    this.element = h("details", { class: "panel locks" }, this.title, h("p", { class: "quiet" }, t("web.lab.solver.lock.about")), this.editor, this.list);
    this.element.addEventListener("input", ({ target }) => target !== this.hands && this.#count());
    this.#draw();
  }

  get value() {
    return this.#locks;
  }

  clear() {
    this.#locks = [];
    this.#draw();
  }

  /** A new point of the tree: where somebody acts, they can be locked. */
  at(view) {
    const moved = this.#view?.path !== view.path;
    this.#view = view;
    setShown(this.editor, view.kind === "decision");
    if (moved) this.#fill();
  }

  /** The cell that is chosen, if the player who acts may hold it. */
  choose(cell, figures) {
    if (cell === this.#cell) return;
    this.#cell = cell;
    this.#figures = figures?.strategy ? figures : null;
    this.hands.value = this.#figures ? cell : "";
    this.#fill();
  }

  /** The frequencies as they are played, to begin with. */
  #fill() {
    const { actions } = this.#view;
    const played = this.#figures?.strategy?.length === actions.length ? this.#figures.strategy : actions.map(({ frequency }) => frequency);
    this.rows.replaceChildren(
      ...actions.map(({ action }, place) =>
        h(
          "label",
          { class: "lock-row" },
          h("span", {}, actionName(action)),
          h("input", { type: "number", min: 0, max: 100, step: "any", inputmode: "decimal", "data-action": action, value: (100 * played[place]).toFixed(1) }),
          h("span", { "aria-hidden": "true" }, "%"),
        ),
      ),
    );
    this.#count();
  }

  #shares() {
    return Array.from(this.rows.querySelectorAll("input"), (field) => [field.dataset.action, Math.max(0, Number(field.value) || 0)]);
  }

  #count() {
    const total = this.#shares().reduce((sum, [, part]) => sum + part, 0);
    const even = Math.abs(total - 100) < 0.05;
    setText(this.sum, even ? "" : t("web.lab.solver.lock.sum", { sum: number(total, { maximumFractionDigits: 1 }) }));
    this.add.disabled = total <= 0 || this.#locks.length >= LOCKS_MAX;
  }

  #add() {
    const shares = this.#shares();
    const total = shares.reduce((sum, [, part]) => sum + part, 0);
    const frequencies = Object.fromEntries(shares.filter(([, part]) => part > 0).map(([action, part]) => [action, part / total]));
    const hands = this.hands.value.trim();
    const { path, player } = this.#view;
    this.#locks = [...this.#locks.filter((each) => each.path !== path || each.hands !== hands), { path, hands, frequencies, player }];
    this.#draw();
    this.changed();
  }

  #remove(lock) {
    this.#locks = this.#locks.filter((each) => each !== lock);
    this.#draw();
    this.changed();
    this.title.focus();
  }

  #draw() {
    setText(this.title, this.#locks.length ? t("web.lab.solver.lock.title_count", { count: this.#locks.length }) : t("web.lab.solver.lock.title"));
    this.list.replaceChildren(
      ...this.#locks.map((lock) => {
        const words = lockWords(lock);
        const remove = h("button", { type: "button", class: "icon", "aria-label": t("web.lab.solver.lock.remove", { lock: words }), on: { click: () => this.#remove(lock) } }, icon("close"));
        return h("li", {}, h("span", {}, words), remove);
      }),
    );
  }

  /** The locks as the solver takes them. */
  question() {
    return this.#locks.map(({ path, hands, frequencies }) => ({ path, hands, frequencies }));
  }
}

function lockWords({ path, hands, frequencies, player }) {
  const where = path ? path.split(",").map((step) => (step.includes(" ") || step.length > 2 ? actionName(step) : step)).join(", ") : t("web.lab.solver.lock.start");
  const played = Object.entries(frequencies).map(([action, part]) => `${actionName(action)} ${share(part, 0)}`);
  return t("web.lab.solver.lock.words", { where, player: player ? playerShort(player) : "", hands: hands || t("web.lab.solver.lock.all"), played: played.join(", ") });
}
