// The result against the number that is dragged: the curve, the tangent where the drag began, and
// where the result has come beside where the gradient said it would.
import type { Box } from "./geometry";
import { num } from "./nudge_words";
import { set, shape, write } from "./svg";

export interface Curve {
  leaf: number;
  index: number;
  points: [number, number | string | null][];
}

export interface Place {
  value: number;
  result: number;
  grad: number;
}

export const PLOT = { width: 320, height: 158 };
const [LEFT, TOP, BOTTOM] = [22, 26, 20];

let plots = 0;

export class Plot {
  private readonly title = shape("tspan");
  private readonly note = shape("tspan", { class: "grad strong", dx: 12 });
  private readonly zero = shape("line", { class: "axis" });
  private readonly ticks: SVGTextElement[];
  private readonly drop = shape("line", { class: "drop" });
  private readonly curve = shape("path", { class: "curve" });
  private readonly tangent = shape("line", { class: "tangent" });
  private readonly gap = shape("line", { class: "gap" });
  private readonly slope = shape("line", { class: "slope" });
  private readonly from = shape("circle", { class: "from", r: 4.5 });
  private readonly predicted = shape("path", { class: "predicted", d: "M0,-6L6,0L0,6L-6,0Z" });
  private readonly now = shape("circle", { class: "now", r: 5 });
  private readonly area: Box;

  constructor(parent: Element, x: number, y: number) {
    const width = PLOT.width - LEFT - 6;
    const height = PLOT.height - TOP - BOTTOM;
    const area = (this.area = { x: x + LEFT, y: y + TOP, width, height });
    const root = shape("g", { "aria-hidden": "true" }, parent);
    shape("text", { x: area.x, y: y + 13, class: "label-left" }, root).append(this.title, this.note);
    const [bottom, right] = [area.y + height, area.x + width];
    shape("line", { class: "axis", x1: area.x, x2: right, y1: bottom, y2: bottom }, root);
    shape("line", { class: "axis", x1: area.x, x2: area.x, y1: area.y, y2: bottom }, root);
    set(this.zero, { x1: area.x, x2: right });
    const anchors = ["start", "middle", "end", "end", "middle"];
    this.ticks = anchors.map((anchor) => shape("text", { class: "tick", "text-anchor": anchor, y: bottom + 14 }));
    this.ticks[4]!.classList.add("dragged");
    const id = `minigrad-plot-${plots++}`;
    const clip = shape("clipPath", { id }, root);
    shape("rect", { x: area.x, y: area.y - 4, width, height: height + 8 }, clip);
    const inside = shape("g", { "clip-path": `url(#${id})` }, root);
    inside.append(this.drop, this.curve, this.tangent, this.gap, this.slope);
    root.append(this.zero, ...this.ticks);
    inside.append(this.from, this.predicted, this.now);
  }

  /** start: where the drag began, whose tangent is shown; now: where the number is. */
  draw(curve: Curve | undefined, limit: number, name: string, result: string, start: Place, now: Place): void {
    const { x, y, width, height } = this.area;
    const points = (curve?.points ?? []).map(([at, value]) => [at, value === null ? NaN : Number(value)] as const);
    const [low, high] = reach([...points.map(([, value]) => value), start.result, now.result]);
    const across = (value: number) => x + ((value + limit) / (2 * limit)) * width;
    const up = (value: number) => y + height - ((value - low) / (high - low)) * height;
    set(this.curve, { d: lineOf(points, across, up) });
    const line = (at: number) => up(start.result + start.grad * (at - start.value));
    const moved = start.value !== now.value;
    const known = !Number.isNaN(start.grad);
    const [px, py, guess] = [across(now.value), up(now.result), line(now.value)];
    show(moved, this.from);
    show(moved && known, this.predicted, this.gap);
    show(known, this.tangent, this.slope);
    set(this.from, { cx: across(start.value), cy: up(start.result) });
    if (known) {
      set(this.tangent, ends(across(-limit), line(-limit), across(limit), line(limit)));
      set(this.predicted, { transform: `translate(${px} ${guess})` });
      set(this.gap, ends(px, py, px, guess));
    }
    set(this.now, { cx: px, cy: py });
    set(this.drop, ends(px, py, px, y + height));
    const steep = ((now.grad || 0) * height * 2 * limit) / ((high - low) * width);
    const dx = moved ? 13 / Math.hypot(1, steep) : 0;
    set(this.slope, ends(px - dx, py + dx * steep, px + dx, py - dx * steep));
    write(this.title, `${result} as ${name} moves`);
    const was = `grad at ${num(start.value)} was ${num(start.grad)}`;
    const note = moved ? `the line: ${was}` : `slope = grad = ${num(start.grad)}`;
    write(this.note, known ? note : "grad None: no path back");
    this.label(limit, name, px, low < 0 && high > 0 ? up(0) : NaN);
  }

  private label(limit: number, name: string, at: number, zero: number): void {
    const { x, width, y } = this.area;
    const middle = x + width / 2;
    [x, middle, x + width].forEach((place, index) => {
      write(this.ticks[index]!, num((index - 1) * limit, 0));
      this.ticks[index]!.setAttribute("x", `${place}`);
    });
    show(!Number.isNaN(zero), this.zero, this.ticks[3]!);
    set(this.zero, { y1: zero || y, y2: zero || y });
    set(this.ticks[3]!, { x: x - 5, y: (zero || y) + 4 });
    write(this.ticks[3]!, "0");
    write(this.ticks[4]!, name);
    const place = Math.min(x + width - 30, Math.max(x + 30, at));
    this.ticks[4]!.setAttribute("x", `${place}`);
    show(Math.abs(place - middle) >= 24, this.ticks[1]!);
  }
}

/** From where to where the results go, with some room; a nearly flat curve is shown as flat. */
function reach(results: number[]): [number, number] {
  const finite = results.filter(Number.isFinite);
  let [low, high] = [Math.min(...finite), Math.max(...finite)];
  if (finite.length === 0) {
    return [-1, 1];
  }
  const least = Math.max(1, Math.abs(high) * 0.05);
  if (high - low < least) {
    const middle = (high + low) / 2;
    [low, high] = [middle - least / 2, middle + least / 2];
  }
  const room = (high - low) * 0.08;
  return [low - room, high + room];
}

function show(shown: boolean, ...parts: SVGElement[]): void {
  parts.forEach((part) => (part.style.display = shown ? "" : "none"));
}

function lineOf(
  points: (readonly [number, number])[],
  across: (value: number) => number,
  up: (value: number) => number,
): string {
  let begins = true;
  return points
    .map(([at, value]) => {
      const command = begins ? "M" : "L";
      begins = !Number.isFinite(value);
      return begins ? "" : `${command}${across(at).toFixed(1)},${up(value).toFixed(1)}`;
    })
    .join("");
}

function ends(x1: number, y1: number, x2: number, y2: number): Record<string, number> {
  return { x1, y1, x2, y2 };
}
