// Nudge's picture: cards with sliders, operations, and roads on which values and gradients run.
import { type Box, center, type Point, type Size } from "./geometry";
import { still } from "./motion";
import { boxOf, type Graph, LANE, lineOf, type Places, RADIUS, ROW, type Road, rowsOf } from "./nudge_layout";
import { num, spoken, sum } from "./nudge_words";
import { Pulses, type Run } from "./pulses";
import { headOf, lane, pathOf, trim } from "./road";
import { ends, set, shape, write } from "./svg";

/** JSON has no infinities: they come as words. */
export type Amount = number | string;

export interface Numbers {
  leaves: [values: number[], grads: Amount[] | null][];
  data: Amount[][];
  edges: [values: Amount[], grads: Amount[]][];
  result: Amount;
  turn: number;
  error: string;
}

/** A number that can be moved: an entry of a leaf. */
export type Entry = ReturnType<typeof entriesOf>[number];

export interface Hand {
  root: SVGGElement;
  entry: Entry;
  /** Where its slider begins and ends, in the picture's pixels. */
  track: [number, number];
  /** The number itself, which can be dragged too. */
  number: SVGElement[];
}

const WAVE = 300; // milliseconds for values to run forward, and as many for gradients to run back
const STROKES: Record<string, string> = { "×": "M-7-7L7 7M-7 7L7-7", "+": "M-9 0H9M0-9V9", "−": "M-9 0H9" };

const isVector = (entries: string[]) => entries.length > 1 || entries[0]!.endsWith("]");
const listOf = (shape: number[]) => `[${shape.join(", ")}]`;
const isSquare = ({ sign, after }: { sign: string; after: string }) => sign === "^" && after === "2";
const wordOf = ({ sign, before, after }: { sign: string; before: string; after: string }) =>
  [before, sign, after].filter((part) => part !== "").join(" ");

/** unit: what one pixel and one key count by, ten times as much where the range is that large. */
export function entriesOf({ leaves }: Graph) {
  return leaves.flatMap(({ entries, limit, first }, leaf) => {
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(limit / 2)));
    return entries.map((name, index) => ({ leaf, index, name, limit, first: first[index]!, unit }));
  });
}

export class Picture {
  readonly hands: Hand[] = [];
  readonly operations: SVGGElement[] = [];
  private readonly updates: ((numbers: Numbers) => void)[] = [];
  private readonly ways: (Run & { from: string })[] = [];
  private readonly pulses: Pulses;

  constructor(
    private readonly graph: Graph,
    private readonly places: Places,
    entries: Entry[],
    svg: SVGSVGElement,
    above: SVGSVGElement,
  ) {
    const [lines, boxes, labels] = [shape("g", {}, svg), shape("g", {}, svg), shape("g", {}, svg)];
    this.pulses = new Pulses(above);
    const depths = this.depths();
    places.roads.forEach((road) => {
      this.road(road, lines, depths);
      this.label(road, labels);
    });
    const cards = graph.leaves.map((_, index) => this.leaf(index, boxes));
    entries.forEach((entry) => this.hand(entry, cards[entry.leaf]!));
    graph.data.forEach((_, index) => this.data(index, boxes));
    graph.operations.forEach((_, index) => this.operation(index, boxes));
    this.result(shape("g", {}, boxes));
  }

  update(numbers: Numbers): void {
    this.updates.forEach((update) => update(numbers));
  }

  /** Let what has changed run forward from a leaf, and the gradients back. */
  wave(leaf: number): void {
    if (still()) {
      return;
    }
    const changed = new Set([`l${leaf}`]);
    this.places.roads.forEach(() => {
      this.places.roads.filter(({ from }) => changed.has(from)).forEach(({ to }) => changed.add(to));
    });
    this.pulses.start(this.ways.filter(({ kind, from }) => kind === "back" || changed.has(from)));
  }

  remove(): void {
    this.pulses.stop();
  }

