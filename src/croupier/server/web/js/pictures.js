// The code of a deal to read aloud: the first 24 bits of its cut as four of 64 pictures. The pictures and their names
// stand in the texts (`picture.N`), where the terminal finds them too.

import { t } from "./texts.js";

const PICTURES = 4;
const BITS = 6;
const SIDE_PIXELS = 24;
/** No device has a drawing of this one. */
const UNKNOWN_SIGN = "\u{10ffff}";

/** The pictures of a cut in hex, each as { sign, name }. A sign that this device cannot draw is left out: the name says it
 * all. */
export function picturesOf(cut) {
  const bits = parseInt(cut.slice(0, 6), 16);
  return Array.from({ length: PICTURES }, (_, place) => {
    const number = (bits >> (BITS * (PICTURES - 1 - place))) & 63;
    const [sign, ...name] = t(`picture.${number}`).split(" ");
    return { sign: isDrawn(sign) ? sign : "", name: name.join(" ") };
  });
}

function isDrawn(sign) {
  return drawingOf(sign) !== drawingOf(UNKNOWN_SIGN);
}

function drawingOf(sign) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE_PIXELS, height: SIDE_PIXELS });
  const drawing = canvas.getContext("2d");
  drawing.font = `${SIDE_PIXELS / 2}px sans-serif`;
  drawing.fillText(sign, 2, SIDE_PIXELS - 6);
  return canvas.toDataURL();
}
