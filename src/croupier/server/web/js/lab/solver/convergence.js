// How exploitability fell, on a logarithmic scale, with the target as a line.

import { s, setAttribute } from "../../dom.js";
import { t } from "../../texts.js";

const WIDTH = 240;
const HEIGHT = 56;
const LEAST = 1e-6;

export class Convergence {
  #points = [];
  #target = 0;

  constructor() {
    this.line = s("path", { class: "plot-line" });
    this.goal = s("path", { class: "plot-exact" });
    this.element = s(
      "svg",
      { class: "convergence", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("web.lab.solver.convergence") },
      this.goal,
      this.line,
    );
  }

  begin(target) {
    this.#points = [];
    this.#target = target;
    this.#draw();
  }

  add({ seconds, exploitability }) {
    const value = Math.max(exploitability ?? 0, LEAST);
    if (exploitability === null || this.#points.at(-1)?.[1] === value) return;
    this.#points.push([seconds, value]);
    this.#draw();
  }

  #draw() {
    const values = [...this.#points.map(([, value]) => value), Math.max(this.#target, LEAST)].map(Math.log);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const last = this.#points.at(-1)?.[0] || 1;
    const y = (value) => 4 + ((high - Math.log(value)) / (high - low || 1)) * (HEIGHT - 8);
    const path = this.#points.map(([seconds, value]) => `${((seconds / last) * WIDTH).toFixed(1)} ${y(value).toFixed(1)}`);
    setAttribute(this.line, "d", path.length > 1 ? `M${path.join("L")}` : null);
    setAttribute(this.goal, "d", this.#points.length > 1 ? `M0 ${y(Math.max(this.#target, LEAST)).toFixed(1)}H${WIDTH}` : null);
  }
}
