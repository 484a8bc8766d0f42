// How a hand unfolds: the picture after each event. The live table plays events one by one with it, and the replay of
// an old hand steps through them. What the server shows is the truth; this only fills the moments in between.

const EMPTY_SEAT = {
  chips: 0,
  bet: 0,
  inHand: false,
  allIn: false,
  sittingOut: false,
  left: false,
  place: 0,
  hasCards: false,
  cards: [],
};

/** A table before anything is known: what the replay of a hand begins with. */
export function blankView(seats) {
  return {
    hand: 0,
    level: 0,
    smallBlind: 0,
    bigBlind: 0,
    ante: 0,
    street: "PREFLOP",
    button: 0,
    board: [],
    otherBoards: [],
    rabbit: [],
    pots: [],
    total: 0,
    bet: 0,
    toAct: [],
    toCall: 0,
    seats: Array.from({ length: seats }, (_, seat) => ({ ...EMPTY_SEAT, seat })),
    own: null,
    ownOthers: [],
    awards: [],
    payouts: [],
  };
}

const STEPS = {
  HOLDEM_HAND_STARTED: (view, event) => ({
    ...view,
    hand: event.hand,
    level: event.level,
    smallBlind: event.smallBlind,
    bigBlind: event.bigBlind,
    ante: event.ante,
    button: event.button,
    street: "PREFLOP",
    board: [],
    otherBoards: [],
    pots: [],
    total: 0,
    bet: 0,
    own: null,
    ownOthers: [],
    awards: [],
    payouts: [],
    seats: view.seats.map((seat) => ({
      ...seat,
      chips: event.stacks[seat.seat],
      bet: 0,
      inHand: event.seats.includes(seat.seat),
      allIn: false,
      hasCards: false,
      cards: [],
    })),
  }),
  HOLDEM_POSTED: (view, { seat, post, amount, allIn }) => {
    if (post !== "ANTE" && post !== "DEAD") return putIn(view, seat, amount, allIn);
    const [main = { amount: 0, seats: [] }, ...others] = view.pots;
    const paid = change(view, seat, (old) => ({ chips: old.chips - amount, allIn: Boolean(allIn) }));
    return { ...paid, pots: [{ ...main, amount: main.amount + amount }, ...others], total: view.total + amount };
  },
  HOLDEM_HOLE_CARDS_DEALT: (view, { seats, count = 2 }) => ({
    ...view,
    seats: view.seats.map((seat) =>
      seats.includes(seat.seat) ? { ...seat, hasCards: true, cards: Array(count).fill(null) } : seat,
    ),
  }),
  HOLDEM_HOLE_CARDS: (view, { seat, cards }) => change(view, seat, () => ({ cards, hasCards: true })),
  HOLDEM_ACTED: (view, { seat, move, amount = 0, allIn }) =>
    move === "FOLD" ? change(view, seat, () => ({ inHand: false, hasCards: false })) : putIn(view, seat, amount, allIn),
  HOLDEM_STREET_DEALT: (view, { street, cards, board = 0 }) => {
    if (!board) return { ...view, street, board: [...view.board, ...cards] };
    const otherBoards = [...view.otherBoards];
    otherBoards[board - 1] = [...(otherBoards[board - 1] ?? []), ...cards];
    return { ...view, street, otherBoards };
  },
  HOLDEM_BET_RETURNED: (view, { seat, amount }) => {
    const returned = change(view, seat, (old) => ({
      chips: old.chips + amount,
      bet: Math.max(old.bet - amount, 0),
      allIn: false,
    }));
    return { ...returned, total: view.total - amount };
  },
  HOLDEM_POTS_FORMED: (view, { pots }) => ({
    ...view,
    pots,
    bet: 0,
    seats: view.seats.map((seat) => ({ ...seat, bet: 0 })),
  }),
  HOLDEM_SHOWN: (view, { seat, cards }) =>
    change(view, seat, (old) => {
      // A single card, shown after a win, lies among backs.
      const known = old.cards.length > cards.length ? [...cards, ...Array(old.cards.length - cards.length).fill(null)] : cards;
      return old.cards.some((card) => card !== null) && known !== cards ? {} : { cards: known, hasCards: true };
    }),
  HOLDEM_RABBIT_DEALT: (view, { cards, board = 0 }) => {
    const rabbit = [...view.rabbit];
    rabbit[board] = cards;
    return { ...view, rabbit };
  },
  HOLDEM_RUN_AGREED: (view, { times }) => ({
    ...view,
    otherBoards: Array.from({ length: times - 1 }, () => [...view.board]),
  }),
  HOLDEM_RAKE_TAKEN: (view, { pot, amount }) => ({
    ...view,
    pots: view.pots.map((each, place) => (place === pot ? { ...each, amount: each.amount - amount } : each)),
    total: view.total - amount,
  }),
  HOLDEM_MUCKED: (view, { seat }) => change(view, seat, () => ({ inHand: false, hasCards: false })),
  HOLDEM_POT_AWARDED: (view, award) => {
    let paid = view;
    award.winners.forEach((seat, place) => {
      paid = change(paid, seat, (old) => ({ chips: old.chips + award.shares[place] }));
    });
    const pots = view.pots.map((pot, place) =>
      place === award.pot ? { ...pot, amount: Math.max(pot.amount - award.amount, 0) } : pot,
    );
    return {
      ...paid,
      pots,
      total: view.total - award.amount,
      street: "OVER",
      awards: [...view.awards, award],
      seats: paid.seats.map((seat) => ({ ...seat, allIn: false })),
    };
  },
  HOLDEM_PLAYER_LEFT: (view, { seat }) => change(view, seat, () => ({ left: true })),
  HOLDEM_KNOCKED_OUT: (view, { seat, place }) => change(view, seat, () => ({ place })),
  HOLDEM_HAND_OVER: (view, { stacks, payouts }) => ({
    ...view,
    street: "OVER",
    toAct: [],
    payouts,
    seats: view.seats.map((seat) => ({ ...seat, chips: stacks[seat.seat], bet: 0, allIn: false })),
  }),
};

