// Before somebody is removed from a room for good.

import { h, openDialog } from "./dom.js";
import { t } from "./texts.js";

/** Asks the host whether to remove somebody, and how far that reaches. */
export function openRemoval({ id, name }, page) {
  const wide = h("input", { type: "checkbox", name: "address", checked: true });
  const form = h(
    "form",
    { class: "column" },
    h("p", {}, t("web.removal.about")),
    h("label", { class: "row" }, h("span", {}, t("web.removal.address")), wide),
    h("p", { class: "quiet" }, t("web.removal.address_about")),
    h("button", { class: "primary" }, t("web.host.kick")),
  );
  const dialog = openDialog(t("web.removal.title", { name }), t("web.close"), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    page.command("HOST_KICK", { member: id, by: wide.checked ? "address" : "device" });
  });
}
