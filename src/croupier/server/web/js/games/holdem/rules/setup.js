// What a hand starts from: stacks, button, hand number, who sits out, who is out, and what goes in before the cards.

import {
  changeRefused,
  isFlag,
  isListOfObjects,
  isSeat,
  isWhole,
  listOf,
  orNull,
  readChange,
  readFields,
} from "../../record.js";
import { CHIPS_MAX, levelOf, topUpLimit } from "./options.js";

const SEATS_MIN = 2;
const SEATS_MAX = 10;

const whole = listOf(isWhole);
const SETUP = {
  stacks: [whole],
  button: [isWhole, 0],
  hand: [isWhole, 1],
  statistics: [isListOfObjects, []],
  sittingOut: [whole, []],
  places: [whole, []],
  forced: [orNull((value) => typeof value === "object"), null],
};
const STATISTICS = {
  hands: [isWhole, 0],
  won: [isWhole, 0],
  vpip: [isWhole, 0],
  pfr: [isWhole, 0],
  showdowns: [isWhole, 0],
};
const FORCED = {
  blinds: [whole],
  antes: [whole],
  antesDead: [isFlag],
  betMin: [isWhole],
  reopeningMin: [isWhole],
  openingBet: [isWhole],
  first: [isWhole],
};

/** The setup of a record, with defaults for what it does not say. */
export function readSetup(raw) {
  const read = (value, fields) => readFields(value, fields, "SETUP_MALFORMED", true);
  const setup = read(raw, SETUP);
  const statistics = setup.statistics.map((each) => read(each, STATISTICS));
  return { ...setup, statistics, forced: setup.forced && read(setup.forced, FORCED) };
}

export function firstSetup(rules, seats) {
  return readSetup({
    stacks: Array(seats).fill(rules.stack_chips),
    statistics: Array(seats).fill({}),
    places: Array(seats).fill(0),
  });
}

/** Nobody's hands so far, for each seat. */
export const noStatistics = (seats) => readSetup({ stacks: [], statistics: Array(seats).fill({}) }).statistics;

/** The seats that are dealt in, clockwise from the button's left, the button last. */
export function inPlay({ stacks, button, sittingOut }) {
  const { length } = stacks;
  const clockwise = stacks.map((_, place) => (((button + 1 + place) % length) + length) % length);
  return clockwise.filter((seat) => stacks[seat] && !sittingOut.includes(seat));
}

/** Why no hand can start from this with these seats in play; null if one can. */
export function setupFault(setup, playing) {
  const { stacks, button, statistics, places, forced } = setup;
  const seats = stacks.length;
  if (seats < SEATS_MIN || seats > SEATS_MAX) return "WRONG_SEAT_COUNT";
  if (!stacks.every(isAmount) || setup.hand < 1) return "BAD_HOLDEM_SETUP";
  if (statistics.length && statistics.length !== seats) return "BAD_HOLDEM_SETUP";
  if (places.length && places.length !== seats) return "BAD_HOLDEM_SETUP";
  if (playing.length < SEATS_MIN && button >= 0 && button < seats) return "TOO_FEW_PLAYERS";
  if (playing.at(-1) !== button) return "BUTTON_NOT_IN_PLAY";
  return forced && !isSound(forced, playing, seats) ? "BAD_HOLDEM_SETUP" : null;
}

const isAmount = (chips) => chips >= 0 && chips <= CHIPS_MAX;

function isSound({ blinds, antes, openingBet, reopeningMin, betMin, first }, playing, seats) {
  return (
    blinds.length === seats &&
    antes.length === seats &&
    [...blinds, ...antes, openingBet, reopeningMin, betMin].every(isAmount) &&
    blinds.every((_, seat) => playing.includes(seat) || (!blinds[seat] && !antes[seat])) &&
    betMin > 0 &&
    playing.includes(first)
  );
}

/** What goes in before the cards: as written in the setup, or as level and button have it.
 *
 * Heads-up the button has the small blind and acts first; otherwise the small blind is left of the button, the big
 * blind next, and the seat left of it acts first. */
export function forcedBets(rules, setup, playing) {
  if (setup.forced) return setup.forced;
  const level = levelOf(rules, setup.hand);
  const headsUp = playing.length === 2;
  const [small, big] = headsUp ? [playing[1], playing[0]] : playing;
  const antesDead = rules.ante_from === "big_blind";
  const antePayers = antesDead ? [big] : playing;
  const blindOf = (seat) => (seat === big ? level.big_blind : seat === small ? level.small_blind : 0);
  return {
    blinds: setup.stacks.map((_, seat) => blindOf(seat)),
    antes: setup.stacks.map((_, seat) => (antePayers.includes(seat) ? level.ante : 0)),
    antesDead,
    betMin: level.big_blind,
    reopeningMin: level.big_blind,
    openingBet: level.big_blind,
    first: headsUp ? small : playing[2 % playing.length],
  };
}

/** The setup after somebody came, went or bought chips between two hands. */
export function amended(rules, setup, rawChange) {
  const { seat, kind, chips } = readChange(rawChange);
  if (kind === "reshuffled") return setup;
  const { stacks, sittingOut } = setup;
  if (!isSeat(seat, stacks.length)) throw changeRefused(seat, "NO_SUCH_SEAT");
  if (rules.mode === "tournament") throw changeRefused(seat, "NOT_IN_TOURNAMENT");
  const others = sittingOut.filter((out) => out !== seat);
  if (kind === "sat_out") return satOut(setup, seat);
  if (kind === "sat_in") return buttonInPlay({ ...setup, sittingOut: others });
  if (kind === "left") return buttonInPlay({ ...setup, stacks: stacks.with(seat, 0), sittingOut: others });
  if (chips < 1) throw changeRefused(seat, "TOP_UP_TOO_SMALL");
  if (stacks[seat] + chips > topUpLimit(rules)) throw changeRefused(seat, "TOP_UP_TOO_BIG");
  return buttonInPlay({ ...setup, stacks: stacks.with(seat, stacks[seat] + chips) });
}

/** The setup with a seat that is not dealt in; a button on that seat moves on. */
export function satOut(setup, seat) {
  return buttonInPlay({ ...setup, sittingOut: sorted(new Set([...setup.sittingOut, seat])) });
}

export const sorted = (numbers) => [...numbers].sort((one, other) => one - other);

/** The setup with the button on a seat that is dealt in, if there is one. */
function buttonInPlay(setup) {
  const playing = inPlay(setup);
  return !playing.length || playing.at(-1) === setup.button ? setup : { ...setup, button: playing[0] };
}
