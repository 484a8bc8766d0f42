// The Hold'em solver: a spot to describe, its solution that gets better while one looks, and the whole tree to walk.

import { smallCard } from "../cards.js";
import { h, icon, setAttribute, setShown, setText } from "../dom.js";
import { copyText } from "../share.js";
import { tell } from "../speech.js";
import { number, t } from "../texts.js";
import { toast } from "../toast.js";
import { ask, faultText } from "./ask.js";
import { percent } from "./figures.js";
import { Running } from "./running.js";
import { actionName, chips, share } from "./solver/actions.js";
import { CardMap } from "./solver/cardmap.js";
import { Convergence } from "./solver/convergence.js";
import { HandDetail } from "./solver/handdetail.js";
import { Locks } from "./solver/locks.js";
import { Painter } from "./solver/painter.js";
import { RangeView } from "./solver/rangeview.js";
import { cardsOf, SpotForm } from "./solver/spotform.js";
import { playerShort, Trail } from "./solver/trail.js";

/** The pot to begin with: a raise from the button that the big blind calls. */
const isUsual = ({ oop, ip, raises }) => oop === "BB" && ip === "BTN" && raises === 1;
const PLAYERS = ["oop", "ip"];

let listed = null;

/** The usual ranges, loaded once. */
async function loadRanges() {
  listed ??= ask("ranges").catch((error) => {
    listed = null;
    throw error;
  });
  return listed;
}

export async function makeSolver({ given, keep }) {
  const page = new SolverPage(await loadRanges(), given, keep);
  page.open(given);
  return { element: page.element, close: () => page.close(), key: (code) => page.key(code) };
}

const isLock = (lock) => typeof lock?.path === "string" && typeof lock.hands === "string" && typeof lock.frequencies === "object";

/** The locks of an address; one that was damaged has none. */
function givenLocks(text) {
  try {
    const locks = JSON.parse(text ?? "[]");
    return Array.isArray(locks) ? locks.filter(isLock) : [];
  } catch {
    return [];
  }
}

class SolverPage {
  #study = "";
  #path = "";
  #tree = "";
  #target = 0;
  #view = null;
  #asked = "";
  #looks = 0;
  #looking = false;
  #ended = false;

