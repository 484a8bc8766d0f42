// A question before something that cannot be taken back.

import { h, openDialog } from "./dom.js";
import { t } from "./texts.js";

/** Asks, and does it on a yes. The way back has the focus: a key pressed twice does nothing that cannot be undone. */
export function confirmFirst(title, about, yes, go) {
  const form = h(
    "form",
    { class: "column", "data-do": "confirm" },
    about ? h("p", {}, about) : null,
    h(
      "div",
      { class: "button-row" },
      h("button", { class: "primary" }, yes),
      h("button", { type: "button", class: "quiet-button", autofocus: true, on: { click: () => dialog.close() } }, t("web.ask.back")),
    ),
  );
  const dialog = openDialog(title, t("web.close"), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    go();
  });
}
