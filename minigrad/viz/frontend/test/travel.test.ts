import assert from "node:assert/strict";
import { test } from "node:test";
import { ease } from "../src/pulses";
import { numbers, pace, turns } from "../src/travel";

test("roads have their turns in the order of the hops, those of one hop together", () => {
  assert.deepEqual(
    turns([["t4:0"], ["n4:0", "n4:1"], ["n2:0"]], [["n2:0"], ["n4:1"], ["n4:0"], ["t4:0"]]),
    [2, 1, 1, 0],
  );
});

test("a sum runs on when the last of its parts has arrived, and everything after it waits", () => {
  const roads = [["n1:0"], ["n2:0", "n3:0"], ["n2:0"], ["n3:0"], ["t4:0"]];
  assert.deepEqual(turns([["t4:0"], ["n3:0"], ["n2:0"], ["n1:0"]], roads), [4, 3, 2, 1, 0]);
});

test("hops that are folded away take no time, and a road that no hop names comes first", () => {
  assert.deepEqual(turns([["n9:0"], ["n2:0"], ["n8:0"], ["n1:0"]], [["n1:0"], ["n2:0"], ["t4:0"]]), [2, 1, 0]);
});

test("a sum of which only some parts arrive comes last", () => {
  assert.deepEqual(turns([["n2:0"]], [["n2:0", "n3:0"], ["n2:0"]]), [1, 0]);
});

test("a hop takes 125 ms, and all of them a second at most", () => {
  assert.equal(pace([0, 1, 2]), 125);
  assert.equal(pace([...Array(40).keys()]), 25);
  assert.equal(pace([]), 125);
});

test("a number is multiplied on its way", () => {
  assert.deepEqual(numbers("3 × 2 = 6"), ["3", "6"]);
  assert.deepEqual(numbers("3 + 4 = 7"), ["7", "7"]);
  assert.deepEqual(numbers("−0.5"), ["−0.5", "−0.5"]);
});

test("a pulse starts and ends slowly", () => {
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1, 2].map(ease), [0, 0.125, 0.5, 0.875, 1, 1]);
});
