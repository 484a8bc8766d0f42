// The course of a simulation, drawn here: what it said after so many rounds, the interval round that, and the exact
// value where there is one. Rounds are on a logarithmic axis, since what a simulation knows grows with their root.

import { s, setAttribute } from "../dom.js";
import { t } from "../texts.js";
import { compact, percent } from "./figures.js";

const WIDE = { width: 720, height: 380 };
const NARROW = { width: 380, height: 340 };
const FRAME = { left: 62, right: 22, top: 16, bottom: 42 };
const SIGMAS = 1.96;
/** Where the vertical axis looks: at the points from this part of the rounds on, so that early luck does not flatten it. */
const LOOKS_FROM = 0.004;
const TICKS = 6;

export class Plot {
  constructor() {
    this.size = matchMedia("(max-width: 720px)").matches ? NARROW : WIDE;
    this.right = this.size.width - FRAME.right;
    this.bottom = this.size.height - FRAME.bottom;
    this.grid = s("g", { class: "plot-grid" });
    this.band = s("path", { class: "plot-band" });
    this.line = s("path", { class: "plot-line" });
    this.exact = s("path", { class: "plot-exact" });
    this.last = s("circle", { class: "plot-last", r: 4 });
    const { width, height } = this.size;
    const window_ = s("rect", {
      x: FRAME.left,
      y: FRAME.top,
      width: this.right - FRAME.left,
      height: this.bottom - FRAME.top,
    });
    this.element = s(
      "svg",
      { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("web.lab.simulation.plot") },
      s("clipPath", { id: "plot-window" }, window_),
      this.grid,
      s("g", { "clip-path": "url(#plot-window)" }, this.band, this.exact, this.line, this.last),
    );
    this.clear();
  }

  clear() {
    this.points = [];
    for (const part of [this.band, this.line, this.exact]) setAttribute(part, "d", "");
    setAttribute(this.last, "visibility", "hidden");
    this.grid.replaceChildren();
  }

  /** Adds points [rounds, ev, standard error] and draws again. */
  add(points, exact, total) {
    this.points.push(...points);
    const last = this.points.at(-1);
    const x = scale([Math.log10(this.points[0][0]), Math.log10(Math.max(total, 2000))], [FRAME.left, this.right]);
    const y = scale(this.#heights(exact), [this.bottom, FRAME.top]);
    const at = ([rounds, value]) => `${x(Math.log10(rounds)).toFixed(1)} ${y(value).toFixed(1)}`;
    const edge = (sign) => this.points.map(([rounds, ev, error]) => at([rounds, ev + sign * SIGMAS * error]));
    setAttribute(this.line, "d", `M${this.points.map(at).join("L")}`);
    setAttribute(this.band, "d", `M${edge(1).join("L")}L${edge(-1).reverse().join("L")}Z`);
    setAttribute(this.exact, "d", exact === null ? "" : `M${FRAME.left} ${y(exact)}H${this.right}`);
    setAttribute(this.last, "cx", x(Math.log10(last[0])));
    setAttribute(this.last, "cy", y(last[1]));
    setAttribute(this.last, "visibility", null);
    this.grid.replaceChildren(...this.#upright(x, total), ...this.#level(y), ...this.#exactLabel(y, exact));
  }

  /** From where to where the vertical axis reaches. */
  #heights(exact) {
    const from = this.points.at(-1)[0] * LOOKS_FROM;
    const seen = this.points.filter(([rounds]) => rounds >= from);
    const reaches = seen.flatMap(([, ev, error]) => [ev - SIGMAS * error, ev + SIGMAS * error]);
    if (exact !== null) reaches.push(exact);
    const [low, high] = [Math.min(...reaches), Math.max(...reaches)];
    const room = (high - low || 0.001) * 0.06;
    return [low - room, high + room];
  }

  #upright(x, total) {
    const marks = [];
    for (let power = 3; 10 ** power <= Math.max(total, 2000); power++) {
      const place = x(power).toFixed(1);
      marks.push(
        s("path", { d: `M${place} ${FRAME.top}V${this.bottom}` }),
        s("text", { x: place, y: this.bottom + 18, "text-anchor": "middle" }, compact(10 ** power)),
      );
    }
    const middle = (FRAME.left + this.right) / 2;
    marks.push(
      s("text", { x: middle, y: this.size.height - 4, "text-anchor": "middle" }, t("web.lab.simulation.rounds")),
    );
    return marks;
  }

  #level(y) {
    const [low, high] = y.from;
    const step = niceStep((high - low) / TICKS);
    const digits = Math.max(0, Math.ceil(-Math.log10(step * 100)));
    const marks = [];
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
      const place = y(value).toFixed(1);
      marks.push(
        s("path", { d: `M${FRAME.left} ${place}H${this.right}` }),
        s("text", { x: FRAME.left - 8, y: Number(place) + 4, "text-anchor": "end" }, percent(value, digits)),
      );
    }
    return marks;
  }

  #exactLabel(y, exact) {
    if (exact === null) return [];
    const words = t("web.lab.simulation.exact", { value: percent(exact, 3) });
    return [s("text", { class: "exact-label", x: this.right - 6, y: y(exact) - 6, "text-anchor": "end" }, words)];
  }
}

/** A straight map of one stretch to another. */
function scale(from, to) {
  const [low, high] = from;
  const map = (value) => to[0] + ((value - low) / (high - low)) * (to[1] - to[0]);
  map.from = from;
  return map;
}

/** The next of 1, 2, 5 times a power of ten. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}
