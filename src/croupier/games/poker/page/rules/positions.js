// Who is dealt in, where the button is, and on whom the blinds fall. A twin of `croupier.games.poker.rules.positions`.

export const MISSED_SMALL = 1;
export const MISSED_BIG = 2;

/** All seats, from the one after this to this one. */
const clockwise = (after, seats) => Array.from({ length: seats }, (_, place) => (((after + 1 + place) % seats) + seats) % seats);

/** These seats clockwise, from the first one after a seat. */
const sortedFrom = (after, playing, seats) => clockwise(after, seats).filter((seat) => playing.includes(seat));

/** The seats with chips that do not sit out, clockwise from the button's left. */
export function inPlay({ stacks, button, sittingOut }) {
  return clockwise(button, stacks.length).filter((seat) => stacks[seat] && !sittingOut.includes(seat));
}

/** The positions with these seats in play, at least two, which come clockwise from the button's left: `order`, from the
 * button's left round to the button, and the seats of button and blinds. */
export function positions(rules, setup, playing) {
  const last = playing.at(-1);
  if (rules.blinds_from === "button") return { order: playing, button: last, small: last, big: last };
  if (!rules.dead_button || setup.small === undefined) {
    const [small, big] = playing.length === 2 ? [playing[1], playing[0]] : playing;
    return { order: playing, button: last, small, big };
  }
  const afterSmall = sortedFrom(setup.small, playing, setup.stacks.length);
  const [big, other] = afterSmall;
  if (playing.length === 2) return { order: [big, other], button: other, small: other, big };
  let { button } = setup;
  // Somebody came in between: a player has one position only.
  if (button === big || button === setup.small) button = afterSmall.at(afterSmall.at(-1) === setup.small ? -2 : -1);
  return { order: sortedFrom(button, playing, setup.stacks.length), button, small: setup.small, big };
}

/** Which blind would fall on a seat that is not in play, if it were; 0 for none. */
export function positionOf(rules, setup, playing, seat) {
  const { small, big } = positions(rules, setup, sortedFrom(setup.button, [...playing, seat], setup.stacks.length));
  return big === seat ? MISSED_BIG : small === seat ? MISSED_SMALL : 0;
}

/** The setup as the hand is played from it, and the seats that are dealt in. A seat that waits for the big blind is dealt
 * in when the big blind comes to it, or when too few others play; the button is put where it is in this hand. */
export function seatedFor(rules, before) {
  let setup = before;
  let playing = inPlay(setup);
  const arrived = arriving(rules, setup, playing);
  if (arrived.length) {
    setup = cameBack(setup, arrived);
    playing = inPlay(setup);
  }
  if (!rules.dead_button || setup.small === undefined || playing.length < 2) return { setup, playing };
  const { order, button } = positions(rules, setup, playing);
  // `small` stays: heads-up the other player may post the small blind of somebody who sits out, and who owes it then.
  return { setup: { ...setup, button }, playing: order };
}

function arriving(rules, setup, playing) {
  const waiting = (setup.waiting ?? []).filter((seat) => setup.stacks[seat]);
  if (playing.length < 2) return waiting;
  const inOrder = sortedFrom(setup.button, waiting, setup.stacks.length);
  return inOrder.filter((seat) => positionOf(rules, setup, playing, seat) === MISSED_BIG).slice(0, 1);
}

/** The setup with these seats no longer sitting out. */
export function cameBack(setup, seats) {
  const kept = (list) => list.filter((seat) => !seats.includes(seat));
  return { ...withWaiting(setup, kept(setup.waiting ?? [])), sittingOut: kept(setup.sittingOut) };
}

/** The setup with these seats waiting for the big blind. Where there are none, it says nothing of it. */
export function withWaiting({ waiting: _, ...setup }, seats) {
  return seats.length ? { ...setup, waiting: seats } : setup;
}

/** The setup with these blinds owed, by seat. Where there are none, it says nothing of it. */
export function withMissed({ missed: _, ...setup }, missed) {
  return missed.some(Boolean) ? { ...setup, missed } : setup;
}
