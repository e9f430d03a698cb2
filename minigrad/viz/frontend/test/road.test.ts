import assert from "node:assert/strict";
import { test } from "node:test";
import { headOf, lane, pathOf, pointsOf, stretch, trim } from "../src/road";

const STRAIGHT = [
  { x: 0, y: 0 },
  { x: 50, y: 0 },
  { x: 100, y: 0 },
];

test("a path becomes points from its first to its last", () => {
  assert.deepEqual(pointsOf("M-1.5,2.0L3,4L5.0,6"), [
    { x: -1.5, y: 2 },
    { x: 3, y: 4 },
    { x: 5, y: 6 },
  ]);
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
