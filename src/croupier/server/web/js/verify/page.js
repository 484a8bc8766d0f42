// The verify page: takes records as a file, pasted, or of a room or the casino, and with them a player's own log, and
// checks them in this browser.

import { h, icon, setShown, setText } from "../dom.js";
import { toHex, utf8 } from "../fairness/encoding.js";
import { sha256 } from "../fairness/hash.js";
import { vault } from "../fairness/vault.js";
import { fairnessLink } from "../places.js";
import { tell } from "../speech.js";
import { plural, t } from "../texts.js";
import { topBar } from "../topbar.js";
import { verdictView } from "./report.js";
import { FILE_BYTES_MAX, verify } from "./verify.js";

export function makeVerify(app) {
  const page = new VerifyPage(app);
  const room = /^#\/verify\/([A-Za-z0-9]{1,16})$/.exec(location.hash)?.[1];
  if (room) page.fetchRoom(room.toUpperCase());
  return { element: page.element, title: `${t("web.verify.title")} · ${t("web.title")}`, close: () => page.stop() };
}

class VerifyPage {
  #app;
  /** The records that were checked last, and the log that the reader gave; null without one. */
  #records = null;
  #log = null;
  #work = new AbortController();

  constructor(app) {
    this.#app = app;
    this.outcome = h("div", { class: "verdict-place", tabindex: "-1" });
    this.progress = h("p", { class: "quiet", role: "status" });
    this.about = h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.verify.what")),
      h("p", {}, t("web.verify.scope")),
      h("p", {}, t("web.verify.also_command")),
      fairnessLink(),
    );
    this.element = h(
      "main",
      { class: "verify" },
      topBar(app),
      h("h1", {}, t("web.verify.title")),
      h("p", {}, t("web.verify.explained")),
      h("div", { class: "verify-ways" }, this.#file(), this.#ofRoom(), this.#paste(), this.#mine()),
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

  stop() {
    this.#work.abort();
  }

  #chooser(name, read) {
    const input = h("input", {
      type: "file",
      name,
      class: "unseen",
      accept: ".jsonl,.json,.txt,.log",
      on: {
        change: () => {
          if (input.files[0]) read(input.files[0]);
          // The same file again is a choice, too: it may have grown.
          input.value = "";
        },
      },
    });
    return h("label", { class: "quiet-button file-button" }, input, icon("upload"), t("web.verify.choose_file"));
  }

  #file() {
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.verify.file")),
      h("p", { class: "quiet" }, t("web.verify.file_about")),
      this.#chooser("record", (file) => this.#read(file)),
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

  /** The reader's own log of the table. */
  #mine() {
    this.chosen = h("p", { class: "quiet chosen-log" });
    this.without = h(
      "button",
      { type: "button", class: "quiet-button small", hidden: true, on: { click: () => this.#compareWith(null) } },
      t("web.verify.without_log"),
    );
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("web.verify.mine")),
      h("p", { class: "quiet" }, t("web.verify.mine_about")),
      this.#chooser("mine", (file) =>
        this.#app.attempt(async () => {
          const log = await contentOf(file);
          await this.#compareWith({ content: log, name: file.name });
        }),
      ),
      this.chosen,
      this.without,
    );
  }

  async #compareWith(log) {
    this.#log = log;
    setText(this.chosen, log ? t("web.verify.log_chosen", { name: log.name.slice(0, 80) }) : "");
    setShown(this.without, log !== null);
    if (this.#records !== null) await this.#check(this.#records);
  }

  async #read(file) {
    await this.#app.attempt(async () => this.#check(await contentOf(file)));
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
    if (answer?.ok) await this.#check(new Uint8Array(await answer.arrayBuffer()));
    else
      this.#show(
        h("p", { class: "fault", role: "alert" }, (await answer?.json().catch(() => null))?.message ?? t("web.lost")),
      );
  }

  async #check(records) {
    this.#work.abort();
    const work = (this.#work = new AbortController());
    this.#records = records;
    const progress = (done, all) => setText(this.progress, plural("web.verify.progress", all, { done }));
    const options = { progress, stopped: work.signal };
    try {
      const outcome = await verify(records, this.#log?.content ?? null, options);
      const own = this.#log ? null : await this.#ownLog(outcome);
      const compared = own ? await verify(records, own, options) : outcome;
      setText(this.progress, own ? t("web.verify.log_here") : "");
      this.#show(verdictView(compared));
    } catch (error) {
      if (!work.signal.aborted) throw error;
    }
  }

  /** The log that this browser itself has written of the room, if there is one. */
  async #ownLog({ rounds }) {
    const room = rounds.flatMap(({ check }) => check.deals)[0]?.proof.context.room;
    const { player } = this.#app.connection;
    if (!room || !player) return null;
    const own = toHex(sha256(utf8(player.id))).slice(0, 16);
    const lines = await vault.lines(`cut2/log/${room}/${own}`).catch(() => []);
    return lines.length ? lines.join("\n") : null;
  }

  #show(element) {
    this.outcome.replaceChildren(element);
    setShown(this.about, !element.classList.contains("verdict"));
    this.outcome.focus({ preventScroll: false });
    tell(element.querySelector(".verdict-line")?.lastChild.textContent ?? element.textContent);
  }
}

/** The bytes of a file; of one that is too large only so much that this can be said. */
const contentOf = async (file) => new Uint8Array(await file.slice(0, FILE_BYTES_MAX + 1).arrayBuffer());
