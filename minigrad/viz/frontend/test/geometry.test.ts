import assert from "node:assert/strict";
import { test } from "node:test";
import { type Box, meet, movable, neighbour } from "../src/geometry";

const box = (x: number, y: number, width = 10, height = 10): Box => ({ x, y, width, height });

test("boxes that change places meet on the way", () => {
  assert.equal(meet([box(0, 0), box(100, 0)], [box(100, 0), box(0, 0)]), true);
});

test("boxes side by side that move alike do not meet", () => {
  assert.equal(meet([box(0, 0), box(100, 50)], [box(11, 0), box(111, 50)]), false);
});

test("boxes that are in the same place at different times do not meet", () => {
  assert.equal(meet([box(0, 0), box(200, 0)], [box(100, 100), box(200, 300)]), false);
  assert.equal(meet([box(0, 0), box(100, 0)], [box(50, 100), box(50, 20)]), false);
});

test("a box that grows counts as grown from the start", () => {
  assert.equal(meet([box(0, 0), box(0, 0, 30, 10)], [box(12, 0), box(40, 0)]), true);
});

test("only what meets on its way has to fade, and what is new or gone does not move", () => {
  const before = new Map([
    ["a", box(0, 0)],
    ["b", box(100, 0)],
    ["c", box(0, 90)],
    ["gone", box(0, 50)],
  ]);
  const after = new Map([
    ["a", box(100, 0)],
    ["b", box(0, 0)],
    ["c", box(50, 90)],
    ["new", box(0, 50)],
  ]);
  assert.deepEqual(movable(before, after), new Set(["c"]));
});

test("whatever moves never lies over anything else that moves, however they are placed", () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const layout = () => {
    const cells = [...Array(16).keys()].sort(() => random() - 0.5);
    return new Map(
      cells
        .slice(0, 9)
        .map((cell, index) => [
          `${index}`,
          box((cell % 4) * 30 + random() * 5, Math.floor(cell / 4) * 30, 10 + random() * 14, 20),
        ]),
    );
  };
  for (let round = 0; round < 200; round++) {
    const [before, after] = [layout(), layout()];
    const moving = [...movable(before, after)];
    for (let time = 0; time <= 1; time += 0.02) {
      const now = moving.map((key) => between(before.get(key)!, after.get(key)!, time));
      now.forEach((one, index) =>
        now.slice(index + 1).forEach((other) => {
          assert.equal(over(one, other), false);
        }),
      );
    }
  }
});

function between(from: Box, to: Box, time: number): Box {
  const middle = (axis: "x" | "y", size: "width" | "height") =>
    (from[axis] + from[size] / 2) * (1 - time) + (to[axis] + to[size] / 2) * time;
  return box(middle("x", "width") - to.width / 2, middle("y", "height") - to.height / 2, to.width, to.height);
}

function over(one: Box, other: Box): boolean {
  const [x, y] = [Math.abs(one.x + one.width / 2 - other.x - other.width / 2), Math.abs(one.y - other.y)];
  return x < (one.width + other.width) / 2 - 1e-6 && y < one.height - 1e-6;
}

test("arrow keys go to the nearest box in their direction, and nowhere from the edge", () => {
  const boxes = new Map([
    ["a", box(0, 0)],
    ["b", box(50, 5)],
    ["c", box(50, 60)],
    ["d", box(100, 0)],
  ]);
  assert.equal(neighbour(boxes, "a", "ArrowRight"), "b");
  assert.equal(neighbour(boxes, "b", "ArrowDown"), "c");
  assert.equal(neighbour(boxes, "d", "ArrowLeft"), "b");
  assert.equal(neighbour(boxes, "a", "ArrowLeft"), undefined);
  assert.equal(neighbour(boxes, "a", "Tab"), undefined);
  assert.equal(neighbour(boxes, "nowhere", "ArrowUp"), undefined);
});
