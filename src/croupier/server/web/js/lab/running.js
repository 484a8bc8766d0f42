// One question at a time that is answered while one looks: start, stop, how far it is, what went wrong.

import { h, setAttribute, setShown, setText } from "../dom.js";
import { number, t } from "../texts.js";
import { faultText, listen } from "./ask.js";

const WAIT_MS = 400;

/** What is told of work that is counted. */
const COUNTED = {
  part: ({ done, total }) => (total ? done / total : 1),
  state: ({ done, total }) => t("web.lab.done_of", { done: number(done), total: number(total) }),
  ending({ done, total }) {
    if (done < total) return t("web.lab.stopped", { done: number(done), total: number(total) });
    return t("web.lab.finished");
  },
};

export class Running {
  #question = null;
  #course = null;

  /** `path` is where to ask; `take` is called with every line; `begin` gives the question, when one is started. */
  constructor(path, begin, take, words = COUNTED) {
    this.words = words;
    this.path = path;
    this.begin = begin;
    this.take = take;
    this.start = h("button", { class: "primary" }, t(`web.lab.${path}.start`));
    this.stop = h("button", { type: "button", class: "quiet-button", hidden: true, on: { click: () => this.end() } });
    setText(this.stop, t("web.lab.stop"));
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("web.lab.progress") });
    this.state = h("p", { class: "quiet lab-state", role: "status" });
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.element = h(
      "div",
      { class: "lab-run" },
      h("div", { class: "button-row" }, this.start, this.stop),
      this.bar,
      this.state,
      this.fault,
    );
  }

  /** Asks, unless something is being asked already. */
  run() {
    if (!this.#question) this.#course = this.#run();
    return this.#course;
  }

  /** Stops what is being asked, and asks anew. */
  async again() {
    this.end();
    await this.#course;
    return this.run();
  }

  async #run() {
    const question = new AbortController();
    this.#question = question;
    this.#show(true);
    setText(this.state, "");
    setShown(this.fault, false);
    const waiting = setTimeout(() => setText(this.state, t("web.lab.getting_ready")), WAIT_MS);
    let last = null;
    try {
      await listen(this.path, this.begin(), question.signal, (line) => {
        clearTimeout(waiting);
        last = line;
        this.#progress(line);
        this.take(line);
      });
    } catch (error) {
      const fault = faultText(error);
      setText(this.fault, fault);
      setShown(this.fault, Boolean(fault));
    }
    clearTimeout(waiting);
    this.#question = null;
    this.#show(false);
    setText(this.state, last ? this.words.ending(last) : "");
  }

  /** Stops; what is known stays. */
  end() {
    this.#question?.abort();
  }

  #show(running) {
    const hadFocus = document.activeElement === (running ? this.start : this.stop);
    setShown(this.start, !running);
    setShown(this.stop, running);
    setShown(this.bar, running);
    setAttribute(this.element, "data-running", running);
    if (hadFocus) (running ? this.stop : this.start).focus();
  }

  #progress(line) {
    setAttribute(this.bar, "value", this.words.part(line));
    setText(this.state, this.words.state(line));
  }
}
