// What a state of the casino shows of its seeds and its round, as the notebook of shuffle-1 reads it. A state that makes no
// sense is an Error.

const isText = (value) => typeof value === "string";
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/** The cards on the table in the order in which they were dealt; null for the hole card while it lies face down. */
function cardsDealt(hands, dealer) {
  const fits = [1, 2].includes(hands.length) && dealer.length && hands.every((hand) => hand.length > 1);
  if (!fits) throw new Error(`${hands.length} hands against ${dealer.length} cards of the dealer`);
  const [up, hole = null, ...drawn] = dealer;
  if (hands.length === 1) {
    const [first, second, ...more] = hands[0];
    return [first, up, second, hole, ...more, ...drawn];
  }
  const [[first, third, ...more], [second, fourth, ...others]] = hands;
  return [first, up, second, hole, third, fourth, ...more, ...others, ...drawn];
}

export function shownSeeds(seeds, version, decks, round = null) {
  const { serverSeedHash, nextServerSeedHash, clientSeedsLeft } = seeds ?? {};
  if (!isCount(version) || !isText(serverSeedHash) || !isText(nextServerSeedHash) || !isCount(clientSeedsLeft))
    throw new Error("the seeds of a state cannot be read");
  return { version, serverSeedHash, nextServerSeedHash, decks, clientSeedsLeft, round };
}

function shownRound(state) {
  const { clientSeed, playerHands, dealerHand, serverSeedHash, nonce, roundId } = state;
  if (clientSeed === null || !playerHands?.length || !dealerHand) return null;
  const hands = playerHands.map(({ cards }) => cards);
  if (![clientSeed, serverSeedHash, ...dealerHand.cards, ...hands.flat()].every(isText) || !isCount(nonce))
    throw new Error("the round of a state cannot be read");
  return {
    serverSeedHash,
    clientSeed,
    nonce,
    roundId,
    cards: cardsDealt(hands, dealerHand.cards),
    over: state.status === "cashed_out",
    balance: state.balance,
    staked: state.totalBet,
    payout: state.finalPayout ?? null,
    serverSeed: state.serverSeed ?? null,
  };
}

export const shownState = (state, decks) => shownSeeds(state.seeds, state.version, decks, shownRound(state));

/** A round of the history: its cards are not told. */
export const pastRound = ({ serverSeedHash, clientSeed, nonce, roundId, staked, finalPayout, serverSeed }) => ({
  serverSeedHash,
  clientSeed,
  nonce,
  roundId,
  cards: [],
  over: true,
  balance: 0,
  staked,
  payout: finalPayout,
  serverSeed,
});
