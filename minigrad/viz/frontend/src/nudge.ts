// Nudge on a page: numbers that can be dragged, and the kernel that answers each move.
import { look, type Themes } from "./colors";
import { type Model, onGone } from "./kernel";
import { painted } from "./motion";
import style from "./nudge.css";
import type { Graph, Places } from "./nudge_layout";
import { type Entry, entriesOf, freePlace, type Hand, type Numbers, Picture } from "./nudge_picture";
import { type Curve, PLOT, type Place, Plot } from "./nudge_plot";
import { type Move, num, passes, remark, told } from "./nudge_words";
import { element } from "./panel";
import { set, shape } from "./svg";

interface State {
  graph: Graph;
  layouts: Places[];
  numbers: Numbers;
  curve: Curve;
  outline: string;
  themes: Themes;
}

export type NudgeModel = Omit<Model<State>, "set" | "save_changes">;

type Drag = Hand & { x: number; value: number; onNumber: boolean };

const GONE = "The kernel has gone, so these numbers can't be moved. Run the cell again.";
const IDLE = "Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.";
const KEYS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
};
const BURST = 700; // milliseconds: keys pressed within it are one move
const WAVES = 330;
const PINGS = [4, 12];
const SMALLEST = 0.66; // of the picture's own size; what is still too wide can be scrolled

export class Nudge {
  readonly root = element("section", { class: "minigrad-view minigrad-nudge", "aria-label": "Nudge" });
  private readonly alert = element("p", { role: "alert", class: "alert" });
  private readonly frame = element("div", { class: "picture" });
  private readonly sentence = element("p", { class: "sentence" });
  private readonly bars = element("div", { class: "bars", "aria-hidden": "true" });
  private readonly news = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
  private readonly ended = new AbortController();
  private picture: Picture | undefined;
  private plot: Plot | undefined;
  private svg = shape("svg");
  private drawn: [Graph | undefined, number] = [undefined, 0];
  private values: number[][];
  private readonly entries: Entry[];
  private selected: Entry;
  private start: Place | undefined; // where the move began that is told of
  private moving = false;
  private drag: Drag | undefined;
  private burst = 0;
  private lastWave = 0;
  private turn = Math.floor(Math.random() * 1e9);
  private waiting = false;
  private asked = 0;
  private moves = new Map<string, [number, number, number]>();
  private wishes: object = {};
  private room = 0; // pixels: how wide the picture may be
  private frameAsked = 0;

  constructor(private readonly model: NudgeModel) {
    const ways = element("b", {}, "Values run forward, gradients run back.");
    const arrows = element("span", {}, " An orange arrow points where the result rises.");
    const hint = element("p", { class: "hint" }, "Drag a blue number or its slider. ", ways, arrows);
    const reset = element("button", { type: "button", class: "framed" }, "Reset");
    reset.addEventListener("click", () => this.reset());
    const bar = element("div", { class: "bar" }, hint, reset);
    const say = element("div", { class: "say" }, this.sentence, this.bars);
    const rules = look(model.get("themes")) + style;
    this.root.append(element("style", {}, rules), this.alert, this.frame, bar, say, this.news);
    this.values = this.numbers.leaves.map(([values]) => values.slice());
    this.entries = entriesOf(this.graph);
    this.selected = this.entries[0]!;
    this.idle();
    const { signal } = this.ended;
    addEventListener("pointermove", (event) => this.onMove(event), { signal });
    const end = () => this.drag && this.finish();
    ["pointerup", "pointercancel"].forEach((event) => addEventListener(event, end, { signal }));
    const resized = new ResizeObserver((entries) => {
      this.room = Math.floor(entries.at(-1)!.contentRect.width);
      this.build();
    });
    resized.observe(this.frame);
    const changed = () => this.onAnswer();
    model.on("change", changed);
    const unheard = onGone(model.widget_manager?.kernel, () => this.gone());
    signal.addEventListener("abort", () => {
      model.off("change", changed);
      resized.disconnect();
      unheard();
      this.picture?.remove();
    });
  }

  remove(): void {
    this.ended.abort();
  }

