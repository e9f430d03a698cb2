// Where the parts of nudge's picture are, as the kernel says.
import type { Box, Point } from "./geometry";

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

/** The picture's places; boxes are x, y, width and height, and a road's label has its id. */
export interface Places {
  width: number;
  height: number;
  tight: boolean;
  roads: Road[];
  boxes: Record<string, [number, number, number, number]>;
  lines: Record<string, [number, number][]>;
}

export const ROW = 16;
export const LANE = 4.5;
export const RADIUS = 23; // of an operation's circle
const MOST_ROWS = 4;

export function boxOf({ boxes }: Places, id: string): Box {
  const [x, y, width, height] = boxes[id]!;
  return { x, y, width, height };
}

export function lineOf({ lines }: Places, id: string): Point[] {
  return lines[id]!.map(([x, y]) => ({ x, y }));
}

/** How many entries of a tensor are written one below the other; 0 for those that have too many. */
export function rowsOf(shape: number[] | null): number {
  const count = (shape ?? []).reduce((one, other) => one * other, 1);
  return count <= MOST_ROWS ? count : 0;
}
