// The outcome of a check in words: what was checked, step by step, what was found, and what cannot be checked here.

import { h } from "../dom.js";
import { findingText, hasText, plural, t } from "../texts.js";

const MARKS = { good: "✓", bad: "✗", open: "–" };

/** The outcome as an element. */
export function verdictView({ rounds, findings }) {
  const sealed = findings.length > 0 && findings.every(({ code }) => code === "SEED_NOT_REVEALED");
  const state = !findings.length ? "good" : sealed ? "open" : "bad";
  const headline = {
    good: plural("web.verify.good", rounds.length),
    open: t("web.verify.sealed"),
    bad: plural("web.verify.bad", findings.length),
  }[state];
  return h(
    "section",
    { class: `verdict ${state}`, "aria-label": t("web.verify.verdict") },
    h(
      "p",
      { class: "verdict-line", role: state === "bad" ? "alert" : "status" },
      h("span", { class: "mark", "aria-hidden": "true" }, MARKS[state]),
      headline,
    ),
    rounds.length ? null : h("ul", {}, ...findings.map((each) => h("li", { class: "fault" }, findingText(each)))),
    h(
      "ol",
      { class: "verified-rounds" },
      ...rounds.map((round, place) => roundView(round, place, rounds.length === 1)),
    ),
    h("p", { class: "quiet" }, t("web.verify.needs_rules")),
    h("p", {}, t("web.verify.scope")),
  );
}

function roundView({ line, game, steps, findings }, place, open) {
  const bad = findings.some(({ code }) => code !== "SEED_NOT_REVEALED");
  const state = bad ? "bad" : findings.length ? "open" : "good";
  const title = t("web.verify.round", {
    round: place + 1,
    line,
    game: hasText(`${game}.name`) ? t(`${game}.name`) : game,
  });
  return h(
    "li",
    {},
    h(
      "details",
      { open: open || bad },
      h("summary", {}, mark(state), title),
      h(
        "ul",
        { class: "steps-list" },
        ...steps.map(stepView),
        ...findings.map((each) =>
          h("li", { class: "fault" }, mark("bad"), h("span", {}, findingText(each), " ", h("code", {}, each.code))),
        ),
      ),
    ),
  );
}

function stepView({ name, good, facts }) {
  const state = good === null ? "open" : good ? "good" : "bad";
  const text =
    good === false && hasText(`web.verify.step.${name}.bad`)
      ? t(`web.verify.step.${name}.bad`, facts)
      : t(`web.verify.step.${name}.good`, facts);
  return h("li", { class: `step ${state}` }, mark(state), h("span", {}, text));
}

function mark(state) {
  return h("span", { class: `mark ${state}`, role: "img", "aria-label": t(`web.verify.mark.${state}`) }, MARKS[state]);
}
