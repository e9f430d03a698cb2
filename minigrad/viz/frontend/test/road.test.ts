import assert from "node:assert/strict";
import { test } from "node:test";
import { along, headOf, lane, pathOf, stretch, trim } from "../src/road";

const STRAIGHT = [
  { x: 0, y: 0 },
  { x: 50, y: 0 },
  { x: 100, y: 0 },
];

test("a path of Graphviz becomes points from its first to its last", () => {
  const points = along("M0,0C10,0 20,10 30,10C40,10 50,0 60,0");
  assert.equal(points.length, 33);
  assert.deepEqual(points[0], { x: 0, y: 0 });
  assert.deepEqual(points[16], { x: 30, y: 10 });
  assert.deepEqual(points.at(-1), { x: 60, y: 0 });
});

test("a lane runs beside its road, and that of the way back on the other side", () => {
  assert.deepEqual(
    lane(STRAIGHT, -4).map(({ y }) => y),
    [-4, -4, -4],
  );
  assert.deepEqual(
    lane(STRAIGHT.slice().reverse(), -4).map(({ y }) => y),
    [4, 4, 4],
  );
});

test("a road loses its first and last pixels", () => {
  assert.equal(pathOf(trim(STRAIGHT, 60, 10)), "M60.0,0.0L90.0,0.0");
  assert.equal(pathOf(trim(STRAIGHT, 0, 0)), "M0.0,0.0L50.0,0.0L100.0,0.0");
});

test("a pulse is a piece of its road", () => {
  assert.equal(pathOf(stretch(STRAIGHT, 0.5, 18)), "M32.0,0.0L50.0,0.0");
  assert.equal(pathOf(stretch(STRAIGHT, 1, 18)), "M82.0,0.0L100.0,0.0");
  assert.equal(pathOf(stretch(STRAIGHT, 0.1, 18)), "M0.0,0.0L10.0,0.0");
});

test("an arrowhead points where the road goes", () => {
  assert.equal(headOf(STRAIGHT, 10), "M110.0,0.0L100.0,4.8L100.0,-4.8Z");
});
