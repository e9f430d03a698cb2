// Where the parts of nudge's picture are: Graphviz places boxes and roads, labels' rooms included.
import { type Box, extent, type Point } from "./geometry";
import { sum } from "./nudge_words";
import { along } from "./road";

export interface Edge {
  from: string;
  output: number;
  to: string;
  port: number;
  name: string;
  shape: number[] | null;
  data: boolean;
  factor: string;
}

export interface Graph {
  leaves: { name: string; entries: string[]; limit: number; first: number[] }[];
  data: { name: string; shape: number[] }[];
  operations: { name: string; sign: string; before: string; after: string }[];
  edges: Edge[];
  result: string;
}

/** A road from a source to a target; several edges may share it. */
export interface Road {
  id: string;
  from: string;
  to: string;
  edges: number[];
  /** Its label's room: how many rows above and below, and how wide. */
  rows: number;
  width: number;
  /** The room before the label in which the road may swerve, and after it, in a box of its own. */
  lead: number;
  tail: number;
}

export interface Placed {
  width: number;
  height: number;
  boxes: Map<string, Box>;
  lines: Map<string, Point[]>;
}

export const ROW = 16;
export const LANE = 4.5;
export const RADIUS = 23; // of an operation's circle
const SANS = '-apple-system, "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif';
const MOST_ROWS = 4;
const DOT = 9;
const ROOM = 52; // for an operation: as high as a label, so that roads run straight
const NEAR = 90; // pixels
const STUB = 11; // straight, for an arrowhead
const STRAIGHT = 7;

let canvas: CanvasRenderingContext2D | null | undefined;

export function widthOf(text: string, font: string): number {
  canvas ??= document.createElement("canvas").getContext("2d");
  canvas!.font = `${font} ${SANS}`;
  return canvas!.measureText(text).width;
}

/** How many entries of a tensor are written one below the other; 0 for those that have too many. */
export function rowsOf(shape: number[] | null): number {
  const count = (shape ?? []).reduce((one, other) => one * other, 1);
  return count <= MOST_ROWS ? count : 0;
}

/** The roads of a graph: an edge is one, and where a tensor is used twice, one leads to the fork. */
export function roadsOf(graph: Graph, swerve: number): Road[] {
  const uses = new Map<string, number[]>();
  graph.edges.forEach((edge, index) => {
    const key = edge.data ? `data ${index}` : `${edge.from} ${edge.output}`;
    uses.set(key, [...(uses.get(key) ?? []), index]);
  });
  const roads: Road[] = [];
  const entering = (to: string) => graph.edges.filter((edge) => edge.to === to).length;
  for (const edges of uses.values()) {
    const { from, name, shape, data } = graph.edges[edges[0]!]!;
    const rows = Math.max(1, rowsOf(shape));
    const told = from[0] === "o" && name !== "" ? `${name} = −00.00` : "−00.00";
    const width = data ? 0 : Math.ceil(widthOf(told, "13px"));
    const forks = edges.length > 1;
    const fork = `f${roads.length}`;
    if (forks) {
      const parts = rows === 1 ? sum(edges.map(() => -10)) : told;
      const room = Math.max(width, Math.ceil(widthOf(parts, "600 13px")));
      roads.push({ id: `t${roads.length}`, from, to: fork, edges, rows, width: room, lead: 0, tail: 0 });
    }
    for (const index of edges) {
      const to = graph.edges[index]!.to;
      const start = forks ? fork : from;
      const room = forks ? Math.ceil(widthOf("−00.00", "13px")) : width;
      const sides = { lead: forks ? swerve : 0, tail: entering(to) < 2 ? 0 : swerve };
      roads.push({ id: `e${index}`, from: start, to, edges: [index], rows, width: room, ...sides });
    }
  }
  return roads;
}

export interface Size {
  width: number;
  height: number;
}

/** How much room there is: the smaller, the closer everything is. */
export interface Fit {
  gap: number; // between ranks, in pixels
  swerve: number; // for a road to change its height
  tight: boolean; // with smaller boxes
}

export const FITS: Fit[] = [
  { gap: 13, swerve: 28, tight: false },
  { gap: 5, swerve: 22, tight: false },
  { gap: 1, swerve: 15, tight: true },
];

/** Graphviz source: boxes of these sizes, and one more for the label of each road. */
export function dotOf(roads: Road[], sizes: Map<string, Size>, gap: number): string {
  const inch = (pixels: number) => (pixels / 72).toFixed(3);
  const box = (id: string, width: number, height: number) =>
    `${id} [id="${id}", width=${inch(width)}, height=${inch(height)}]`;
  roads.filter(({ to }) => to[0] === "f").forEach(({ to }) => sizes.set(to, { width: DOT, height: DOT }));
  const lines = [...sizes].map(([id, { width, height }]) => box(id, width, id[0] === "o" ? ROOM : height));
  for (const { id, from, to, rows, width, lead, tail } of roads) {
    const straight = from[0] === "o" ? 8 : 6;
    let [last, part] = [`${from}:e`, "b"];
    if (width > 0) {
      lines.push(box(id, lead + width + 6, 2 * (ROW * rows + LANE + 4)));
      lines.push(`${last} -> ${id}:w [id="${id}a", weight=${straight}]`);
      last = `${id}:e`;
    }
    if (tail > 0) {
      lines.push(box(`${id}x`, tail, 4 * LANE), `${last} -> ${id}x:w [id="${id}b", weight=${from[0] === "o" ? 8 : 1}]`);
      [last, part] = [`${id}x:e`, "c"];
    }
    lines.push(`${last} -> ${to}:w [id="${id}${part}", weight=${straight + 1}]`);
  }
  const sources = [...sizes.keys()].filter((id) => id[0] === "l" || id[0] === "d");
  if (roads.every(({ to }) => to !== "r")) {
    lines.push(`${sources[0]} -> r [style=invis, minlen=3]`); // no path leads there
  }
  const column = sources.join(" -> ") + (sources.length > 1 ? " [style=invis, weight=9]" : "");
  return `digraph {
graph [rankdir=LR, nodesep=0.15, ranksep=${inch(gap)}]
node [shape=box, label="", fixedsize=true] edge [arrowhead=none]
${lines.join("\n")}
{ rank=min; ${column} }
}`;
}