/** The picture after an event. Nobody is in turn in it: whose turn it is, the server says when all has been told. */
export function step(view, event) {
  return { ...(STEPS[event.type]?.(view, event) ?? view), toAct: [] };
}

function change(view, seat, fields) {
  return { ...view, seats: view.seats.map((old) => (old.seat === seat ? { ...old, ...fields(old) } : old)) };
}

function putIn(view, seat, amount, allIn) {
  const paid = change(view, seat, (old) => ({
    chips: old.chips - amount,
    bet: old.bet + amount,
    allIn: Boolean(allIn),
  }));
  return { ...paid, total: view.total + amount, bet: Math.max(view.bet, paid.seats[seat].bet) };
}

/** How long people look at each event before the next, in milliseconds at the normal pace. */
const LOOKS_MS = {
  HOLDEM_POSTED: 160,
  HOLDEM_HOLE_CARDS_DEALT: 500,
  HOLDEM_HOLE_CARDS: 250,
  HOLDEM_ACTED: 380,
  HOLDEM_STREET_DEALT: 650,
  HOLDEM_BET_RETURNED: 300,
  HOLDEM_POTS_FORMED: 420,
  HOLDEM_SHOWN: 800,
  HOLDEM_RABBIT_DEALT: 1600,
  HOLDEM_RUN_AGREED: 900,
  HOLDEM_SEVEN_DEUCE: 1200,
  HOLDEM_MUCKED: 300,
  HOLDEM_POT_AWARDED: 1600,
  HOLDEM_KNOCKED_OUT: 700,
};
const RUN_OUT_MS = 1100;
const RESULT_MS = 2600;

/** A street that is dealt after everybody's cards are up deserves a longer look; so does a result. */
export function looksMs(event, view) {
  if (event.type === "HOLDEM_STREET_DEALT" && view.seats.filter(({ cards }) => cards.some((card) => card !== null)).length > 1)
    return RUN_OUT_MS;
  if (event.type === "HOLDEM_HAND_OVER") return RESULT_MS;
  return LOOKS_MS[event.type] ?? 0;
}
