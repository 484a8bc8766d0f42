// How much time somebody in turn has: the turn's own seconds first, then the player's reserve.

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
