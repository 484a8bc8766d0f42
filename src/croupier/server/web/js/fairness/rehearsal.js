// A browser runs code slowly until it has run it often: the first deal took the page several times as long to check as
// those after it. So the page checks made-up packs in advance, while it has nothing else to do.

import * as canonical from "./canonical.js";
import { choice, cutOf, keeps, permutation, promiseOf, sealOf } from "./cut2.js";
import { toHex, utf8 } from "./encoding.js";
import { sha256 } from "./hash.js";
import { checkOpening, sealedPack } from "./sealedpack.js";

/** About as many hashes as one deal has, in steps so short that a key press never waits for one. */
const STEPS = 60;
const CARDS = ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"];
/** Longer than a step takes on a slow phone. */
const STEP_MS = 8;
/** Between two steps, where a browser does not tell when it is idle. */
const PAUSE_MS = 60;

function* steps() {
  for (let number = 0; number < STEPS; number++) {
    const secret = sha256(utf8(`rehearsal ${number}`));
    const { order, root } = sealedPack(secret, secret, CARDS);
    const seal = sealOf(secret, [root]);
    const value = toHex(secret);
    const cut = cutOf(seal, [{ seat: 0, value }]);
    keeps(promiseOf(secret), value);
    choice(cut, 8);
    const opening = { k: 0, position: 0, salt: root, card: order[0], path: [root, root, root] };
    checkOpening(opening, root, permutation(cut, CARDS.length), secret);
    canonical.write(canonical.read(canonical.write({ order, root })));
    yield;
  }
}

/** Where a browser does not tell when it is idle: one step at a time. */
function later(work) {
  let isFree = true;
  const timeRemaining = () => {
    const left = isFree ? STEP_MS + 1 : 0;
    isFree = false;
    return left;
  };
  setTimeout(() => work({ timeRemaining }), PAUSE_MS);
}

/** Rehearses whenever the page is idle; `idle` as `requestIdleCallback`. Resolves when it is done. */
export function rehearse(idle = globalThis.requestIdleCallback ?? later) {
  const ahead = steps();
  return new Promise((resolve) => {
    const go = (deadline) => {
      while (deadline.timeRemaining() > STEP_MS)
        if (ahead.next().done) {
          resolve();
          return;
        }
      idle(go);
    };
    idle(go);
  });
}
