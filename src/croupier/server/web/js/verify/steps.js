// The check of one round, step by step, for people: { name, good, facts }, with `good` null for what is not checked.

import { number } from "../texts.js";

const FIXED = ["CONTEXT_MALFORMED", "CONTEXT_NOT_CANONICAL", "CUTTERS_MALFORMED", "PROMISE_MALFORMED", "ROOT_COUNT"];
const ABOUT_CARDS = ["CARD_", "SHOE_", "PROOF_"];
const ABOUT_MOVES = ["ACTION_", "ROUND_", "CARD_HIDDEN"];

/** All steps of a round; `findings` are those of its line. */
export function stepsOf(check, findings) {
  const { record, round, draws } = check;
  if (!record) return [];
  const steps = draws.flatMap(drawSteps);
  const has = (...starts) => findings.some(({ code }) => starts.some((start) => code.startsWith(start)));
  if (record.cards.length) {
    const facts = { count: check.cards, all: record.cards.length };
    const isAll = check.cards + check.unseen === record.cards.length;
    steps.push(step("cards", has(...ABOUT_CARDS) ? false : isAll || null, facts));
  }
  if (check.unseen) steps.push(step("hidden", null, { count: check.unseen }));
  const moves = { moves: record.moves.length };
  if (!round && !has(...ABOUT_MOVES)) return [...steps, step("not_replayed", null, moves)];
  steps.push(step("moves", Boolean(round) && !has(...ABOUT_MOVES), moves));
  const payouts = (record.payouts ?? []).map((amount) => number(amount / record.chip, { signDisplay: "exceptZero" }));
  if (round && record.payouts) steps.push(step("payouts", !has("PAYOUT"), { payouts: payouts.join(", ") }));
  return steps;
}

const step = (name, good, facts = {}) => ({ name, good, facts });

/** What was found out about one shuffle. */
function drawSteps(draw) {
  const { scheme } = draw.proof;
  if (scheme === "shuffle-1") return shuffleSteps(draw);
  return scheme === "cut-1" ? oldCutSteps(draw) : dealSteps(draw);
}

const findsIn =
  ({ findings }) =>
  (...starts) =>
    findings.some(({ code }) => starts.some((start) => code.startsWith(start)));

function shuffleSteps(draw) {
  const { serverSeed, serverSeedHash: hash, clientSeed: seed, nonce } = draw.proof;
  const finds = findsIn(draw);
  if (serverSeed === null) return [step("sealed", null, { hash })];
  return [
    step("commitment", !finds("COMMITMENT_", "SERVER_SEED_"), { hash }),
    step("seeds", !finds("CLIENT_SEED_", "NONCE_"), { seed, nonce: String(nonce) }),
    step("shuffled", !finds("CLIENT_SEED_", "NONCE_", "SERVER_SEED_"), { count: draw.size }),
  ];
}

function oldCutSteps(draw) {
  const { root, contributions, openings, size, whole } = draw.proof;
  const finds = findsIn(draw);
  const count = contributions.filter(({ value }) => value !== null).length;
  const steps = [
    step("promised", !finds("ROOT_", "CONTEXT_", "PACK_SIZE"), { root }),
    cutStep("contributions", count, contributions.length, finds("SEAT_", "ANCHOR_", "LINK_", "CONTRIBUTION_")),
    openingsStep(finds, openings.length, size),
  ];
  if (whole) steps.push(step("whole", !finds("PACK_", "CARD_"), { size }));
  return steps;
}

function dealSteps(draw) {
  const { context, cuts, secrets, openings } = draw.proof;
  const finds = findsIn(draw);
  const steps = [
    step("fixed", !finds(...FIXED, "ROOT_"), { deal: context.deal, packs: context.packs }),
    cutStep("cuts", cuts.length, draw.dealtIn, finds("CUTS_", "CUT_")),
  ];
  const isWhole = secrets.every((secret) => secret !== null);
  const unplayed = secrets.length - 1;
  if (unplayed) steps.push(step("unplayed", !finds("SECRET_", "PACK_FALSE"), { count: unplayed }));
  if (isWhole) steps.push(step("whole", !finds("SECRET_", "PACK_FALSE", "CUT"), { size: draw.size }));
  else steps.push(openingsStep(finds, openings.length, draw.size));
  return steps;
}

function cutStep(name, count, seats, bad) {
  const facts = { count, seats };
  return count || bad ? step(name, !bad, facts) : step("nobody_cut", null, facts);
}

function openingsStep(finds, count, size) {
  const bad = finds("POSITION_", "OPENING_", "SALT_", "PATH_", "ROOT_MISMATCH", "CARD_", "CUTS_", "CUT_NOT");
  return step("openings", !bad, { count, size });
}
