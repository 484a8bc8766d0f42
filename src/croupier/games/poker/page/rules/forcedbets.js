// What goes in before the cards. A twin of `croupier.games.poker.rules.forced_bets`.

import { isBomb, levelOf } from "./options.js";
import { MISSED_BIG, MISSED_SMALL, positions } from "./positions.js";

/** What goes in before the cards: as written in the setup, or as level and button have it.
 *
 * Heads-up the button has the small blind and acts first; otherwise the small blind is left of the button, the big
 * blind next, and the seat left of it acts first. By option the button alone posts a blind, and acts last. */
export function forcedBets(rules, setup, playing) {
  if (setup.forced) return { ...setup.forced, dead: setup.forced.dead?.length ? setup.forced.dead : setup.stacks.map(() => 0), returning: [] };
  const level = levelOf(rules, setup.hand);
  if (setup.bomb || isBomb(rules, setup.hand)) return bombPot(rules, level, setup.stacks, playing);
  const { small, big } = positions(rules, setup, playing);
  const fromButton = rules.blinds_from === "button";
  const antesDead = rules.ante_from === "big_blind";
  const antePayers = antesDead ? [big] : playing;
  const blindOf = (seat) => (seat === big ? level.big_blind : seat === small ? level.small_blind : 0);
  const next = after(big, playing);
  const straddler = rules.straddle && playing.length > 2 ? next[0] : null;
  const straddle = 2 * level.big_blind;
  const blinds = setup.stacks.map((_, seat) => {
    if (!playing.includes(seat)) return 0;
    return seat === straddler ? straddle : blindOf(seat);
  });
  // Who missed the big blind posts a live one, who missed the small blind a dead one; the big blind owes no other.
  const owed = (seat) => (playing.includes(seat) && seat !== big ? (setup.missed?.[seat] ?? 0) : 0);
  const returning = playing.filter((seat) => owed(seat) & MISSED_BIG && blinds[seat] < level.big_blind);
  for (const seat of returning) blinds[seat] = level.big_blind;
  return {
    blinds,
    antes: setup.stacks.map((_, seat) => (antePayers.includes(seat) ? level.ante : 0)),
    antesDead,
    dead: setup.stacks.map((_, seat) => (owed(seat) & MISSED_SMALL ? level.small_blind : 0)),
    returning,
    betMin: level.big_blind,
    reopeningMin: level.big_blind,
    openingBet: straddler === null ? level.big_blind : straddle,
    first: fromButton ? playing[0] : next[straddler === null ? 0 : 1],
    straddle: straddler === null || rules.betting === "fixed_limit" ? 0 : straddle,
    bomb: false,
  };
}

/** The other seats, clockwise after one of them. */
function after(seat, playing) {
  const place = playing.indexOf(seat);
  return [...playing.slice(place + 1), ...playing.slice(0, place)];
}

/** Everybody posts the same; antes and blinds are not paid, and nobody acts before the flop. */
function bombPot(rules, level, stacks, playing) {
  return {
    blinds: stacks.map((_, seat) => (playing.includes(seat) ? rules.bomb_ante : 0)),
    antes: stacks.map(() => 0),
    antesDead: false,
    dead: stacks.map(() => 0),
    returning: [],
    betMin: level.big_blind,
    reopeningMin: level.big_blind,
    openingBet: 0,
    first: playing[0],
    straddle: 0,
    bomb: true,
  };
}

/** What a seat posts to be dealt in at once, for blinds that it has missed. */
export function blindsOwed(rules, setup, seat) {
  const missed = setup.missed?.[seat] ?? 0;
  const { small_blind, big_blind } = levelOf(rules, setup.hand);
  return (missed & MISSED_BIG ? big_blind : 0) + (missed & MISSED_SMALL ? small_blind : 0);
}

/** Which blind each seat posts, in the order in which they are posted: the small one first, missed ones last. */
export function blindNames(rules, setup, playing, { blinds, returning, first }) {
  if (setup.forced || rules.blinds_from === "button") return byAmount(blinds, playing, first);
  const { small, big } = positions(rules, setup, playing);
  const inTurn = [
    [small, "SMALL_BLIND"],
    [big, "BIG_BLIND"],
  ];
  if (rules.straddle && playing.length > 2) inTurn.push([after(big, playing)[0], "STRADDLE"]);
  const due = inTurn.filter(([seat]) => playing.includes(seat) && !returning.includes(seat));
  return new Map([...due, ...returning.map((seat) => [seat, "MISSED"])]);
}

/** The names of blinds by what they come to, for hands from elsewhere. Whoever posts after the first to act has missed a
 * blind. */
function byAmount(owed, order, first) {
  const before = order.slice(0, order.indexOf(first));
  const inTurn = order.length === 2 || !before.length ? order : before;
  const posting = inTurn.filter((seat) => owed[seat]).sort((one, other) => owed[one] - owed[other]);
  const names = ["SMALL_BLIND", "BIG_BLIND", "STRADDLE"].slice(posting.length === 1 ? 1 : 0);
  const named = posting.map((seat, place) => [seat, names[Math.min(place, names.length - 1)]]);
  const late = order.filter((seat) => owed[seat] && !posting.includes(seat));
  return new Map([...named, ...late.map((seat) => [seat, "MISSED"])]);
}
