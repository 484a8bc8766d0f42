// Every option of Sequence, as a record has it, and what a game starts from. The rules themselves are those of
// `croupier.games.sequence.rules`.

import { ReplayFault, checkEdition, checkOptions, isFlag, isSeat, isWhole, listOf, oneOf, readFields } from "/js/games/record.js";

const EDITIONS = [1, 2];
const isSequenceCount = oneOf([1, 2]);
const isTeamCount = oneOf([2, 3]);

/** Cards in a hand by the number of seats; other numbers of seats cannot play. */
export const HAND_SIZES = { 2: 7, 3: 6, 4: 6, 6: 5, 8: 4, 9: 4, 10: 3, 12: 3 };

const RULES = {
  edition: [isWhole, 1],
  sequences_to_win: [isSequenceCount, 2],
  sequences_to_win_of_three: [isSequenceCount, 1],
  team_counts: [(value) => listOf(isTeamCount)(value) && value.length > 0, [2]],
  free_corners: [isFlag, false],
  exchange_dead_cards: [isFlag, false],
  bar_cleared_cell: [isFlag, true],
  jacks: [oneOf(["variant", "printed"]), "variant"],
};
const SETUP = { seats: [isWhole], teams: [isWhole, 2], first_seat: [isWhole, 0] };

/** The rules of a record, with defaults for what they do not say. */
export function readRules(raw) {
  const rules = readFields(raw, RULES, "RULES_MALFORMED");
  checkEdition(rules, EDITIONS);
  checkOptions(rules, {}, [["edition", "jacks", rules.edition === 1 && rules.jacks !== "variant"]]);
  return rules;
}

/** A team's name by its number. */
export const TEAM_IDS = ["A", "B", "C"];

/** Completed sequences by the team's name. */
export function scoresOf({ setup, completed }) {
  const count = (team) => completed.filter((done) => done.team === team).length;
  return Object.fromEntries(TEAM_IDS.slice(0, setup.teams).map((id, team) => [id, count(team)]));
}

/** How many sequences win when so many teams play. */
export function sequencesNeeded(rules, teams) {
  return teams === 3 ? rules.sequences_to_win_of_three : rules.sequences_to_win;
}

/** The setup of a record, with defaults for what it does not say. */
export const readSetup = (raw) => readFields(raw, SETUP, "SETUP_MALFORMED");

const isEven = (seats, teams) => Object.hasOwn(HAND_SIZES, seats) && seats % teams === 0;

export function firstSetup(rules, seats) {
  const teams = rules.team_counts.find((count) => isEven(seats, count)) ?? rules.team_counts[0];
  return { seats, teams, first_seat: 0 };
}

/** Refuses a setup from which no game can start. */
export function checkSetup(rules, { seats, teams, first_seat }) {
  const refuse = (code) => {
    throw new ReplayFault("SETUP_REFUSED", { code });
  };
  if (!rules.team_counts.includes(teams)) refuse("WRONG_TEAM_COUNT");
  if (!isEven(seats, teams)) refuse("TEAMS_NOT_EQUAL");
  if (!isSeat(first_seat, seats)) refuse("NO_SUCH_SEAT");
}