  private get graph(): Graph {
    return this.model.get("graph");
  }

  private get numbers(): Numbers {
    return this.model.get("numbers");
  }

  /** Draw the graph, unless it is drawn already for this width. */
  private build(): void {
    const { graph, room, drawn } = this;
    if (room === 0 || (graph === drawn[0] && room === drawn[1])) {
      return;
    }
    this.drawn = [graph, room];
    const layouts = this.model.get("layouts");
    const places = layouts.find(({ width }) => width <= room) ?? layouts.at(-1);
    if (places === undefined) {
      this.alert.textContent = "There is no Graphviz to draw with: pip install pygraphviz";
      return;
    }
    const focused = this.picture?.hands.findIndex(({ root }) => root === document.activeElement) ?? -1;
    const width = Math.max(places.width, Math.min(room, places.width + PLOT.width), PLOT.width);
    const place = freePlace(places, Math.min(width, room / SMALLEST), PLOT);
    const height = Math.ceil(Math.max(places.height, place.y + PLOT.height));
    const viewBox = `0 0 ${width} ${height}`;
    this.svg = shape("svg", { viewBox, role: "group", class: places.tight ? "tight" : "" });
    const above = shape("svg", { viewBox, class: "above", "aria-hidden": "true" });
    const both = element("div", { class: "both" }, this.svg, above);
    both.style.width = `${Math.min(width, Math.max(room, width * SMALLEST))}px`;
    this.plot = new Plot(this.svg, place.x, place.y);
    this.picture?.remove();
    this.picture = new Picture(graph, places, this.entries, this.svg, above);
    this.frame.replaceChildren(both);
    this.picture.hands.forEach((hand) => this.bind(hand));
    this.picture.operations.forEach((operation, index) => this.explain(operation, index));
    this.update();
    this.picture.hands[focused]?.root.focus();
  }

  private bind(hand: Hand): void {
    const { root, entry } = hand;
    root.addEventListener("pointerdown", (event) => {
      if (event.button === 0) {
        event.preventDefault(); // no text is selected, and no cell
        root.focus({ preventScroll: true });
        this.begin(entry);
        root.classList.add("on", "by-mouse");
        const onNumber = hand.number.includes(event.target as SVGElement);
        this.drag = { ...hand, x: event.clientX, value: this.valueOf(entry), onNumber };
        this.onMove(event);
      }
    });
    root.addEventListener("dblclick", () => {
      this.begin(entry);
      this.set(entry, entry.first, 6);
      this.finish();
    });
    root.addEventListener("keydown", (event) => this.onKey(event, entry));
    root.addEventListener("focus", () => this.drag ?? this.select(entry));
    root.addEventListener("blur", () => root.classList.remove("by-mouse"));
  }

  private onMove({ clientX, shiftKey }: PointerEvent): void {
    if (this.drag === undefined) {
      return;
    }
    const { entry, x, value, onNumber } = this.drag;
    const [from, to] = this.drag.track;
    const { left, width } = this.svg.getBoundingClientRect();
    const at = ((clientX - left) * this.svg.viewBox.baseVal.width) / width;
    const moved = value + (clientX - x) * (shiftKey ? 0.001 : 0.01) * entry.unit;
    const slid = ((2 * (at - from)) / (to - from) - 1) * entry.limit;
    this.set(entry, onNumber ? moved : slid, onNumber && shiftKey ? 3 : 2);
  }

