// What the felt shows of a room's state.

/** The picture of a state; `nameOf` gives the name of a seat, "" where nobody sits. */
export function pictureOf({ public: shown, you: { view } }, nameOf, note = "") {
  const seats = view.seats.flatMap((seat, number) =>
    nameOf(number) ? [{ ...seat, seat: number, name: nameOf(number) }] : [],
  );
  return {
    dealer: view.dealer,
    hasHole: shown.rules.peek,
    seats,
    activeSeat: view.activeHand === null ? null : view.toAct[0],
    activeHand: view.activeHand,
    asked: view.toAct,
    note,
  };
}

/** Whether a picture is that of a round that is over, and in which somebody played. */
export const isOver = ({ seats }) => seats.some((seat) => seat.finalPayout !== undefined && seat.hands.length > 0);
