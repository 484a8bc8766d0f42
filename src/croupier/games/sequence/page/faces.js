// What a viewer of a game of Sequence may see, made from the replay alone: the own hand from its places, the board from
// the moves. A twin of `croupier.games.sequence.rules.view`. The page holds all that the server shows to it.

import { cellsOf } from "./rules/board.js";
import { menu } from "./rules/menu.js";
import { TEAM_IDS, readRules, readSetup, scoresOf, sequencesNeeded } from "./rules/options.js";

export { isUndealt } from "./form.js";
export { readRules, readSetup };

/** The rules as a context carries them. */
export const plainRules = readRules;

/** The packs are opened when the game is over. */
export const opensAll = true;

/** Hidden cards decide who may act: a seat whose cards are not known may have passed. And nobody can be left out. */
export const hidesHands = true;

export const isOpenTable = () => false;

/** There are no chips to put in. */
export const stakes = () => false;

/** What is done for a seat that does not act in time: the first legal play, on its next turn. */
export function madeFor(game, seat) {
  const turn = game.awaits.kind === "turn" ? game.turns.find((each) => each.seat === seat) : undefined;
  return turn ? (menu({ ...game, turn }, seat)[0]?.action ?? null) : null;
}

export const seatCount = ({ setup }) => setup.seats;

export const dealtIn = ({ setup }) => Array.from({ length: setup.seats }, (_, seat) => seat);

/** A game is a match. */
export const ended = () => true;

/** What the table fills in, who knows persons and times. */
export const stamped = [["currentUid"], ["lastAction", "uid"], ["lastAction", "at"]];

/** The same in an event. */
export const stampedInEvents = [["actorUid"], ["at"], ["action", "expectedVersion"]];

/** The game as a seat sees it, or with `viewer` null a spectator. */
export function view(rules, game, viewer) {
  const { setup, turn, awaits } = game;
  const over = awaits.kind === "over";
  const chips = game.chips.flatMap((team, cell) => (team === null ? [] : [[cell, TEAM_IDS[team]]]));
  return {
    you: viewer,
    toAct: awaits.kind === "turn" ? [turn.seat] : [],
    seats: game.hands.map((hand, seat) => ({
      cards: seat === viewer ? [...hand] : hand.map(() => null),
      chips: null,
      state: "",
    })),
    phase: over ? "ended" : game.dealt ? "playing" : "dealing",
    turnNumber: turn.number,
    currentSeat: over ? null : turn.seat,
    teamBySeat: Array.from({ length: setup.seats }, (_, seat) => TEAM_IDS[seat % setup.teams]),
    chipsByCell: Object.fromEntries(chips),
    freeCorners: rules.free_corners,
    jacks: rules.jacks,
    clearedCellId: turn.cleared,
    completedSequences: game.completed.map(({ team, cells, turnNumber }) => ({
      teamId: TEAM_IDS[team],
      cells,
      turnNumber,
    })),
    scoreByTeam: scoresOf(game),
    sequencesToWin: sequencesNeeded(rules, setup.teams),
    discardTopBySeat: game.discardTops,
    handSizeBySeat: game.dealt ? game.hands.map((hand) => hand.length) : [],
    packLeft: game.dealt ? game.packLeft : 0,
    lastAction: game.last,
    winner: game.winner === null ? null : TEAM_IDS[game.winner],
    private: viewer === null || !game.dealt ? null : privateHand(game, viewer),
  };
}

function privateHand(game, seat) {
  const hand = game.hands[seat].filter((card) => card !== null);
  return {
    seat,
    hand,
    handVersion: game.versions[seat],
    deadCards: hand.filter((card) => cellsOf(card).length && cellsOf(card).every((cell) => game.chips[cell] !== null)),
  };
}