  private box(id: string): Box {
    return boxOf(this.places, id);
  }

  private depths(): Map<string, number> {
    const depths = new Map<string, number>();
    this.places.roads.forEach(() => {
      this.places.roads.forEach(({ from, to }) => {
        depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(from) ?? 0) + 1));
      });
    });
    return depths;
  }

  private road(road: Road, lines: Element, depths: Map<string, number>): void {
    const middle = lineOf(this.places, road.id);
    const data = road.width === 0;
    const toFork = road.to[0] === "f";
    const forward = trim(lane(middle, data ? 0 : -LANE), 2, toFork ? 0 : 9);
    shape("path", { class: data ? "value data" : "value", d: pathOf(forward) }, lines);
    if (!toFork) {
      shape("path", { class: data ? "head data" : "head", d: headOf(forward) }, lines);
    } else {
      const { x, y } = center(this.box(road.to));
      shape("circle", { class: "fork", cx: x, cy: y, r: this.box(road.to).width / 2 }, lines);
    }
    if (data) {
      return;
    }
    const fromFork = road.from[0] === "f";
    const backward = trim(lane(middle.slice().reverse(), -LANE), 2, fromFork ? 2 : 9);
    const grad = shape("path", { class: "grad-road", d: pathOf(backward) }, lines);
    const head = fromFork ? undefined : shape("path", { class: "grad", d: headOf(backward) }, lines);
    this.updates.push(({ edges }) => {
      const grads = road.edges.flatMap((edge) => edges[edge]![1].map(Number));
      const size = Math.max(0, ...grads.map(Math.abs)) || 0;
      const hidden = grads.length === 0 && rowsOf(this.graph.edges[road.edges[0]!]!.shape) > 0;
      set(grad, { "stroke-width": (1.1 + 2.3 * Math.min(1, size / 1.5)).toFixed(1) });
      [grad, head].forEach((part) => part && (part.style.display = hidden ? "none" : ""));
    });
    const slot = WAVE / (depths.get("r") ?? 1);
    const [start, end] = [depths.get(road.from) ?? 0, depths.get(road.to)!];
    const duration = (end - start) * slot;
    const { from } = road;
    this.ways.push({ from, line: forward, kind: "forward", delay: start * slot, duration });
    this.ways.push({ from, line: backward, kind: "back", delay: 2 * WAVE - end * slot, duration });
  }

  /** The values above a road and the gradients below it. */
  private label({ id, from, to, edges, rows, width }: Road, layer: Element): void {
    if (width === 0) {
      return;
    }
    const { x, y } = center(this.box(id));
    const { name, shape: sizes } = this.graph.edges[edges[0]!]!;
    const count = rowsOf(sizes);
    const written = from[0] === "o" && to !== "r" ? Array.from({ length: rows }, (_, row) => row) : [];
    const values = written.map((row) => {
      const text = shape("text", { class: "label middle", x, y: y - LANE - 6 - (rows - 1 - row) * ROW }, layer);
      const named = shape("tspan", { class: "muted", "font-style": "italic" }, text, row === 0 ? name : "");
      return { named, number: shape("tspan", {}, text) };
    });
    const grads = Array.from({ length: rows }, (_, row) =>
      shape("text", { class: "label middle grad strong", x, y: y + LANE + ROW + row * ROW }, layer),
    );
    this.updates.push((numbers) => {
      const [value] = numbers.edges[edges[0]!]!;
      values.forEach(({ named, number }, row) => {
        const text = count === 0 ? listOf(sizes ?? []) : value.length > row ? num(Number(value[row])) : "";
        write(number, named.textContent && text ? ` = ${text}` : text);
      });
      const parts = edges.map((edge) => numbers.edges[edge]![1].map(Number)).filter(({ length }) => length > 0);
      grads.forEach((text, row) => {
        const here = parts.map((part) => part[row]!);
        const total = here.reduce((one, other) => one + other, 0);
        write(text, here.length === 0 ? "" : to[0] === "f" && rows === 1 && here.length > 1 ? sum(here) : num(total));
      });
    });
  }

  private leaf(leaf: number, layer: Element): Element {
    const { x, y, width, height } = this.box(`l${leaf}`);
    const { name, entries } = this.graph.leaves[leaf]!;
    const card = shape("g", {}, layer);
    shape("rect", { class: "leaf", x: x + 1, y, width: width - 2, height, rx: 9 }, card);
    shape("text", { class: "title strong blue", x: x + 14, y: y + 25 }, card, name);
    if (isVector(entries)) {
      shape("text", { class: "small muted end", x: x + width - 14, y: y + 24 }, card, "value, grad");
    } else {
      shape("text", { class: "small grad", x: x + 14, y: y + 82 }, card, "grad");
    }
    return card;
  }

  /** One number with its slider, the arrow of its slope under it, and its gradient. */
  private hand(entry: Entry, card: Element): void {
    const { leaf, index, name, limit } = entry;
    const { x, y, width } = this.box(`l${leaf}`);
    const vector = isVector(this.graph.leaves[leaf]!.entries);
    const row = vector ? y + 32 + 44 * index : y;
    const at = vector
      ? { slider: row + 17, arrow: row + 29, number: row + 15, grad: row + 34, frame: row, height: 42 }
      : { slider: y + 48, arrow: y + 62, number: y + 27, grad: y + 82, frame: y + 5, height: 82 };
    const track: [number, number] = vector ? [x + 42, x + width - 66] : [x + 18, x + width - 18];
    const [[from, to], right, middle] = [track, x + width - 14, at.slider];
    const aria = { "aria-label": name, "aria-valuemin": -limit, "aria-valuemax": limit };
    const root = shape("g", { class: "hand", role: "slider", tabindex: 0, ...aria }, card);
    shape("rect", { class: "frame", x: x + 6, y: at.frame, width: width - 12, height: at.height, rx: 6 }, root);
    shape("rect", { class: "hit", x: from - 10, y: middle - 12, width: to - from + 20, height: 24 }, root);
    if (vector) {
      shape("text", { class: "small muted", x: x + 12, y: middle + 4 }, root, name.slice(name.lastIndexOf("[")));
    }
    const zero = (from + to) / 2;
    shape("line", { class: "track", ...ends(from, middle, to, middle) }, root);
    shape("line", { class: "zero", ...ends(zero, middle - 5, zero, middle + 5) }, root);
    const arrow = shape("path", { class: "grad" }, root);
    const thumb = shape("circle", { class: "thumb", r: vector ? 6 : 7.5, cy: middle }, root);
    const hit = shape("rect", { class: "hit", x: right - 62, y: at.number - 20, width: 72, height: 28 }, root);
    const [large, small] = vector ? ["", "small"] : ["large", ""];
    const number = shape("text", { class: `number end strong blue ${large}`, x: right, y: at.number }, root);
    const line = ends(right - (vector ? 36 : 50), at.number + 5.5, right, at.number + 5.5);
    const under = shape("line", { class: "underline", ...line }, root);
    const grad = shape("text", { x: right, y: at.grad }, root);
    this.hands.push({ root, entry, track, number: [hit, number, under] });
    this.updates.push(({ leaves }) => {
      const value = leaves[leaf]![0][index]!;
      const given = leaves[leaf]![1];
      const slope = given === null ? undefined : Number(given[index]);
      const place = zero + (value / limit) * ((to - from) / 2);
      set(thumb, { cx: place });
      write(number, num(value, Math.abs(value * 100 - Math.round(value * 100)) > 1e-6 ? 3 : 2));
      write(grad, slope === undefined ? `None: no path to ${this.graph.result}` : num(slope, vector ? 3 : 4));
      set(grad, { class: slope === undefined ? "small muted end" : `grad end strong ${small}` });
      set(arrow, { d: slope === undefined ? "" : slopeArrow(place, at.arrow, slope, vector ? 0.3 : 1) });
      set(root, { "aria-valuenow": value, "aria-valuetext": spoken(value, slope, this.graph.result) });
    });
  }

  private data(index: number, layer: Element): void {
    const { x, y, width, height } = this.box(`d${index}`);
    const { name, shape: sizes } = this.graph.data[index]!;
    const rows = rowsOf(sizes);
    shape("rect", { class: "card", x, y, width, height, rx: 4 }, layer);
    shape("text", { class: "strong muted", x: x + 10, y: y + height / 2 + 5 }, layer, name);
    const texts = Array.from({ length: Math.max(rows, 1) }, (_, row) =>
      shape("text", { class: "end", x: x + width - 10, y: y + 22 + row * 20 }, layer),
    );
    this.updates.push(({ data }) => {
      texts.forEach((text, row) => write(text, rows === 0 ? listOf(sizes) : num(Number(data[index]![row]))));
    });
  }

  private operation(index: number, layer: Element): void {
    const box = this.box(`o${index}`);
    const operation = this.graph.operations[index]!;
    const { x: cx, y: cy } = center(box);
    const [x, width, height] = [box.x, box.width, box.width < 2 * RADIUS + 3 ? 2 * RADIUS : 42];
    const root = shape("g", { class: "operation", tabindex: 0, role: "img", "aria-label": wordOf(operation) }, layer);
    shape("rect", { class: "pill", x, y: cy - height / 2, width, height, rx: height / 2 }, root);
    const word = wordOf(operation);
    if (isSquare(operation)) {
      shape("rect", { class: "sign base", x: cx - 11, y: cy - 5, width: 14, height: 14, rx: 1.5 }, root);
      shape("text", { class: "strong", x: cx + 6, y: cy - 3 }, root, "2");
    } else if (word in STROKES) {
      shape("path", { class: "sign", d: STROKES[word]!, transform: `translate(${cx} ${cy})` }, root);
    } else {
      shape("text", { class: "title strong middle", x: cx, y: cy + 6 }, root, word);
    }
    shape("title", {}, root, operation.name);
    this.operations.push(root);
  }

  private result(layer: Element): void {
    const { x, y, width, height } = this.box("r");
    shape("rect", { class: "result", x, y, width, height, rx: 9 }, layer);
    shape("text", { class: "title strong", x: x + 12, y: y + 25 }, layer, this.graph.result);
    const number = shape("text", { class: "large strong end", x: x + width - 12, y: y + 52 }, layer);
    this.updates.push(({ result }) => write(number, num(Number(result), 4)));
  }
}

/** An arrow that points where the result rises; a dot where it hardly moves. It keeps clear of numbers beside it. */
function slopeArrow(x: number, y: number, slope: number, scale: number): string {
  if (!(Math.abs(slope) >= 0.005)) {
    return `M${x - 2.5},${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;
  }
  const way = Math.sign(slope);
  const tip = x + way * Math.min(46, Math.abs(slope) * 26) * scale;
  return `M${x},${y - 1.3}H${tip}V${y - 4.6}L${tip + way * 8},${y}L${tip},${y + 4.6}V${y + 1.3}H${x}Z`;
}

/** The highest place at the right edge where a box of this size lies over nothing. */
export function freePlace(places: Places, width: number, room: Size): Point {
  const left = width - room.width;
  const boxes = Object.keys(places.boxes).map((id) => boxOf(places, id));
  const lows = boxes.filter((box) => box.x + box.width > left - 8).map((box) => box.y + box.height);
  const points = Object.values(places.lines)
    .flat()
    .filter(([x]) => x > left - 8);
  return { x: left, y: Math.max(0, ...lows, ...points.map(([, y]) => y + LANE)) + 14 };
}
