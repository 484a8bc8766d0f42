// The coach: what the solver plays at every decision of a heads-up pot, and what each choice gave away. In a replay for
// the whole hand; live, by option, for the player's own decision at a table where everybody else is a bot.

import { h, keyed, setAttribute, setShown, setText, setVariable } from "/js/dom.js";
import { eachLine } from "/js/jsonlines.js";
import { loadMoreTexts, number, refusalText, t } from "/js/texts.js";
import { tell } from "/js/speech.js";

const PLACES = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "negative" };
const SHARE = { style: "percent", minimumFractionDigits: 0, maximumFractionDigits: 1 };
const MOVES = { fold: "fold", check: "check", call: "call", bet: "bet", raise: "raise", "all-in": "all_in_to" };
const TOLD = { fold: "folds", check: "checks", call: "calls", bet: "bets", raise: "raises", "all-in": "all_in" };

/** `bet 50` in the reader's words: what somebody can do, or with `told` what they did. */
function actionText(action, told = false) {
  const [move, chips] = action.split(" ");
  return t(`web.coach.${(told ? TOLD : MOVES)[move]}`, { chips: number(Number(chips ?? 0)) });
}

/** Asks, and calls `take` with every line as it comes. Throws the server's refusal. */
async function listen(address, body, token, signal, take) {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!answer.ok) throw Object.assign(new Error(), await answer.json().catch(() => ({})));
  await eachLine(answer, take);
}

const button = (name, click) => h("button", { type: "button", class: "quiet-button small", "data-do": name, on: { click } });

/** The part of the page in which the coach speaks. */
export class Coach {
  #question = null;
  #hand = null;
  #lesson = null;

