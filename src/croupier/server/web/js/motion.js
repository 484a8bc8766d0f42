// Things that move: copies of an element fly over the page while the real ones change in place.

import { reducedMotion } from "./settings.js";

const EASE = "cubic-bezier(.2,.7,.3,1)";

/** Whether anything should move now: not where people asked for rest, and not in a tab that nobody sees. */
export const moves = () => !reducedMotion() && !document.hidden;

/** Lets an element come in from where another one is. */
export function comeFrom(element, origin, { ms = 350, delay = 0, turn = 0 } = {}) {
  if (!moves() || !origin || !element.isConnected) return;
  const [from, to] = [origin.getBoundingClientRect(), element.getBoundingClientRect()];
  if (!to.width || !from.width) return;
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  const start = { transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(.7)`, opacity: 0 };
  element.animate([start, { opacity: 1, offset: 0.3 }, { transform: "none", opacity: 1 }], {
    duration: ms,
    delay,
    easing: EASE,
    fill: "backwards",
  });
}

/** Lets a copy of an element fly over everything from where another one is; the element itself appears when it lands.
 * What lies in a place that cuts off whatever leaves it comes so. */
export function comeOver(element, origin, { ms = 450 } = {}) {
  if (!moves() || !origin || !element.isConnected) return;
  const [from, to] = [origin.getBoundingClientRect(), element.getBoundingClientRect()];
  if (!from.width || !to.width) return;
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  const start = { transform: `translate(${x}px, ${y}px) scale(.7)`, opacity: 0.4 };
  element.animate([{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }], { duration: ms });
  fly(copyOver(element, to), [start, { transform: "none", opacity: 1 }], { duration: ms, easing: EASE });
}

/** Sends a copy of an element to where another one is. */
export function sendTo(element, goal, { ms = 450, delay = 0 } = {}) {
  if (!moves() || !goal || !element.isConnected) return;
  const [from, to] = [element.getBoundingClientRect(), goal.getBoundingClientRect()];
  if (!from.width || !to.width) return;
  const x = to.x + to.width / 2 - from.x - from.width / 2;
  const y = to.y + to.height / 2 - from.y - from.height / 2;
  fly(
    copyOver(element, from),
    [
      { transform: "none" },
      { transform: `translate(${x}px, ${y}px)`, opacity: 1, offset: 0.85 },
      { transform: `translate(${x}px, ${y}px) scale(.8)`, opacity: 0 },
    ],
    { duration: ms, delay, easing: EASE, fill: "both" },
  );
}

/** A copy of an element that lies over the page at a place. */
function copyOver(element, place) {
  const copy = element.cloneNode(true);
  copy.removeAttribute("id");
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("flying");
  for (const [name, value] of [
    ["left", place.x],
    ["top", place.y],
    ["width", place.width],
    ["height", place.height],
  ]) {
    copy.style.setProperty(name, `${value}px`);
  }
  document.body.append(copy);
  return copy;
}

/** Takes away all that still flies: what it flew over is no longer on show. */
export function land() {
  for (const copy of document.querySelectorAll(".flying")) copy.remove();
}

/** Moves a copy, and takes it away when it has arrived. */
function fly(copy, frames, timing) {
  copy.animate(frames, timing).finished.then(
    () => copy.remove(),
    () => copy.remove(),
  );
}
