// A backward pass on the picture: the 1 starts at the result, and gradients run back road by road.
import type { Point } from "./geometry";
import type { Picture } from "./picture";
import { Pulses, type Run } from "./pulses";
import { lengthOf, pathOf, pointsOf, trim } from "./road";
import { set, shape, write } from "./svg";

/** run: which backward pass it is. hops: the edges that gradients run along together, in order. */
export interface Trip {
  run: number;
  hops: string[][];
}

const HOP = 125; // milliseconds
const WHOLE = 1000;
const RING = 300;
const FLASH = 700;
const LONGEST = 8; // letters that run along with a pulse

/**
 * When each road has its turn, from 0, by the edges of the graph that each stands for.
 *
 * Where a tensor is used several times, these edges have a road each, and behind the fork one in
 * common: it has its turn after the last of them. A road that no hop names comes first.
 */
export function turns(hops: string[][], roads: string[][]): number[] {
  const found: number[] = roads.map((edges) => (hops.flat().includes(edges[0] ?? "") ? -1 : 0));
  const arrived = new Set<string>();
  let turn = found.includes(0) ? 1 : 0;
  const go = (ready: (edges: string[]) => boolean) => {
    const going = roads.flatMap((edges, index) => (found[index] === -1 && ready(edges) ? [index] : []));
    going.forEach((index) => (found[index] = turn));
    turn += going.length > 0 ? 1 : 0;
  };
  for (const hop of hops) {
    hop.forEach((edge) => arrived.add(edge));
    go((edges) => edges.length === 1 && hop.includes(edges[0]!));
    go((edges) => edges.length > 1 && edges.every((edge) => arrived.has(edge)));
  }
  return found.map((one) => (one === -1 ? turn : one));
}

/** How long one turn takes, so that all of them are over in a second. */
export function pace(turns: number[]): number {
  return Math.min(HOP, WHOLE / (Math.max(0, ...turns) + 1));
}

/** The number that sets out and the one that arrives, of a label such as "3 × 2 = 6". */
export function numbers(label: string): [first: string, last: string] {
  const last = label.split(" = ").at(-1)!;
  const [first = last, factor] = label.split(" × ");
  return factor === undefined ? [last, last] : [first, last];
}

/** Hides the gradients of a picture, and lets each appear when its pulse arrives. */
export class Travel {
  private readonly layer: SVGGElement;
  private readonly pulses: Pulses;
  private readonly runs: Run[];
  private readonly arrivals: (() => void)[] = [];

  constructor(
    private readonly picture: Picture,
    { hops }: Trip,
  ) {
    const roads = [...picture.svg.querySelectorAll<SVGGElement>("g.road:has(.lane.back)")];
    const when = turns(
      hops,
      roads.map((road) => road.dataset.edges!.split(" ")),
    );
    const duration = pace(when);
    this.layer = shape("g", { "aria-hidden": "true" }, picture.svg);
    this.pulses = new Pulses(this.layer);
    this.runs = roads.map((road, index) => this.run(road, when[index]! * duration, duration));
  }

  /** Let them run; the promise is kept when the last of them has arrived. */
  async start(): Promise<void> {
    this.pulses.start(this.runs);
    const end = Math.max(0, ...this.runs.map(({ delay, duration }) => delay + duration));
    await new Promise((done) => setTimeout(done, end + 2 * HOP));
  }

  /** All gradients are there. */
  finish(): void {
    this.pulses.stop();
    this.arrivals.forEach((arrive) => arrive());
    this.layer.remove();
  }

  private run(road: SVGGElement, delay: number, duration: number): Run {
    const lane = road.querySelector(".lane.back")!;
    const box = this.picture.svg.querySelector<SVGGElement>(`g.box[data-part="${road.dataset.from}"]`);
    const points = pointsOf(lane.getAttribute("d")!);
    const label = [...road.querySelectorAll("text.grad")].map((text) => text.textContent).join("");
    const [first, last] = numbers(label);
    const token = last !== "" && last.length <= LONGEST ? new Token(this.layer) : undefined;
    const sum = road.dataset.edges!.includes(" "); // it is known as soon as the last part is
    road.dataset.grad = "waiting";
    box?.setAttribute("data-grad", "waiting");
    const arrive = () => {
      set(lane, { d: pathOf(points) });
      road.removeAttribute("data-grad");
      box?.removeAttribute("data-grad");
      token?.remove();
    };
    this.arrivals.push(arrive);
    const onWay = (share: number) => {
      if (share === 1) {
        arrive();
        land(box);
        return;
      }
      const way = trim(points, 0, lengthOf(points) * (1 - share));
      const half = share >= 0.5 || sum;
      road.dataset.grad = half ? "known" : "sent";
      set(lane, { d: pathOf(way) });
      token?.move(way.at(-1)!, half ? last : first);
    };
    return { line: points, kind: "back", delay, duration, onWay };
  }
}

/** The operation that runs now has a ring for a moment; where a gradient is stored, it lights up. */
function land(box: SVGGElement | null): void {
  const frame = box?.querySelector(".frame:not(.heat)");
  const rows = [...(box?.querySelectorAll<SVGGraphicsElement>(".grad") ?? [])].map((row) => row.getBBox());
  const ring = box?.classList.contains("operation");
  if (!frame || (!ring && rows.length === 0)) {
    return;
  }
  const light = frame.cloneNode() as SVGRectElement;
  light.setAttribute("class", ring ? "ring" : "flash");
  if (!ring) {
    const top = Math.min(...rows.map(({ y }) => y)) - 2;
    const bottom = Math.max(...rows.map(({ y, height }) => y + height)) + 2;
    const [x, width] = [Number(frame.getAttribute("x")), Number(frame.getAttribute("width"))];
    set(light, { x: x + 4, width: width - 8, y: top, height: bottom - top, rx: 6 });
  }
  frame.after(light);
  const [duration, opacity] = ring ? [RING, 0.9] : [FLASH, 0.45];
  const gone = () => light.remove();
  light.animate([{ opacity }, { opacity: 0 }], { duration, easing: "ease-out" }).finished.then(gone, gone);
}

/** A number that runs along with its pulse. */
class Token {
  private readonly root: SVGGElement;
  private readonly ground: SVGRectElement;
  private readonly text: SVGTextElement;

  constructor(layer: SVGGElement) {
    this.root = shape("g", { class: "token", visibility: "hidden" }, layer);
    this.ground = shape("rect", { y: -9, height: 18, rx: 9 }, this.root);
    this.text = shape("text", { y: 4.5, "text-anchor": "middle" }, this.root);
  }

  move({ x, y }: Point, number: string): void {
    const width = Math.max(22, 7.5 * number.length + 12);
    write(this.text, number);
    set(this.ground, { x: -width / 2, width });
    set(this.root, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, visibility: "visible" });
  }

  remove(): void {
    this.root.remove();
  }
}