  /** `address` and `token` say where to ask; `go` shows the event of a decision, where there is one. */
  constructor({ address, token = () => null, go = null, title = true }) {
    Object.assign(this, { address, token, go });
    this.ask = button("coach", () => this.run(this.#written()));
    this.stop = button("coach-stop", () => this.end());
    this.title = title ? h("h3", {}) : null;
    this.about = h("p", { class: "quiet" });
    this.state = h("p", { class: "quiet coach-state", role: "status" });
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.summary = h("summary", {});
    this.labels = [h("span", {}), h("span", {})];
    this.fields = ["oop", "ip"].map((name) => h("textarea", { name: `coach-${name}`, rows: 2, maxlength: 4000, spellcheck: "false", autocapitalize: "off" }));
    this.ranges = h(
      "details",
      { class: "coach-ranges", hidden: true },
      this.summary,
      ...this.fields.map((field, place) => h("label", {}, this.labels[place], field)),
    );
    this.decisions = h("ol", { class: "coach-decisions" });
    this.totals = h("ul", { class: "coach-totals" });
    this.element = h(
      "section",
      { class: "coach", "data-running": false },
      this.title,
      this.about,
      this.ranges,
      h("div", { class: "button-row" }, this.ask, this.stop),
      this.state,
      this.fault,
      this.decisions,
      this.totals,
    );
    setShown(this.stop, false);
    this.ready = loadMoreTexts().then(
      () => this.#label(),
      () => setShown(this.element, false),
    );
  }

  #label() {
    if (this.title) setText(this.title, t("web.coach.title"));
    setText(this.about, t("web.coach.about"));
    setText(this.ask, t(this.go ? "web.coach.ask" : "web.coach.live"));
    setText(this.stop, t("web.coach.stop"));
    setText(this.summary, t("web.coach.ranges"));
    setAttribute(this.element, "aria-label", t("web.coach.title"));
  }

  /** Another hand: what was said of the one before goes. `body` is the question, `nameOf` names a seat; `seats` are the two
   * of the pot, if they are known. */
  open(hand) {
    this.end();
    this.#hand = hand;
    this.#lesson = null;
    keyed(this.decisions, [], String, () => null);
    keyed(this.totals, [], String, () => null);
    setText(this.state, "");
    setShown(this.fault, false);
    for (const field of this.fields) field.value = "";
    this.#nameRanges(hand.seats ?? null);
  }

  /** Before it is known who is out of position, there is no form for their range. */
  #nameRanges(seats) {
    setShown(this.ranges, seats !== null);
    if (seats === null) return;
    this.ready.then(() =>
      seats.forEach((seat, place) => {
        setText(this.labels[place], t(`web.coach.${place ? "ip" : "oop"}`, { name: this.#hand.nameOf(seat) }));
        setAttribute(this.fields[place], "placeholder", t("web.coach.usual"));
      }),
    );
  }

  /** The ranges as they stand in the form; null for those by position. */
  #written() {
    const ranges = this.fields.map((field) => field.value.trim());
    const usual = !this.#lesson || ranges.every((each, place) => each === this.#lesson.ranges[place]);
    return !ranges.some(Boolean) || (usual && this.#lesson?.usual) ? null : ranges;
  }

  async run(ranges) {
    this.end();
    await this.ready;
    const question = new AbortController();
    const hand = this.#hand;
    this.#question = question;
    this.#show(true);
    setShown(this.fault, false);
    setText(this.state, t("web.coach.solving_begins"));
    try {
      await listen(this.address(), { ...hand.body, ranges }, this.token(), question.signal, (line) => {
        if (hand === this.#hand && !question.signal.aborted) this.#take({ ...line, usual: ranges === null });
      });
    } catch (refused) {
      if (!question.signal.aborted) {
        setText(this.fault, refused.code ? refusalText(refused) : t("web.lost"));
        setShown(this.fault, true);
        setText(this.state, "");
      }
    }
    if (this.#question !== question) return;
    this.#question = null;
    this.#show(false);
    if (this.#lesson && !this.#lesson.ended) setText(this.state, t("web.coach.stopped"));
  }

  /** Stops; what is known stays. */
  end() {
    if (!this.#question) return;
    this.#question.abort();
    this.#question = null;
    this.#show(false);
    setText(this.state, t("web.coach.stopped"));
  }

  #show(running) {
    const hadFocus = document.activeElement === (running ? this.ask : this.stop);
    setShown(this.ask, !running);
    setShown(this.stop, running);
    setAttribute(this.element, "data-running", String(running));
    if (hadFocus) (running ? this.stop : this.ask).focus();
  }

  #take(lesson) {
    this.#lesson = lesson;
    const { nameOf } = this.#hand;
    const where = { street: t(`street.${lesson.street}`), done: Math.min(lesson.done + 1, lesson.total), total: lesson.total };
    const share = lesson.exploitability;
    const working =
      share === null ? t("web.coach.solving", where) : t("web.coach.solving_to", { ...where, share: number(share, SHARE) });
    const within = number(Math.max(0, ...lesson.decisions.map((each) => each.within)), PLACES);
    setText(this.state, lesson.ended ? t("web.coach.ready", { within }) : working);
    this.#nameRanges(lesson.seats);
    lesson.ranges.forEach((range, place) => {
      if (!this.fields[place].value) this.fields[place].value = range;
    });
    // A decision that is valued does not change any more; a new lesson has other ones.
    const mark = lesson.ranges.join("|");
    keyed(
      this.decisions,
      lesson.decisions.map((each, place) => ({ ...each, key: `${mark}.${place}` })),
      ({ key }) => key,
      (decision) => this.#decision(decision),
    );
    const totals = Object.entries(lesson.givenAway).map(([seat, lost]) => ({ seat: Number(seat), lost: number(lost, PLACES) }));
    keyed(
      this.totals,
      totals,
      ({ seat, lost }) => `${seat}.${lost}`,
      ({ seat, lost }) => h("li", {}, t("web.coach.total", { name: nameOf(seat), lost })),
    );
    if (lesson.ended && !this.go) tell(this.decisions.lastElementChild?.dataset.said ?? "");
  }

  #decision(decision) {
    const name = this.#hand.nameOf(decision.seat);
    const street = t(`street.${decision.street}`);
    const done = decision.action !== "";
    const heading = done
      ? t("web.coach.decision", { street, name, action: actionText(decision.action, true) })
      : t("web.coach.open", { street });
    const { go } = this;
    const event = decision.event;
    const title =
      go && event !== null
        ? h("button", { type: "button", class: "coach-step", on: { click: () => go(event) } }, heading)
        : h("b", {}, heading);
    const said = !done ? "" : this.#verdict(decision);
    const rows = decision.options.map((option) => this.#option(option, decision));
    const best = [...decision.options].sort((one, other) => other.frequency - one.frequency)[0];
    const spoken = best ? `${heading}: ${actionText(best.action)} ${number(best.frequency ?? best.rangeFrequency, SHARE)}` : heading;
    return h(
      "li",
      { "data-said": spoken, "data-lost": decision.lost ?? "" },
      h("p", { class: "coach-heading" }, title, " ", h("span", { class: "quiet" }, t("web.coach.pot", { pot: number(decision.pot) }))),
      said ? h("p", { class: this.#isGood(decision) ? "quiet" : "loss" }, said) : null,
      h(
        "table",
        {},
        h("caption", { class: "unseen" }, heading),
        h("thead", {}, h("tr", {}, ...["action", "share", "range_share", "ev"].map((each) => h("th", { scope: "col" }, t(`web.coach.${each}`))))),
        h("tbody", {}, ...rows),
      ),
    );
  }

  #isGood({ lost, within }) {
    return lost === null || lost <= within;
  }

  #verdict(decision) {
    if (decision.lost === null) return t("web.coach.unknown");
    if (this.#isGood(decision)) return t("web.coach.best");
    return t("web.coach.lost", { lost: number(decision.lost, PLACES), share: number(decision.lostShare, SHARE) });
  }

  #option({ action, frequency, rangeFrequency, value }, decision) {
    const chosen = action === decision.action;
    const bar = h("span", { class: "coach-bar", "aria-hidden": "true" });
    setVariable(bar, "--share", frequency ?? rangeFrequency);
    return h(
      "tr",
      { class: chosen ? "chosen" : null },
      h("th", { scope: "row" }, actionText(action), chosen ? h("span", { class: "unseen" }, ` (${t("web.coach.chosen")})`) : null),
      h("td", {}, bar, frequency === null ? "–" : number(frequency, SHARE)),
      h("td", {}, number(rangeFrequency, SHARE)),
      h("td", {}, value === null ? "–" : number(value, PLACES)),
    );
  }
}
