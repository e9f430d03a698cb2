// The result against the number that is dragged: the curve, the tangent where the drag began, and
// where the result has come beside where the gradient said it would.
import type { Box } from "./geometry";
import type { Entry } from "./nudge_picture";
import { num } from "./nudge_words";
import { ends, set, shape, write } from "./svg";

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

type Tick = SVGTextElement;
type Scale = (value: number) => number;

let plots = 0;

export class Plot {
  private readonly title = shape("tspan");
  private readonly note = shape("tspan", { class: "grad strong", dx: 12 });
  private readonly zero = shape("line", { class: "axis" });
  private readonly ticks: Tick[];
  private readonly drop = shape("line", { class: "drop" });
  private readonly curve = shape("path", { class: "curve" });
  private readonly tangent = shape("line", { class: "tangent" });
  private readonly gap = shape("line", { class: "gap" });
  private readonly slope = shape("line", { class: "slope" });
  private readonly from = shape("circle", { class: "from", r: 4.5 });
  private readonly predicted = shape("path", { class: "guess", d: "M0,-6L6,0L0,6L-6,0Z" });
  private readonly now = shape("circle", { class: "now", r: 5 });
  private readonly area: Box;

  constructor(parent: Element, x: number, y: number) {
    const width = PLOT.width - LEFT - 6;
    const height = PLOT.height - TOP - BOTTOM;
    const area = (this.area = { x: x + LEFT, y: y + TOP, width, height });
    const root = shape("g", { "aria-hidden": "true" }, parent);
    shape("text", { x: area.x, y: y + 13, class: "label" }, root).append(this.title, this.note);
    const [bottom, right] = [area.y + height, area.x + width];
    shape("path", { class: "axis", d: `M${area.x},${area.y}V${bottom}H${right}` }, root);
    const anchors = ["start", "middle", "end", "end", "middle"];
    this.ticks = anchors.map((anchor) =>
      shape("text", { class: "small muted", "text-anchor": anchor, y: bottom + 14 }),
    );
    set(this.ticks[4]!, { class: "small strong blue" });
    const id = `minigrad-plot-${plots++}`;
    const clip = shape("clipPath", { id }, root);
    shape("rect", { x: area.x, y: area.y - 4, width, height: height + 8 }, clip);
    const inside = shape("g", { "clip-path": `url(#${id})` }, root);
    inside.append(this.drop, this.curve, this.tangent, this.gap, this.slope);
    root.append(this.zero, ...this.ticks);
    inside.append(this.from, this.predicted, this.now);
  }

  /** start: where the drag began, whose tangent is shown; now: where the number is. */
  draw(curve: Curve | undefined, { limit, name }: Entry, result: string, start: Place, now: Place): void {
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
    const { x, width } = this.area;
    const [middle, right] = [x + width / 2, x + width];
    const place = Math.min(right - 30, Math.max(x + 30, at));
    const [low, half, high, nought, dragged] = this.ticks as [Tick, Tick, Tick, Tick, Tick];
    [low, half, high].forEach((tick, index) => write(tick, num((index - 1) * limit, 0)));
    [x, middle, right, x - 5, place].forEach((place, index) => set(this.ticks[index]!, { x: place }));
    write(nought, "0");
    write(dragged, name);
    show(Math.abs(place - middle) >= 24, half);
    show(!Number.isNaN(zero), this.zero, nought);
    set(this.zero, ends(x, zero || 0, right, zero || 0));
    set(nought, { y: (zero || 0) + 4 });
  }
}

/** From where to where the results go, with some room; a nearly flat curve is shown as flat. */
function reach(results: number[]): [number, number] {
  const finite = results.filter(Number.isFinite);
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  if (finite.length === 0) {
    return [-1, 1];
  }
  const least = Math.max(1, Math.abs(high) * 0.05);
  const [middle, half] = [(high + low) / 2, Math.max(least, high - low) * 0.58];
  return [middle - half, middle + half];
}

function show(shown: boolean, ...parts: SVGElement[]): void {
  parts.forEach((part) => (part.style.display = shown ? "" : "none"));
}

/** A line with gaps where there is no result. */
function lineOf(points: (readonly [number, number])[], across: Scale, up: Scale): string {
  const place = ([at, value]: readonly [number, number]) => `L${across(at).toFixed(1)},${up(value).toFixed(1)}`;
  const steps = points.map((point) => (Number.isFinite(point[1]) ? place(point) : " "));
  return steps.join("").replace(/(^|\s)L/g, "M");
}
