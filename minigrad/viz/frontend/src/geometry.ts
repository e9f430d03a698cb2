// Where boxes are, how they may move, and which is next to which. Pure functions.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export type Box = Point & Size;

export function center({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

export function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/**
 * The keys of the boxes that can move in straight lines, all at once, from where they were to where
 * they are now without ever lying over one another. The others have to fade.
 *
 * While it moves, a box counts as large as the larger of its two sizes.
 */
export function movable(before: Map<string, Box>, after: Map<string, Box>): Set<string> {
  const moving = [...after.keys()].filter((key) => before.has(key));
  const path = (key: string): [Box, Box] => [before.get(key)!, after.get(key)!];
  const clashing = new Set<string>();
  moving.forEach((one, index) => {
    for (const other of moving.slice(index + 1)) {
      if (meet(path(one), path(other))) {
        clashing.add(one).add(other);
      }
    }
  });
  return new Set(moving.filter((key) => !clashing.has(key)));
}

/** Whether two boxes on their ways lie over one another at any time from 0 to 1. */
export function meet(one: [Box, Box], other: [Box, Box]): boolean {
  const x = overlap("x", "width");
  const y = overlap("y", "height");
  return Math.max(0, x[0], y[0]) < Math.min(1, x[1], y[1]);

  /** From when to when they overlap along one axis: |gap + time * speed| < reach. */
  function overlap(axis: "x" | "y", size: "width" | "height"): [number, number] {
    const gaps = [0, 1].map((end) => center(one[end]!)[axis] - center(other[end]!)[axis]);
    const [gap, speed] = [gaps[0]!, gaps[1]! - gaps[0]!];
    const largest = (way: [Box, Box]) => Math.max(way[0][size], way[1][size]);
    const reach = (largest(one) + largest(other)) / 2;
    if (Math.abs(speed) < 1e-6) {
      return Math.abs(gap) < reach ? [-Infinity, Infinity] : [1, 0];
    }
    const times = [(-reach - gap) / speed, (reach - gap) / speed];
    return [Math.min(...times), Math.max(...times)];
  }
}

const DIRECTIONS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The nearest box in the direction of an arrow key, if there is one; straight ahead counts most. */
export function neighbour(boxes: Map<string, Box>, from: string, key: string): string | undefined {
  const direction = DIRECTIONS[key];
  const start = boxes.get(from);
  if (direction === undefined || start === undefined) {
    return undefined;
  }
  const here = center(start);
  let [best, least] = [undefined as string | undefined, Infinity];
  for (const [name, box] of boxes) {
    const there = center(box);
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const ahead = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    if (ahead > 1 && ahead + 2 * aside < least) {
      [best, least] = [name, ahead + 2 * aside];
    }
  }
  return best;
}
