// The outcome of a check in words: what was found, what was checked, what cannot be known, and each round step by step.

import { h } from "../dom.js";
import { currentName } from "../games/registry.js";
import { findingText, gameName, hasText, noticeText, plural, t } from "../texts.js";
import { stepsOf } from "./steps.js";

const MARKS = { good: "✓", bad: "✗", open: "–" };
const FINDINGS_SHOWN_MAX = 100;
const ROUNDS_SHOWN_MAX = 1000;

/** The outcome as an element. */
export function verdictView(outcome) {
  const { rounds, findings, notices } = outcome;
  const state = stateOf(outcome);
  return h(
    "section",
    { class: `verdict ${state}`, "aria-label": t("web.verify.verdict") },
    h(
      "p",
      { class: "verdict-line", role: state === "bad" ? "alert" : "status" },
      h("span", { class: "mark", "aria-hidden": "true" }, MARKS[state]),
      headline(outcome, state),
    ),
    part("faults-list", findings.slice(0, FINDINGS_SHOWN_MAX).map(findingView)),
    findings.length > FINDINGS_SHOWN_MAX
      ? h("p", {}, plural("web.verify.more", findings.length - FINDINGS_SHOWN_MAX))
      : null,
    titled("checked", checkedTexts(outcome.checked).map((text) => h("li", {}, text))),
    titled("unknown", notices.map((each) => h("li", { "data-code": each.code }, noticeText(each)))),
    h(
      "ol",
      { class: "verified-rounds" },
      ...rounds.slice(0, ROUNDS_SHOWN_MAX).map((round, place) => roundView(round, place, rounds.length === 1)),
    ),
    h("p", { class: "quiet" }, t("web.verify.scope")),
  );
}

const isSealed = ({ code }) => code === "SEED_NOT_REVEALED";

/** "good" only for what was checked as a whole, "open" where something could not be. */
function stateOf({ findings, checked, notices }) {
  if (findings.length) return findings.every(isSealed) ? "open" : "bad";
  return checked.rounds && !notices.some(isUnchecked) ? "good" : "open";
}

const isUnchecked = ({ code }) => ["GAME_NOT_REPLAYED", "DRAW_NOT_CHECKED"].includes(code);

/** One sentence that claims what was checked, and no more. */
function headline({ findings, checked }, state) {
  if (state === "bad") return plural("web.verify.bad", findings.length);
  if (findings.length) return t("web.verify.sealed");
  if (state === "open") return t(checked.deals || checked.cards ? "web.verify.partly" : "web.verify.nothing");
  const mine = checked.logLines === null ? "alone" : "mine";
  return `${plural("web.verify.good", checked.rounds)} ${t(`web.verify.good_${mine}`)}`;
}

function checkedTexts({ rounds, deals, cards, unseen, links, voids, logLines }) {
  const texts = [t("web.verify.checked.rounds", { rounds }), t("web.verify.checked.deals", { deals, cards, unseen })];
  if (links || voids) texts.push(t("web.verify.checked.links", { links, voids }));
  if (logLines !== null) texts.push(t("web.verify.checked.log", { lines: logLines }));
  return texts;
}

function part(name, items) {
  return items.length ? h("ul", { class: name }, ...items) : null;
}

function titled(name, items) {
  if (!items.length) return null;
  const title = h("h3", {}, t(`web.verify.${name}_title`));
  return h("div", { class: `verdict-part ${name}` }, title, part("plain-list", items));
}

function findingView(found) {
  const { line, code } = found;
  const where = t(code.startsWith("LOG_") ? "web.verify.line_of_log" : "web.verify.line", { line });
  return h(
    "li",
    { class: "fault", "data-code": code },
    mark("bad"),
    h("span", {}, findingText(found), " ", h("span", { class: "quiet" }, where), " ", h("code", {}, code)),
  );
}

function roundView({ line, check, findings }, place, open) {
  const { game, round } = check;
  const bad = findings.some((each) => !isSealed(each));
  const state = bad ? "bad" : findings.length || !round ? "open" : "good";
  const title = t("web.verify.round", { round: place + 1, line, game: gameName(currentName(game)) });
  const steps = h("ul", { class: "steps-list" });
  // Hundreds of rounds need no steps before somebody looks at them.
  const fill = () => {
    if (!steps.firstChild) steps.append(...stepsOf(check, findings).map(stepView));
  };
  const details = h("details", { on: { toggle: fill } }, h("summary", {}, mark(state), title), steps);
  if (open || (bad && place < FINDINGS_SHOWN_MAX)) {
    fill();
    details.open = true;
  }
  return h("li", {}, details);
}

function stepView({ name, good, facts }) {
  const state = good === null ? "open" : good ? "good" : "bad";
  const bad = `web.verify.step.${name}.bad`;
  const text = good === false && hasText(bad) ? t(bad, facts) : t(`web.verify.step.${name}.good`, facts);
  return h("li", { class: `step ${state}` }, mark(state), h("span", {}, text));
}

function mark(state) {
  return h("span", { class: `mark ${state}`, role: "img", "aria-label": t(`web.verify.mark.${state}`) }, MARKS[state]);
}

