// How others come into a room: its code, its link, and the link as a QR code.

import { h, icon, openDialog } from "./dom.js";
import { ROOMS } from "./origin.js";
import { t } from "./texts.js";
import { toast } from "./toast.js";

const linkTo = (code) => new URL(`/#/room/${code}`, ROOMS).href;

/** Copies a link; where the browser does not let the page, shows it. */
export async function copyText(link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(t("web.room.copied"));
  } catch {
    toast(link);
  }
}

/** A QR code that the server draws; where it cannot, there is none. */
export function qrCode(address, label, side) {
  const image = h("img", { class: "qr", alt: label, src: address, width: side, height: side });
  image.addEventListener("error", () => image.remove());
  return image;
}

/** Everything that somebody needs to come. */
export function invitation(code) {
  const link = h("input", {
    class: "link",
    readonly: true,
    value: linkTo(code),
    "aria-label": t("web.room.link"),
    on: { focus: ({ target }) => target.select() },
  });
  const copy = h(
    "button",
    { type: "button", class: "quiet-button", on: { click: () => copyText(linkTo(code)) } },
    icon("copy"),
    t("web.room.copy"),
  );
  const picture = qrCode(`/api/rooms/${code}/qr.svg`, t("web.room.qr"), 200);
  return h("div", { class: "invitation" }, h("p", { class: "big-code" }, code), picture, link, copy);
}

/** The same in a dialog, for a room that is playing. */
export function openShare(code) {
  openDialog(t("web.waiting.invite"), t("web.close"), invitation(code));
}
