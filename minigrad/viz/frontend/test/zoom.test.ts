import assert from "node:assert/strict";
import { test } from "node:test";
import { readable, scrolled, step, whole } from "../src/zoom";

const room = { width: 500, height: 400 };

test("a picture is as wide as there is room, never larger than drawn, never too small to read", () => {
  assert.equal(readable({ width: 300, height: 9000 }, room, 0.7), 1);
  assert.equal(readable({ width: 555, height: 100 }, room, 0.7), 500 / 555);
  assert.equal(readable({ width: 5000, height: 100 }, room, 0.7), 0.7);
});

test("the whole picture fits in both directions", () => {
  assert.equal(whole({ width: 1000, height: 100 }, room), 0.5);
  assert.equal(whole({ width: 100, height: 1600 }, room), 0.25);
  assert.equal(whole({ width: 100, height: 100 }, room), 1);
});

test("steps lead up and down over the same scales, from wherever one begins, and come to an end", () => {
  assert.equal(step(1, 1), 1.25);
  assert.equal(step(1.25, -1), 1);
  assert.equal(step(0.9, 1), 1);
  assert.equal(step(1.1, -1), 1);
  assert.equal(step(4, 1), 4);
  assert.equal(step(0.02, -1), 0.02);
});

test("what is at a point stays there while the scale changes", () => {
  const [from, to, point, scroll] = [1, 2, 30, 100];
  const inPicture = (scroll + point) / from;
  assert.equal((scrolled(scroll, point, from, to) + point) / to, inPicture);
});
