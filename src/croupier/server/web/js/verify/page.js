// The verify page: takes records as a file, pasted, or of a room or the casino, and checks them in this browser.

import { h, icon, setShown, setText } from "../dom.js";
import { tell } from "../speech.js";
import { plural, t } from "../texts.js";
import { topBar } from "../topbar.js";
import { verdictView } from "./report.js";
import { verifyText } from "./verify.js";

export function makeVerify(app) {
  const page = new VerifyPage(app);
  const room = /^#\/verify\/([A-Za-z0-9]{1,16})$/.exec(location.hash)?.[1];
  if (room) page.fetchRoom(room.toUpperCase());
  return { element: page.element, title: `${t("web.verify.title")} · ${t("web.title")}`, close: () => {} };
}

class VerifyPage {
  #app;

  constructor(app) {
    this.#app = app;
    this.outcome = h("div", { class: "verdict-place", tabindex: "-1" });
    this.progress = h("p", { class: "quiet", role: "status" });
    this.about = h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.verify.what")),
      h("p", {}, t("web.verify.scope")),
      h("p", {}, t("web.verify.needs_rules")),
    );
    this.element = h(
      "main",
      { class: "verify" },
      topBar(app),
      h("h1", {}, t("web.verify.title")),
      h("p", {}, t("web.verify.explained")),
      h("div", { class: "verify-ways" }, this.#file(), this.#ofRoom(), this.#paste()),
      this.progress,
      this.outcome,
      this.about,
    );
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.#read(event.dataTransfer.files[0]);
    });
  }

  #file() {
    const input = h("input", {
      type: "file",
      name: "record",
      class: "unseen",
      accept: ".jsonl,.json,.txt",
      on: {
        change: () => {
          if (input.files[0]) this.#read(input.files[0]);
        },
      },
    });
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.verify.file")),
      h("p", { class: "quiet" }, t("web.verify.file_about")),
      h("label", { class: "quiet-button file-button" }, input, icon("upload"), t("web.verify.choose_file")),
    );
  }

  #ofRoom() {
    const code = h("input", {
      name: "room",
      required: true,
      maxlength: 80,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      placeholder: "ABC234",
      "aria-label": t("web.lobby.code"),
    });
    const form = h("form", { class: "join" }, code, h("button", { class: "primary" }, t("web.verify.check")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.fetchRoom(
        code.value
          .trim()
          .toUpperCase()
          .replace(/^.*[/]/, ""),
      );
    });
    const own = this.#app.connection.token
      ? h(
          "button",
          { type: "button", class: "quiet-button", on: { click: () => this.#fetch("/api/casino/records.jsonl") } },
          t("web.verify.casino"),
        )
      : null;
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.verify.room")),
      h("p", { class: "quiet" }, t("web.verify.room_about")),
      form,
      own,
    );
  }

  #paste() {
    const area = h("textarea", { name: "pasted", rows: 5, spellcheck: "false", "aria-label": t("web.verify.paste") });
    const check = h(
      "button",
      { type: "button", class: "primary", on: { click: () => this.#check(area.value) } },
      t("web.verify.check"),
    );
    return h("section", { class: "panel" }, h("h2", {}, t("web.verify.paste")), area, check);
  }

  async #read(file) {
    await this.#app.attempt(async () => this.#check(await file.text()));
  }

  fetchRoom(code) {
    return this.#fetch(`/api/rooms/${encodeURIComponent(code)}/records.jsonl`);
  }

  /** Gets records from the server, as this player saw them; they are checked here all the same. */
  async #fetch(address) {
    const { token } = this.#app.connection;
    const answer = await fetch(address, token ? { headers: { authorization: `Bearer ${token}` } } : {}).catch(
      () => null,
    );
    if (answer?.ok) await this.#check(await answer.text());
    else
      this.#show(
        h("p", { class: "fault", role: "alert" }, (await answer?.json().catch(() => null))?.message ?? t("web.lost")),
      );
  }

  async #check(text) {
    const outcome = await verifyText(text, (done, all) =>
      setText(this.progress, plural("web.verify.progress", all, { done })),
    );
    setText(this.progress, "");
    this.#show(verdictView(outcome));
  }

  #show(element) {
    this.outcome.replaceChildren(element);
    setShown(this.about, !element.classList.contains("verdict"));
    this.outcome.focus({ preventScroll: false });
    tell(element.querySelector(".verdict-line")?.lastChild.textContent ?? element.textContent);
  }
}
