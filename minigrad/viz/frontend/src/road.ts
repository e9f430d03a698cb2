// Roads: the line of an edge as points, and the two lanes beside it. Pure functions.
import type { Point } from "./geometry";

/** The points of an SVG path in absolute coordinates. */
export function pointsOf(path: string): Point[] {
  const numbers = path.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number) ?? [];
  return numbers.flatMap((x, at) => (at % 2 === 0 ? [{ x, y: numbers[at + 1]! }] : []));
}

/** The line that runs beside another one, to its right by this distance. */
export function lane(points: Point[], distance: number): Point[] {
  return points.map((point, index) => {
    const before = points[Math.max(0, index - 1)]!;
    const after = points[Math.min(points.length - 1, index + 1)]!;
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    const length = Math.hypot(dx, dy) || 1;
    return { x: point.x - (dy / length) * distance, y: point.y + (dx / length) * distance };
  });
}

/** The line without its first and last pixels. */
export function trim(points: Point[], first: number, last: number): Point[] {
  return cut(cut(points, first).reverse(), last).reverse();
}

function cut(points: Point[], length: number): Point[] {
  const left = points.slice();
  while (left.length > 1) {
    const [a, b] = [left[0]!, left[1]!];
    const distance = Math.hypot(b.x - a.x, b.y - a.y);
    if (distance > length || left.length === 2) {
      const share = Math.min(1, length / (distance || 1));
      left[0] = { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
      break;
    }
    length -= distance;
    left.shift();
  }
  return left;
}

/** The piece of a line that ends at this share of its length. */
export function stretch(points: Point[], share: number, length: number): Point[] {
  const total = lengthOf(points);
  const end = share * total;
  return trim(points, Math.max(0, end - length), total - end);
}

export function lengthOf(points: Point[]): number {
  return points.slice(1).reduce((sum, { x, y }, at) => sum + Math.hypot(x - points[at]!.x, y - points[at]!.y), 0);
}

export function pathOf(points: Point[]): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;
}

/** The arrowhead at the end of a line. */
export function headOf(points: Point[], size = 8): string {
  const [a, b] = [points[Math.max(0, points.length - 2)]!, points.at(-1)!];
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const [ux, uy] = [Math.cos(angle) * size, Math.sin(angle) * size];
  const half = 0.48;
  return pathOf([
    { x: b.x + ux, y: b.y + uy },
    { x: b.x - uy * half, y: b.y + ux * half },
    { x: b.x + uy * half, y: b.y - ux * half },
  ]).concat("Z");
}
