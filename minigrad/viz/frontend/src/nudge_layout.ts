// Where the parts of nudge's picture are: Graphviz places boxes and roads, labels' rooms included.
import { type Box, extent, type Point } from "./geometry";
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
export function roadsOf(graph: Graph): Road[] {
  const uses = new Map<string, number[]>();
  graph.edges.forEach((edge, index) => {
    const key = edge.data ? `data ${index}` : `${edge.from} ${edge.output}`;
    uses.set(key, [...(uses.get(key) ?? []), index]);
  });
  const roads: Road[] = [];
  for (const edges of uses.values()) {
    const { from, name, shape, data } = graph.edges[edges[0]!]!;
    const rows = Math.max(1, rowsOf(shape));
    const told = from[0] === "o" && name !== "" ? `${name} = −00.00` : "−00.00";
    const width = data ? 0 : Math.ceil(widthOf(told, "13px"));
    const forks = edges.length > 1;
    const fork = `f${roads.length}`;
    if (forks) {
      const parts = rows === 1 ? edges.map(() => "−0.00").join(" + ") + " = −0.00" : told;
      const room = Math.max(width, Math.ceil(widthOf(parts, "600 13px")));
      roads.push({ id: `t${roads.length}`, from, to: fork, edges, rows, width: room });
    }
    for (const index of edges) {
      const to = graph.edges[index]!.to;
      const start = forks ? fork : from;
      const room = forks ? Math.ceil(widthOf("−00.00", "13px")) : width;
      roads.push({ id: `e${index}`, from: start, to, edges: [index], rows, width: room });
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
  tight: boolean; // with smaller boxes
}

export const FITS: Fit[] = [
  { gap: 13, tight: false },
  { gap: 5, tight: false },
  { gap: 2, tight: true },
];

/** Graphviz source: boxes of these sizes, and one more for the label of each road. */
export function dotOf(roads: Road[], sizes: Map<string, Size>, gap: number): string {
  const inch = (pixels: number) => (pixels / 72).toFixed(3);
  const entering = new Map<string, Road[]>();
  roads.forEach((road) => entering.set(road.to, [...(entering.get(road.to) ?? []), road]));
  roads.filter(({ to }) => to[0] === "f").forEach(({ to }) => sizes.set(to, { width: DOT, height: DOT }));
  const lines = [...sizes].map(([id, { width, height }]) => {
    const ports = id[0] === "o" ? (entering.get(id) ?? []).map((_, port) => `<p${port}>`).join("|") : "";
    const form = id[0] === "f" ? "circle" : ports ? `record, label="${ports}"` : "box";
    return `${id} [id="${id}", shape=${form}, width=${inch(width)}, height=${inch(id[0] === "o" ? ROOM : height)}]`;
  });
  for (const road of roads) {
    const { id, from, to, rows, width } = road;
    const end = to[0] === "o" ? `${to}:p${entering.get(to)!.indexOf(road)}:w` : `${to}:w`;
    if (width === 0) {
      lines.push(`${from}:e -> ${end} [id="${id}b"]`);
      continue;
    }
    const height = 2 * (ROW * rows + LANE + 4);
    lines.push(
      `${id} [id="${id}", shape=box, width=${inch(width + 6)}, height=${inch(height)}]`,
      `${from}:e -> ${id}:w [id="${id}a", weight=3]`,
      `${id}:e -> ${end} [id="${id}b", weight=${from[0] === "o" ? 8 : 1}]`,
    );
  }
  const sources = [...sizes.keys()].filter((id) => id[0] === "l" || id[0] === "d");
  const column = sources.join(" -> ") + (sources.length > 1 ? " [style=invis, weight=9]" : "");
  return `digraph {
graph [rankdir=LR, nodesep=0.15, ranksep=${inch(gap)}]
node [label="", fixedsize=true] edge [arrowhead=none]
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
  boxes.forEach((box) => ((box.x -= left), (box.y -= top)));
  const lines = new Map<string, Point[]>();
  for (const { id, to, width } of roads) {
    const points = [...(width === 0 ? [] : curves.get(`${id}a`)!), ...curves.get(`${id}b`)!];
    const line = points.map(({ x, y }) => ({ x: x - left, y: y - top }));
    lines.set(id, to[0] === "o" ? [...line, rimOf(boxes.get(to)!, line.at(-1)!)] : line);
  }
  return {
    width: Math.max(...all.map(({ x, width }) => x + width)) + 1,
    height: Math.max(...all.map(({ y, height }) => y + height)) + 1,
    boxes,
    lines,
  };
}

/** Where a road meets the round left end of an operation. */
function rimOf({ x, y, width, height }: Box, end: Point): Point {
  const radius = Math.min(width, height - ROOM + 2 * RADIUS) / 2;
  const away = Math.min(radius, Math.abs(end.y - y - height / 2));
  return { x: x + radius - Math.sqrt(radius ** 2 - away ** 2), y: end.y };
}

function boxOf(shape: Element): Box {
  if (shape.tagName === "polygon") {
    return extent(shape.getAttribute("points")!);
  }
  const [cx, cy, rx, ry] = ["cx", "cy", "rx", "ry"].map((name) => Number(shape.getAttribute(name)));
  return { x: cx! - rx!, y: cy! - ry!, width: 2 * rx!, height: 2 * ry! };
}
