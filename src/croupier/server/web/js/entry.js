// Who may come into a room: what the host decides about that, and about those who wait.

import { h, keyed, setShown } from "./dom.js";
import { openRemoval } from "./removal.js";
import { tell } from "./speech.js";
import { t } from "./texts.js";

const ENTRIES = ["open", "approval", "locked"];

/** The ways in. */
export const entrySelect = () =>
  h("select", { name: "entry" }, ...ENTRIES.map((entry) => h("option", { value: entry }, t(`web.entry.${entry}`))));

/** The host's choice of who may come in. */
export class EntryChoice {
  constructor(room, page) {
    this.room = room;
    this.select = entrySelect();
    this.select.addEventListener("change", async () => {
      await page.command("HOST_SET_ENTRY", { entry: this.select.value });
      this.show();
    });
    this.element = h("label", { class: "row", hidden: true }, h("span", {}, t("web.entry.label")), this.select);
  }

  show() {
    setShown(this.element, this.room.isHost);
    this.select.value = this.room.state.public.entry;
  }
}

/** Those who were removed: the host may take that back. */
export class RemovedList {
  constructor(room, page) {
    this.room = room;
    this.page = page;
    this.list = h("ul", { class: "people" });
    this.element = h("div", { class: "removed", hidden: true }, h("h3", {}, t("web.removal.removed")), this.list);
  }

  show() {
    const removed = this.room.isHost ? this.room.state.public.removed : [];
    keyed(
      this.list,
      removed,
      ({ id }) => id,
      ({ id, name }) =>
        h(
          "li",
          {},
          h("span", { class: "person" }, h("b", {}, name)),
          h(
            "button",
            {
              type: "button",
              class: "quiet-button small",
              "aria-label": `${t("web.removal.pardon")}: ${name}`,
              on: { click: () => this.page.command("HOST_PARDON", { member: id }) },
            },
            t("web.removal.pardon"),
          ),
        ),
    );
    setShown(this.element, removed.length > 0);
  }
}

/** Those who wait to be let in, where the host cannot overlook them. */
export class WaitingList {
  constructor(room, page) {
    this.room = room;
    this.page = page;
    this.element = h("ul", { class: "notice wants-in", "aria-label": t("web.entry.waiting"), hidden: true });
  }

  show() {
    const waiting = this.room.isHost ? this.room.state.public.waiting : [];
    keyed(
      this.element,
      waiting,
      ({ id }) => id,
      (person) => this.#row(person),
    );
    setShown(this.element, waiting.length > 0);
  }

  #row({ id, name }) {
    const button = (key, kind, click) =>
      h(
        "button",
        { type: "button", class: `${kind} small`, "aria-label": `${t(key)}: ${name}`, on: { click } },
        t(key),
      );
    tell(t("web.entry.asks", { name }));
    return h(
      "li",
      {},
      h("span", {}, t("web.entry.asks", { name })),
      button("web.entry.admit", "primary", () => this.page.command("HOST_ADMIT", { member: id })),
      button("web.entry.refuse", "quiet-button", () => openRemoval({ id, name }, this.page)),
    );
  }
}
