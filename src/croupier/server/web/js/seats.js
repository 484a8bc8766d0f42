// Free seats, to be chosen from: before a match by everybody, at a table where people come and go by those who watch.

import { h, keyed, setShown } from "./dom.js";
import { t } from "./texts.js";

/** The seats of a room that nobody has. */
export function freeSeats({ members, options }) {
  const taken = new Set(members.map(({ seat }) => seat));
  return Array.from({ length: options.seats }, (_, seat) => seat).filter((seat) => !taken.has(seat));
}

/** A list of free seats; a press on one takes it. People count seats from 1. */
export function showFreeSeats(list, seats, page, name = "quiet-button") {
  keyed(
    list,
    seats,
    (seat) => seat,
    (seat) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: name,
            "data-seat": seat,
            "aria-label": t("web.waiting.take_seat", { seat: seat + 1 }),
            on: { click: () => page.command("SPECTATOR_SWITCH_TO_PARTICIPANT", { seat }) },
          },
          t("web.waiting.seat", { seat: seat + 1 }),
        ),
      ),
  );
}

/** For somebody who watches a table at which they could play. */
export class SeatOffer {
  constructor(room, page) {
    this.room = room;
    this.page = page;
    this.list = h("ul", { class: "button-row" });
    this.element = h("div", { class: "notice seat-offer", hidden: true }, h("span", {}, t("web.waiting.choose_seat")), this.list);
  }

  show() {
    const { public: shown } = this.room.state;
    const isOpen = shown.phase === "playing" && shown.openTable;
    const seats = this.room.me?.seat === null && isOpen ? freeSeats(shown) : [];
    showFreeSeats(this.list, seats, this.page, "quiet-button small");
    setShown(this.element, seats.length > 0);
  }
}
