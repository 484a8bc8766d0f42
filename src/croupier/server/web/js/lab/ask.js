// Questions to the lab: answers at once, and answers that come line by line while they take shape.

import { eachLine } from "../jsonlines.js";
import { hasText, refusalText, t } from "../texts.js";

/** A refusal of the lab, with the options in it called as the form calls them. */
class LabRefused extends Error {
  constructor({ code, facts, message }) {
    const named = Object.entries(facts ?? {}).map(([name, value]) => [
      name,
      hasText(`web.lab.rule.${value}`) ? t(`web.lab.rule.${value}`) : value,
    ]);
    super(refusalText({ code, facts: Object.fromEntries(named), message }));
    this.code = code;
  }
}

async function fetched(path, options = {}) {
  const answer = await fetch(`/api/lab/${path}`, options);
  if (answer.ok) return answer;
  throw new LabRefused(await answer.json().catch(() => ({ code: "LAB_FAILED" })));
}

const asJson = (body) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** An answer that comes at once. `body` makes it a question that is sent. */
export async function ask(path, { body = null, signal = null } = {}) {
  return (await fetched(path, { ...(body ? asJson(body) : {}), signal })).json();
}

/** Calls `take` with every line of an answer as it comes. Aborting the signal ends the work on the server too. */
export async function listen(path, body, signal, take) {
  await eachLine(await fetched(path, { ...asJson(body), signal }), take);
}

/** What went wrong, in words; "" for a question that was stopped on purpose. */
export function faultText(error) {
  if (error.name === "AbortError") return "";
  return error instanceof LabRefused ? error.message : t("web.lost");
}
