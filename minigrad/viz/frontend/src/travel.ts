// A backward pass on the picture: the 1 starts at the result, and gradients run back road by road.
import type { Point } from "./geometry";
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
const LONGEST = 8; // letters that run along with a pulse
const NEAR = 50; // pixels: not so near to the edge of the frame

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
    private readonly svg: SVGSVGElement,
    { hops }: Trip,
  ) {
    const roads = [...svg.querySelectorAll<SVGGElement>("g.road:has(.lane.back)")];
    const edges = roads.map((road) => road.dataset.edges!.split(" "));
    const when = turns(hops, edges);
    const duration = pace(when);
    this.layer = shape("g", { "aria-hidden": "true" }, svg);
    this.pulses = new Pulses(this.layer);
    this.runs = roads.map((road, index) => {
      const turn = when[index]!;
      const run = { kind: "back" as const, delay: turn * duration, duration };
      return { ...run, ...this.run(road, edges[index]!.length > 1, when.indexOf(turn) === index) };
    });
  }

  /** Let them run; the promise is kept when the last of them has arrived. */
  async start(): Promise<void> {
    this.pulses.start(this.runs);
    const end = Math.max(0, ...this.runs.map(({ delay, duration }) => delay + duration));
    await new Promise((done) => setTimeout(done, end + HOP));
  }

  /** All gradients are there. */
  finish(): void {
    this.pulses.stop();
    this.arrivals.forEach((arrive) => arrive());
    this.layer.remove();
  }

  /** sum: it is known at once what arrives. first: whether to keep this run in sight. */
  private run(road: SVGGElement, sum: boolean, first: boolean): Pick<Run, "line" | "onWay"> {
    const lane = road.querySelector(".lane.back")!;
    const box = this.svg.querySelector(`g.box[data-part="${road.dataset.from}"]`)!;
    const line = pointsOf(lane.getAttribute("d")!);
    const label = [...road.querySelectorAll("text.grad")].map((text) => text.textContent).join("");
    const [sent, last] = numbers(label);
    const token = shape("text", { class: "token", "text-anchor": "middle", dy: 4.5 }, this.layer);
    [road, box].forEach((part) => set(part, { "data-grad": "waiting" }));
    const arrive = () => {
      set(lane, { d: pathOf(line) });
      [road, box].forEach((part) => part.removeAttribute("data-grad"));
      token.remove();
    };
    this.arrivals.push(arrive);
    const onWay = (share: number) => {
      if (share === 1) {
        arrive();
        box.classList.add("landed");
        return;
      }
      const way = trim(line, 0, lengthOf(line) * (1 - share));
      const half = share >= 0.5 || sum;
      set(road, { "data-grad": half ? "known" : "sent" });
      set(lane, { d: pathOf(way) });
      if (last.length <= LONGEST) {
        write(token, half ? last : sent);
        set(token, { ...way.at(-1)! });
      }
      if (first) {
        this.follow(way.at(-1)!);
      }
    };
    return { line, onWay };
  }

  /** Where the picture is larger than its frame, the frame goes along. */
  private follow(point: Point): void {
    const [frame, view] = [this.svg.parentElement!, this.svg.viewBox.baseVal];
    const [x, y] = [point.x - view.x, point.y - view.y].map((one) => (one * this.svg.clientWidth) / view.width);
    frame.scrollLeft = Math.min(x! - NEAR, Math.max(frame.scrollLeft, x! + NEAR - frame.clientWidth));
    frame.scrollTop = Math.min(y! - NEAR, Math.max(frame.scrollTop, y! + NEAR - frame.clientHeight));
  }
}
