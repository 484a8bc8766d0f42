// How much time somebody in turn has: the turn's own seconds first, then the player's time bank.

import { setShown, setText, setVariable } from "../dom.js";
import { play } from "../sound.js";
import { tell } from "../speech.js";
import { plural } from "../texts.js";

/** From here on a seat shows its seconds in figures. */
const FIGURES_SECONDS_MAX = 10;

/** What is left for a seat: { left: the part from 0 to 1, seconds, onBank }; null when no clock runs for it. */
export function timeLeft(shown, seat, nowMs) {
  if (shown.deadlineMs === null || shown.paused || !shown.turn.includes(seat)) return null;
  const bankMs = shown.members.find((member) => member.seat === seat)?.bankMs ?? 0;
  const leftMs = shown.deadlineMs - nowMs;
  const turnMs = leftMs - bankMs;
  const onBank = turnMs <= 0;
  const left = onBank ? leftMs / Math.max(bankMs, 1) : turnMs / (1000 * shown.options.turnSeconds);
  const seconds = Math.max(Math.ceil((onBank ? leftMs : turnMs) / 1000), 0);
  return { left: Math.min(Math.max(left, 0), 1), seconds, onBank };
}

/** Shows a seat's time, as `timeLeft` gives it, on the seat's `clock` and `seconds`. */
export function showTime({ clock, seconds }, time) {
  setShown(clock, time !== null);
  setText(seconds, time && (time.seconds <= FIGURES_SECONDS_MAX || time.onBank) ? time.seconds : "");
  if (!time) return;
  setVariable(clock, "--left", time.left.toFixed(3));
  clock.classList.toggle("bank", time.onBank);
}

/** Warns the player, once a turn, when only so many of the turn's own seconds are left. */
export class LowTimeWarning {
  #seconds;
  #version = 0;

  constructor(seconds) {
    this.#seconds = seconds;
  }

  /** Takes the time of the player's own seat. */
  take(shown, time) {
    if (!time || time.onBank || time.seconds !== this.#seconds || this.#version === shown.version) return;
    this.#version = shown.version;
    play("hurry");
    tell(plural("web.seconds_left", time.seconds));
  }
}

/** What is done before a choice takes no longer than this, unless a deal granted more. */
const BEFORE_CHOICE_MS_MAX = 1000;

/** Until when a choice that came at this moment must be on show: before the player's own time has run for long. */
export function choiceByMs(shown, seat, arrivedMs) {
  const latest = arrivedMs + BEFORE_CHOICE_MS_MAX;
  if (shown.deadlineMs === null || !shown.turn.includes(seat)) return latest;
  const bankMs = shown.members.find((member) => member.seat === seat)?.bankMs ?? 0;
  return Math.max(latest, shown.deadlineMs - bankMs - 1000 * shown.options.turnSeconds);
}