  constructor(known, given, keep) {
    this.known = known;
    this.keep = keep;
    this.form = new SpotForm(given, () => this.#changed());
    this.painters = PLAYERS.map((name) => new Painter(name, known, () => this.#changed()));
    const usual = known.pots.find(isUsual);
    this.painters.forEach((painter, place) => painter.set(given[PLAYERS[place]] ?? usual.ranges[place]));
    this.locks = new Locks(givenLocks(given.locks), () => this.#changed());
    this.convergence = new Convergence();
    this.running = new Running(
      "solver",
      () => this.#question(),
      (line) => this.#take(line),
      {
        part: (line) => this.#part(line),
        state: (line) => this.#progress(line),
        ending: (line) => t(`web.lab.solver.ending.${line.ended || "stopped"}`, this.#facts(line)),
      },
    );
    this.trail = new Trail((path) => this.go(path));
    this.range = new RangeView((cell) => this.#tell(cell));
    this.detail = new HandDetail();
    this.map = new CardMap((card) => this.go(this.#path ? `${this.#path},${card}` : card));
    this.element = this.#layout();
    this.#summarise();
  }

  #layout() {
    this.pots = h(
      "select",
      { name: "pot-preset", "aria-label": t("web.lab.solver.pot_preset"), on: { change: () => this.#choosePot() } },
      h("option", { value: "" }, t("web.lab.solver.pot_preset")),
      ...this.known.pots.map(({ oop, ip, raiser, raises }, place) =>
        h("option", { value: place }, t(`web.lab.solver.pot_name.${raises > 1 ? "three_bet" : "single"}`, { raiser, other: raiser === oop ? ip : oop })),
      ),
    );
    this.spotLine = h("span", { class: "spot-line" });
    this.setup = h(
      "details",
      { class: "panel spot", open: true },
      h("summary", {}, h("b", {}, t("web.lab.solver.spot")), " ", this.spotLine),
      h("div", { class: "spot-columns" }, h("div", { class: "spot-column" }, this.pots, this.form.element), ...this.painters.map(({ element }) => element)),
    );
    this.stale = h("p", { class: "quiet", role: "status", hidden: true }, t("web.lab.solver.stale"));
    const link = h("button", { type: "button", class: "quiet-button small", on: { click: () => this.#share() } }, icon("share"), t("web.lab.solver.share"));
    this.again = h("button", { type: "button", class: "primary", hidden: true, on: { click: () => this.#solve() } }, t("web.lab.solver.again"));
    this.locks.element.append(this.again);
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.study = h(
      "section",
      { class: "study", hidden: true, "aria-label": t("web.lab.solver.solution") },
      h("div", { class: "study-head" }, h("h2", {}, t("web.lab.solver.solution")), link),
      this.trail.element,
      this.fault,
      h(
        "div",
        { class: "study-columns" },
        h("div", { class: "study-main" }, this.map.element, this.range.element),
        h("div", { class: "study-side" }, this.detail.element, this.locks.element),
      ),
    );
    this.running.element.append(this.convergence.element);
    const form = h("form", { class: "solver-ask", novalidate: true }, this.setup, this.stale, this.running.element);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#solve();
    });
    form.addEventListener("input", () => this.#changed());
    return h("div", { class: "solver" }, form, this.study);
  }

  /** A link to a point of a solution is solved at once. */
  open({ path }) {
    if (path === undefined) return;
    this.#path = path;
    this.#tree = this.#treeOf(this.form.question());
    this.#solve();
  }

  close() {
    this.running.end();
    if (this.#study) ask("solver/end", { body: { study: this.#study } }).catch(() => {});
  }

  /** Digits take the actions, Backspace goes back, Escape lets go of the chosen cell. */
  key(code) {
    if (!this.#view || document.activeElement?.closest(".painter, .card-panel")) return false;
    const digit = /^Digit([1-9])$/.exec(code)?.[1];
    const action = digit && this.#view.kind === "decision" ? this.#view.actions[digit - 1]?.action : null;
    if (action) this.go([...this.#steps(), action].join(","));
    else if (code === "Escape") return this.range.release();
    else if (code === "Backspace" && this.#path) this.go(this.#steps().slice(0, -1).join(","));
    else return false;
    return true;
  }

  #steps() {
    return this.#path ? this.#path.split(",") : [];
  }

  #choosePot() {
    const pot = this.known.pots[this.pots.value];
    if (!pot) return;
    this.form.set(pot);
    this.painters.forEach((painter, place) => painter.set(pot.ranges[place]));
    this.#changed();
  }

  #written() {
    const { board, pot, stack, bets, raises } = this.form.question();
    const [oop, ip] = this.painters.map(({ value }) => value);
    const locks = this.locks.value.length ? { locks: JSON.stringify(this.locks.value) } : {};
    return { ...this.form.written(), board, pot, stack, bets, raises, oop, ip, ...locks };
  }

  #keepAddress() {
    this.keep({ ...this.#written(), ...(this.#study || this.#view ? { path: this.#path } : {}) });
  }

  #changed() {
    if (!this.element) return;
    this.#summarise();
    this.#keepAddress();
    const stale = Boolean(this.#view) && this.#asked !== JSON.stringify(this.#written());
    setShown(this.stale, stale);
    setShown(this.again, stale);
  }

  #summarise() {
    const { board, pot, stack } = this.form.question();
    this.spotLine.replaceChildren(...cardsOf(board).map(smallCard), ` ${t("web.lab.solver.pot_and_stack", { pot: number(pot), stack: number(stack) })}`);
  }

  /** What a path depends on. */
  #treeOf({ board, pot, stack, bets, raises, streetBets, streetRaises }) {
    return JSON.stringify([board, pot, stack, bets, raises, streetBets, streetRaises]);
  }

  /** Solves what is written now; what is being solved ends. One that was stopped is looked at as it was left. */
  async #solve() {
    this.#ended = false;
    await this.running.again();
    if (this.#study && !this.#ended) await this.#look(true);
  }

  #question() {
    const asked = this.form.question();
    const tree = this.#treeOf(asked);
    if (tree !== this.#tree) {
      this.#path = "";
      // They name points of another tree.
      if (this.#tree) this.locks.clear();
    }
    this.#tree = tree;
    this.#target = asked.target;
    this.#asked = JSON.stringify(this.#written());
    setShown(this.stale, false);
    setShown(this.again, false);
    setShown(this.fault, false);
    this.convergence.begin(asked.target);
    this.seconds = asked.seconds;
    return { ...asked, ranges: this.painters.map(({ value }) => value), locks: this.locks.question(), study: this.#study };
  }

  #facts({ exploitability, iterations, seconds, memoryBytes }) {
    return {
      exploitability: exploitability === null ? "…" : percent(exploitability, 3),
      iterations,
      seconds: number(seconds, { maximumFractionDigits: seconds < 1 ? 3 : 1 }),
      memory: number(memoryBytes / 1e6, { maximumFractionDigits: 1 }),
    };
  }

  #progress(line) {
    return t("web.lab.solver.progress", this.#facts(line));
  }

  /** How far it is: by the time, or by the exploitability, whichever is further. */
  #part({ seconds, exploitability, ended }) {
    if (ended) return 1;
    const near = exploitability ? Math.min(1, Math.max(0, 1 - Math.log(exploitability / Math.max(this.#target, 1e-6)) / Math.log(1e3))) : 0;
    return Math.min(1, Math.max(near, seconds / this.seconds));
  }

  #take(line) {
    const first = this.#study !== line.study || line.iterations === 0;
    this.#study = line.study;
    this.convergence.add(line);
    if (first) this.#keepAddress();
    this.#ended = Boolean(line.ended);
    if (line.ended) {
      tell(t(`web.lab.solver.ending.${line.ended}`, this.#facts(line)));
      this.#look(true);
    } else if (line.iterations > 0 && !this.#looking) this.#look();
  }

  /** Goes to a point of the tree. */
  async go(path) {
    this.#path = path;
    if (await this.#look(true)) {
      this.#keepAddress();
      tell(this.#words());
    }
  }

  /** Shows the point where one is; `whole` with the cards that may be dealt, which takes longer. */
  async #look(whole = false) {
    const look = (this.#looks += 1);
    this.#looking = true;
    setAttribute(this.study, "aria-busy", "true");
    const asked = { study: this.#study, path: this.#path };
    try {
      const view = await ask("solver/look", { body: asked });
      if (look !== this.#looks) return false;
      this.#show(view);
      if (view.kind === "deal" && whole) {
        const cards = await ask("solver/look", { body: { ...asked, cards: true } });
        if (look === this.#looks) this.map.show(cards);
      }
      return true;
    } catch (error) {
      if (look !== this.#looks) return false;
      // A link may lead to where this tree does not: then the start is shown.
      if (!this.#view && this.#path) {
        toast(faultText(error));
        this.#path = "";
        return this.#look(whole);
      }
      setText(this.fault, faultText(error));
      setShown(this.fault, true);
      setShown(this.study, true);
      return false;
    } finally {
      if (look === this.#looks) {
        this.#looking = false;
        setAttribute(this.study, "aria-busy", null);
      }
    }
  }

  #show(view) {
    const moved = this.#view?.path !== view.path || this.#view?.kind !== view.kind;
    if (!this.#view) this.setup.open = false;
    this.#view = view;
    this.#path = view.path;
    setShown(this.study, true);
    setShown(this.fault, false);
    this.trail.show(view);
    setShown(this.map.element, view.kind === "deal");
    if (view.kind === "deal" && moved) this.map.show([]);
    this.detail.at(view, this.range.whose);
    this.locks.at(view);
    this.range.show(view);
  }

  #tell(cell) {
    const figures = cell ? this.range.figures(cell) : null;
    this.detail.at(this.#view, this.range.whose);
    this.detail.tell(cell, figures);
    if (cell === this.range.chosen) this.locks.choose(cell, figures);
  }

  #words() {
    const { kind, player, actions, players, pot } = this.#view;
    if (kind !== "decision") return t(`web.lab.solver.${kind === "deal" ? "card_about" : "ended"}`);
    const played = actions.map(({ action, frequency }) => `${actionName(action)} ${share(frequency)}`).join(", ");
    const { ev } = players.find(({ name }) => name === player);
    return t("web.lab.solver.here", { player: playerShort(player), pot: number(pot), ev: chips(ev), played });
  }

  async #share() {
    this.#keepAddress();
    await copyText(location.href);
  }
}