/** What Graphviz's SVG says of the places. */
export function placesOf(svg: string, roads: Road[]): Placed {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const boxes = new Map<string, Box>();
  const curves = new Map<string, Point[]>();
  for (const group of parsed.querySelectorAll("g.node")) {
    boxes.set(group.id, boxOf(group.querySelector("polygon, ellipse")!));
  }
  for (const group of parsed.querySelectorAll("g.edge")) {
    const path = group.querySelector("path");
    if (path !== null && group.id !== "") {
      curves.set(group.id, along(path.getAttribute("d")!));
    }
  }
  const all = [...boxes.values()];
  const left = Math.min(...all.map(({ x }) => x)) - 1;
  const top = Math.min(...all.map(({ y }) => y), ...[...curves.values()].flat().map(({ y }) => y - LANE - 2)) - 1;
  const moved = ({ x, y }: Point) => ({ x: x - left, y: y - top });
  boxes.forEach((box) => Object.assign(box, moved(box)));
  const curve = (id: string) => curves.get(id)!.map(moved);
  const entering = new Map<string, { road: Road; y: number }[]>();
  for (const road of roads) {
    const at = boxes.get(road.width === 0 ? road.from : road.id)!;
    entering.set(road.to, [...(entering.get(road.to) ?? []), { road, y: at.y + at.height / 2 }]);
  }
  entering.forEach((all) => all.sort((one, other) => one.y - other.y));
  const lines = new Map<string, Point[]>();
  for (const road of roads) {
    const { id, from, to, width, lead } = road;
    const others = entering.get(to)!;
    const end = portOf(boxes.get(to)!, others.map(({ y }) => y), others.findIndex((one) => one.road === road));
    const line: Point[] = [];
    let last = eastOf(boxes.get(from)!);
    const label = boxes.get(id);
    if (width > 0 && label !== undefined) {
      Object.assign(label, { x: label.x + lead, width: label.width - lead });
      line.push(...way(last, { x: label.x, y: label.y + label.height / 2 }, curve(`${id}a`)));
      last = eastOf(label);
    }
    const corner = boxes.get(`${id}x`);
    if (corner !== undefined && end.x - last.x > NEAR) {
      line.push(...way(last, { x: corner.x, y: corner.y + corner.height / 2 }, curve(`${id}b`)));
      last = { x: corner.x, y: corner.y + corner.height / 2 };
    }
    boxes.delete(`${id}x`);
    line.push(...way(last, end, curve(`${id}${corner === undefined ? "b" : "c"}`)));
    lines.set(id, line.filter(({ x, y }, at) => at === 0 || Math.hypot(x - line[at - 1]!.x, y - line[at - 1]!.y) > 0.5));
  }
  return {
    width: Math.max(...all.map(({ x, width }) => x + width)) + 1,
    height: Math.max(...all.map(({ y, height }) => y + height)) + 1,
    boxes,
    lines,
  };
}

/** Where one of several roads ends at the rounded left side of a box; what comes straight stays so. */
function portOf({ x, y, width, height }: Box, heights: number[], index: number): Point {
  const [middle, count] = [y + height / 2, heights.length];
  const straight = heights.findIndex((one) => Math.abs(one - middle) < STRAIGHT);
  const first = straight >= 0 && count <= 3 ? straight : (count - 1) / 2;
  const away = (index - first) * (count > 3 ? 36 / count : count === 3 ? 13 : 16);
  const radius = Math.min(width / 2, RADIUS);
  const inside = Math.sqrt(Math.max(0, radius ** 2 - away ** 2));
  return { x: count === 1 ? x : x + radius - inside, y: middle + away };
}

function eastOf({ x, y, width, height }: Box): Point {
  return { x: x + width, y: y + height / 2 };
}

/** The way between two points: an S where they are near, else as Graphviz says. */
function way(start: Point, end: Point, curve: Point[]): Point[] {
  const room = end.x - start.x;
  if (room >= NEAR) {
    return [start, ...curve, end];
  }
  const stop = end.x - Math.min(STUB, room / 3);
  const middle = (start.x + stop) / 2;
  return [...along(`M${start.x},${start.y}C${middle},${start.y} ${middle},${end.y} ${stop},${end.y}`), end];
}

function boxOf(shape: Element): Box {
  if (shape.tagName === "polygon") {
    return extent(shape.getAttribute("points")!);
  }
  const [cx, cy, rx, ry] = ["cx", "cy", "rx", "ry"].map((name) => Number(shape.getAttribute(name)));
  return { x: cx! - rx!, y: cy! - ry!, width: 2 * rx!, height: 2 * ry! };
}
