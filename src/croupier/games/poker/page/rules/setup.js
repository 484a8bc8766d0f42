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
} from "/js/games/record.js";
import { CHIPS_MAX, seatsMax, topUpLimit } from "./options.js";
import { MISSED_BIG, MISSED_SMALL, cameBack, inPlay, withMissed, withWaiting } from "./positions.js";

const SEATS_MIN = 2;

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
/** What is written only where it holds something. */
const LATER = { small: isWhole, missed: whole, waiting: whole, bomb: isFlag };
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
  straddle: [isWhole, 0],
  bomb: [isFlag, false],
};

/** The setup of a record, with defaults for what it does not say. */
export function readSetup(raw) {
  const read = (value, fields) => readFields(value, fields, "SETUP_MALFORMED", true);
  const later = Object.entries(LATER).filter(([name]) => raw?.[name] !== undefined);
  const fields = { ...SETUP, ...Object.fromEntries(later.map(([name, test]) => [name, [test]])) };
  const setup = read(raw, fields);
  const statistics = setup.statistics.map((each) => read(each, STATISTICS));
  return { ...setup, statistics, forced: setup.forced && readForced(setup.forced, read) };
}

function readForced(raw, read) {
  if (raw.dead === undefined) return read(raw, FORCED);
  return read(raw, { ...FORCED, dead: [whole] });
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

/** Why no hand can start from this with these seats in play; null if one can. */
export function setupFault(rules, setup, playing) {
  const { stacks, button, statistics, places, forced, sittingOut } = setup;
  const seats = stacks.length;
  if (seats < SEATS_MIN || seats > seatsMax(rules)) return "WRONG_SEAT_COUNT";
  if (!stacks.every(isAmount) || setup.hand < 1) return "BAD_HOLDEM_SETUP";
  if (statistics.length && statistics.length !== seats) return "BAD_HOLDEM_SETUP";
  if (places.length && places.length !== seats) return "BAD_HOLDEM_SETUP";
  if (!sittingOut.every((seat) => isSeat(seat, seats))) return "BAD_HOLDEM_SETUP";
  if (!isSeat(button, seats)) return "BUTTON_NOT_IN_PLAY";
  if (playing.length < SEATS_MIN) return "TOO_FEW_PLAYERS";
  if (playing.at(-1) !== button && !rules.dead_button) return "BUTTON_NOT_IN_PLAY";
  return forced && !isSound(forced, playing, seats) ? "BAD_HOLDEM_SETUP" : null;
}

/** Whether something is said that these rules have no use for, or that cannot be. */
export function misfits(rules, { stacks, sittingOut, small, missed, waiting, bomb }) {
  if (small !== undefined && !(rules.dead_button && isSeat(small, stacks.length))) return true;
  if (!rules.missed_blinds && (missed ?? waiting)) return true;
  const owes = (each) => each >= 0 && each <= (MISSED_SMALL | MISSED_BIG);
  if (missed && !(missed.length === stacks.length && missed.every(owes) && missed.some(Boolean))) return true;
  const inOrder = (seat, place) => isSeat(seat, stacks.length) && sittingOut.includes(seat) && (!place || waiting[place - 1] < seat);
  if (waiting && !(waiting.length && waiting.every(inOrder))) return true;
  return bomb !== undefined && !(rules.bomb_ante && bomb);
}

const isAmount = (chips) => chips >= 0 && chips <= CHIPS_MAX;

function isSound({ blinds, antes, openingBet, reopeningMin, betMin, first, straddle, dead }, playing, seats) {
  const isPaid = (part, seat) => isAmount(part) && (!part || playing.includes(seat));
  if (dead?.length && !(dead.length === seats && dead.every(isPaid))) return false;
  return (
    blinds.length === seats &&
    antes.length === seats &&
    [...blinds, ...antes, openingBet, reopeningMin, betMin, straddle].every(isAmount) &&
    blinds.every((_, seat) => playing.includes(seat) || (!blinds[seat] && !antes[seat])) &&
    betMin > 0 &&
    playing.includes(first)
  );
}

/** The setup after somebody came, went or bought chips between two hands. */
export function amended(rules, setup, rawChange) {
  const { seat, kind, chips } = readChange(rawChange);
  if (kind === "reshuffled") return setup;
  const { stacks, sittingOut } = setup;
  if (kind !== "bomb" && !isSeat(seat, stacks.length)) throw changeRefused(seat, "NO_SUCH_SEAT");
  if (kind === "bomb") {
    if (!rules.bomb_ante) throw changeRefused(seat, "NO_BOMB_POTS");
    return { ...setup, bomb: true };
  }
  if (rules.mode === "tournament") throw changeRefused(seat, "NOT_IN_TOURNAMENT");
  const owes = setup.missed?.[seat] ?? 0;
  const placed = (changed) => buttonInPlay(rules, changed);
  if (kind === "sat_out") return satOut(rules, setup, seat);
  if (kind === "sat_in" || (kind === "waits" && !owes)) return placed(cameBack(setup, [seat]));
  if (kind === "waits") {
    const waiting = sorted(new Set([...(setup.waiting ?? []), seat]));
    return placed({ ...setup, sittingOut: sorted(new Set([...sittingOut, seat])), waiting });
  }
  if (kind === "left") return placed(owing({ ...cameBack(setup, [seat]), stacks: stacks.with(seat, 0) }, seat, 0));
  if (chips < 1) throw changeRefused(seat, "TOP_UP_TOO_SMALL");
  if (stacks[seat] + chips > topUpLimit(rules)) throw changeRefused(seat, "TOP_UP_TOO_BIG");
  const filled = placed({ ...setup, stacks: stacks.with(seat, stacks[seat] + chips) });
  // A newcomer to a running game owes the big blind.
  const isNew = kind === "taken" && rules.missed_blinds && inPlay(setup).length >= SEATS_MIN;
  return isNew ? owing(filled, seat, MISSED_BIG) : filled;
}

function owing(setup, seat, blinds) {
  return withMissed(setup, (setup.missed ?? setup.stacks.map(() => 0)).with(seat, blinds));
}

/** The setup with a seat that is not dealt in; a button on that seat moves on. */
export function satOut(rules, setup, seat) {
  const waiting = (setup.waiting ?? []).filter((other) => other !== seat);
  const sittingOut = sorted(new Set([...setup.sittingOut, seat]));
  return buttonInPlay(rules, { ...withWaiting(setup, waiting), sittingOut });
}

export const sorted = (numbers) => [...numbers].sort((one, other) => one - other);

/** The setup with the button on a seat that is dealt in, if there is one. A dead button stays where it is. */
function buttonInPlay(rules, setup) {
  const playing = inPlay(setup);
  const stays = !playing.length || playing.at(-1) === setup.button || (rules.dead_button && setup.small !== undefined);
  return stays ? setup : { ...setup, button: playing[0] };
}
