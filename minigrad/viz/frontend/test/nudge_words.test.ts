import assert from "node:assert/strict";
import { test } from "node:test";
import { num, passes, remark, signed, spoken, sum, told } from "../src/nudge_words";

test("numbers have a minus of their own width, and never a minus zero", () => {
  assert.equal(num(-0.5), "−0.50");
  assert.equal(num(-0.001), "0.00");
  assert.equal(num(123456), "1.2e+5");
  assert.equal(num(1234.5), "1235");
  assert.equal(num(NaN), "nan");
  assert.equal(num(-Infinity), "−inf");
  assert.equal(signed(0.1), "+0.10");
});

test("gradients that add up are written out", () => {
  assert.equal(sum([3, 4]), "3.00 + 4.00 = 7.00");
  assert.equal(sum([1, -1.5]), "1.00 − 1.50 = −0.50");
  assert.equal(sum([1, 2, 3, 4, 5]), "sum of 5 = 15.00");
});

test("a move is told beside what the gradient said", () => {
  const move = { name: "x", by: 0.1, result: "out", moved: 0.0502, predicted: 0.05 };
  assert.equal(told(move).join(" "), "You moved x by +0.10. out moved by 0.0502. The gradient predicted 0.0500.");
  assert.equal(told({ ...move, by: 0.001 })[0], "You moved x by +0.001. out moved by 0.0502.");
  assert.match(told({ ...move, predicted: NaN })[1], /^No gradient predicted it: no path leads back from out to x/);
  assert.equal(remark(move), "");
  assert.match(remark({ ...move, by: 1, moved: 0.3, predicted: 0.5 }), /only for a very small move/);
});

test("a slider says what its gradient means", () => {
  assert.equal(spoken(0.5, 1.18, "out"), "0.50; grad 1.18: out rises with it");
  assert.equal(spoken(0.5, -1.18, "out"), "0.50; grad −1.18: out falls as it rises");
  assert.equal(spoken(0.5, 0, "out"), "0.50; grad 0.00: out hardly moves");
  assert.equal(spoken(0.5, undefined, "out"), "0.50; grad None: no path to out");
});

test("an operation says what it passes on, in the learner's names and numbers", () => {
  const inputs = [
    { name: "x", factor: "w", passed: 1.185 },
    { name: "w", factor: "x", passed: 0.395 },
  ];
  assert.equal(
    passes("×", 0.79, inputs),
    "0.79 arrives at ×. x gets 0.79 × w = 0.79 × 1.50 = 1.19; w gets 0.79 × x = 0.79 × 0.50 = 0.40.",
  );
  assert.equal(passes("+", 2, [{ name: "b", factor: "1", passed: 2 }]), "2.00 arrives at +. b gets 2.00.");
  assert.equal(
    passes("tanh", 1, [{ name: "n", factor: "1 - out**2", passed: 0.75 }]),
    "1.00 arrives at tanh. n gets 1.00 × (1 - out**2) = 1.00 × 0.75 = 0.75.",
  );
  assert.equal(
    passes(
      "×",
      0,
      inputs.slice(0, 1).map((one) => ({ ...one, passed: 0 })),
    ),
    "0.00 arrives at ×. x gets 0.00 × w = 0.00.",
  );
});