  private onKey(event: KeyboardEvent, entry: Entry): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { limit, first, unit } = entry;
    const jumps: Record<string, number> = { Home: -limit, End: limit, Delete: first, Backspace: first };
    const step = (KEYS[event.key] ?? 0) * unit * (event.shiftKey ? 0.01 : 0.1);
    const value = step === 0 ? jumps[event.key] : this.valueOf(entry) + step;
    if (event.key === "Escape") {
      this.cancel(entry);
    } else if (value !== undefined) {
      this.press(entry, value);
    } else {
      return;
    }
    this.picture?.hands.forEach(({ root }) => root.classList.remove("by-mouse"));
    event.preventDefault();
    event.stopPropagation();
  }

  /** A key moves a number; keys in quick succession make one move. */
  private press(entry: Entry, value: number): void {
    if (this.burst === 0) {
      this.begin(entry);
    }
    clearTimeout(this.burst);
    this.set(entry, value);
    this.burst = window.setTimeout(() => this.finish(), BURST);
  }

  private valueOf({ leaf, index }: Entry): number {
    return this.values[leaf]![index]!;
  }

  private select(entry: Entry): void {
    if (entry !== this.selected) {
      this.rest();
      this.selected = entry;
      this.idle();
      this.ask({ curve: [entry.leaf, entry.index] });
      this.update();
    }
  }

  private begin(entry: Entry): void {
    this.select(entry);
    this.moving = true;
    this.start = this.placeOf(entry);
    this.ask({ curve: [entry.leaf, entry.index] });
  }

  private placeOf({ leaf, index }: Entry): Place {
    const { leaves, result } = this.numbers;
    return { value: leaves[leaf]![0][index]!, result: Number(result), grad: Number(leaves[leaf]![1]?.[index] ?? NaN) };
  }

  private set({ leaf, index, limit }: Entry, value: number, decimals = 2): void {
    const rounded = Number(Math.min(limit, Math.max(-limit, value)).toFixed(decimals));
    if (rounded === this.values[leaf]![index]) {
      return;
    }
    this.values[leaf]![index] = rounded;
    this.moves.set(`${leaf},${index}`, [leaf, index, rounded]);
    this.ask({});
    const now = performance.now();
    if (now - this.lastWave > WAVES) {
      this.lastWave = now;
      this.picture?.wave(leaf);
    }
    this.refresh();
  }

  /** Nothing is being moved any more, neither by mouse nor by keys. */
  private rest(): void {
    clearTimeout(this.burst);
    this.picture?.hands.forEach(({ root }) => root.classList.remove("on"));
    [this.burst, this.moving, this.drag] = [0, false, undefined];
  }

  private finish(): void {
    this.rest();
    this.update();
    this.announce();
  }

  private cancel(entry: Entry): void {
    if (this.moving && this.start !== undefined) {
      this.set(entry, this.start.value, 6);
      this.rest();
      this.idle();
      this.update();
    }
  }

  private reset(): void {
    this.values = this.graph.leaves.map(({ first }) => first.slice());
    this.moves.clear();
    this.idle();
    this.ask({ reset: true, curve: [this.selected.leaf, this.selected.index] });
    this.refresh();
    this.values.forEach((_, leaf) => this.picture?.wave(leaf));
    this.news.textContent = "All numbers are back where they were.";
  }

  /**
   * Ask the kernel, once it has answered what it was asked before; of several moves the newest.
   *
   * Jupyter's server sends the second part of an answer only when the page has confirmed the first,
   * and a page at rest does so late: 40 ms. (It's TCP: Nagle's algorithm and delayed
   * acknowledgments.) Another message confirms it at once.
   */
  private ask(wish: object): void {
    this.wishes = { ...this.wishes, ...wish };
    const moves = [...this.moves.values()];
    if (this.waiting || (moves.length === 0 && Object.keys(this.wishes).length === 0)) {
      return;
    }
    this.waiting = true;
    this.asked = performance.now();
    this.model.send({ ...this.wishes, moves, turn: ++this.turn });
    PINGS.forEach((delay) => setTimeout(() => this.waiting && this.model.send({ ping: true }), delay));
    this.wishes = {};
    this.moves.clear();
  }

  private onAnswer(): void {
    const { turn, leaves, error } = this.numbers;
    const answered = this.waiting && turn === this.turn;
    this.alert.textContent = error;
    this.waiting &&= !answered;
    if (!this.waiting && this.moves.size === 0 && !("reset" in this.wishes)) {
      this.values = leaves.map(([values]) => values.slice());
    }
    this.update();
    this.build();
    if (answered) {
      painted("nudge", this.asked);
      this.ask({});
      this.announce();
    }
  }

  /** Show the newest numbers with the next picture of the screen. */
  private refresh(): void {
    cancelAnimationFrame(this.frameAsked);
    this.frameAsked = requestAnimationFrame(() => this.update());
  }

  /** The learner's own numbers are shown at once, what follows from them as the kernel says. */
  private update(): void {
    cancelAnimationFrame(this.frameAsked);
    const numbers = this.numbers;
    const leaves = numbers.leaves.map(([, grads], leaf): Numbers["leaves"][number] => [this.values[leaf]!, grads]);
    this.picture?.update({ ...numbers, leaves });
    const curve = this.model.get("curve");
    const now = this.placeOf(this.selected);
    const { leaf, index } = this.selected;
    const known = curve.leaf === leaf && curve.index === index ? curve : undefined;
    this.plot?.draw(known, this.selected, this.graph.result, this.start ?? now, now);
    this.svg.setAttribute("aria-label", this.model.get("outline"));
    this.move && this.tell(this.move);
  }

  /** The move that is told of; undefined before there is one. */
  private get move(): Move | undefined {
    const now = this.placeOf(this.selected);
    if (this.start === undefined || this.start.value === now.value) {
      return undefined;
    }
    const { start } = this;
    const [{ name }, { result }] = [this.selected, this.graph];
    const by = now.value - start.value;
    return { name, by, result, moved: now.result - start.result, predicted: start.grad * by };
  }

  private tell(move: Move): void {
    const [start, end] = told(move);
    const most = Math.max(Math.abs(move.moved || 0), Math.abs(move.predicted || 0)) || 1;
    const bars = (["moved", "predicted"] as const).flatMap((kind) => {
      const bar = element("i");
      bar.style.width = `${Math.max(1, (Math.abs(move[kind]) / most) * 120)}px`;
      const row = element("span", { class: kind }, bar, num(move[kind], 4));
      return Number.isNaN(move[kind]) ? [] : [element("span", { class: kind }, kind), row];
    });
    this.say([`${start} `, element("b", {}, end)], bars);
  }

  private say(words: (string | Node)[], bars: Node[] = []): void {
    this.sentence.classList.toggle("idle", words[0] === IDLE);
    this.sentence.replaceChildren(...words);
    this.bars.replaceChildren(...bars);
  }

  private announce(): void {
    const move = this.move;
    if (move !== undefined && !this.moving && !this.waiting) {
      this.news.textContent = told(move).join(" ") + remark(move);
    }
  }

  /** There is no move to tell of. */
  private idle(): void {
    this.start = undefined;
    this.say([IDLE]);
  }

  /** Pointing at an operation, or focusing it, says what it does with what arrives. */
  private explain(operation: SVGGElement, index: number): void {
    const said = () => {
      const { edges, operations } = this.graph;
      const { sign } = operations[index]!;
      const grads = this.numbers.edges.map(([, grads]) => grads.map(Number));
      const passed = edges.map((edge, at) => ({ ...edge, passed: grads[at]! }));
      const arriving = passed.filter(({ from }) => from === `o${index}`);
      const inputs = passed.filter(({ to, data }) => to === `o${index}` && !data);
      if ([...arriving, ...inputs].some(({ passed }) => passed.length !== 1)) {
        return `${sign} passes back to each entry of its inputs what arrives times its own slope there.`;
      }
      const total = arriving.reduce((one, { passed }) => one + passed[0]!, 0);
      const named = inputs.map(({ name, factor, from, passed }) => {
        return { name: name || operations[Number(from.slice(1))]!.sign, factor, passed: passed[0]! };
      });
      return passes(sign, total, named);
    };
    const say = () => {
      if (this.drag === undefined) {
        this.say([said()]);
        operation.setAttribute("aria-label", said());
      }
    };
    const end = () => (this.move !== undefined ? this.tell(this.move) : this.moving || this.idle());
    ["pointerenter", "focus"].forEach((event) => operation.addEventListener(event, say));
    ["pointerleave", "blur"].forEach((event) => operation.addEventListener(event, end));
  }

  private gone(): void {
    this.alert.textContent = GONE;
    this.root.classList.add("gone");
    this.picture?.hands.forEach(({ root }) => set(root, { "aria-disabled": "true", tabindex: -1 }));
  }
}
