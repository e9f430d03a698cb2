import assert from "node:assert/strict";
import { test } from "node:test";
import { onGone } from "../src/kernel";

class Signal<T> {
  readonly slots = new Set<(sender: unknown, value: T) => void>();
  connect = (slot: (sender: unknown, value: T) => void) => void this.slots.add(slot);
  disconnect = (slot: (sender: unknown, value: T) => void) => void this.slots.delete(slot);
  emit = (value: T) => this.slots.forEach((slot) => slot(undefined, value));
}

test("a kernel that works is not gone; one that restarts or dies is", () => {
  const kernel = { statusChanged: new Signal<string>(), disposed: new Signal<unknown>() };
  let told = 0;
  const stop = onGone(kernel, () => told++);
  kernel.statusChanged.emit("busy");
  kernel.statusChanged.emit("idle");
  assert.equal(told, 0);
  kernel.statusChanged.emit("autorestarting");
  assert.equal(told, 1);
  kernel.disposed.emit(undefined);
  assert.equal(told, 2);
  stop();
  kernel.statusChanged.emit("dead");
  assert.equal(told, 2);
});

test("without a kernel there is nothing to hear", () => onGone(undefined, assert.fail)());
