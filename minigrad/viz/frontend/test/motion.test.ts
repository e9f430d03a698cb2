import assert from "node:assert/strict";
import { test } from "node:test";
import { Stage } from "../src/motion";
import type { Pan } from "../src/pan";
import type { Picture } from "../src/picture";

interface Motion {
  name: string;
  keyframes: Keyframe[];
  end: () => void;
}

/** A frame whose animations end when the test says so. */
function theater() {
  const motions: Motion[] = [];
  const frame = {
    style: {} as Record<string, string>,
    clientHeight: 100,
    child: undefined as unknown,
    replaceChildren(svg: { parentNode: unknown }) {
      (frame.child as { parentNode: unknown } | undefined) &&
        ((frame.child as { parentNode: unknown }).parentNode = null);
      [frame.child, svg.parentNode] = [svg, frame];
    },
  };
  const group = (name: string) => ({
    animate(keyframes: Keyframe[]) {
      let end = () => {};
      let fail = (_: Error) => {};
      const finished = new Promise<void>((done, failed) => ([end, fail] = [done, failed]));
      motions.push({ name, keyframes, end });
      return { finished, finish: () => end(), cancel: () => fail(new Error("canceled")) };
    },
  });
  const picture = (places: Record<string, number>, ...roads: string[]) =>
    ({
      svg: { parentNode: null },
      unit: 1,
      groups: new Map(Object.keys(places).map((key) => [key, group(key)])),
      boxes: new Map(Object.entries(places).map(([key, x]) => [key, { x, y: 0, width: 10, height: 10 }])),
      roads: new Map(roads.map((key) => [key, group(key)])),
    }) as unknown as Picture;
  const pan = { show: () => {}, scale: () => 1 } as unknown as Pan;
  const stage = new Stage(frame as unknown as HTMLElement, pan);
  /** What moves since it was looked at the last time; all of it then ends. */
  const act = async () => {
    await new Promise((done) => setTimeout(done));
    const now = motions.splice(0);
    now.forEach(({ end }) => end());
    return now.map(({ name, keyframes }) =>
      [name, ...keyframes.map(({ opacity, transform }) => transform ?? opacity)].join(" "),
    );
  };
  return { frame, picture, stage, act };
}

test("what leaves fades, then what stays moves, then what is new appears", async () => {
  const { frame, picture, stage, act } = theater();
  const [first, second] = [picture({ a: 0, b: 50 }, "a b"), picture({ a: 0, c: 20, b: 90 }, "a c", "c b")];
  await stage.show(first, true);
  assert.equal(frame.child, first.svg);
  const shown = stage.show(second, true);
  assert.equal(frame.child, first.svg);
  assert.deepEqual(await act(), ["a b 1 0"]);
  const moves = await act();
  assert.equal(frame.child, second.svg);
  assert.deepEqual(moves, ["c 0 0", "a c 0 0", "c b 0 0", "b translate(-40px, 0px) none"]);
  assert.deepEqual(await act(), ["c 0 1", "a c 0 1", "c b 0 1"]);
  await shown;
});

test("roads that are where they were rest, unless something moves across", async () => {
  const { picture, stage, act } = theater();
  await stage.show(picture({ a: 0, b: 50 }, "a b"), true);
  void stage.show(picture({ a: 0, b: 50, c: 90 }, "a b", "b c"), true);
  assert.deepEqual(await act(), ["c 0 0", "b c 0 0", "c 0 1", "b c 0 1"]);
});

test("a newer picture takes the place of one that is still on its way", async () => {
  const { frame, picture, stage, act } = theater();
  await stage.show(picture({ a: 0 }), true);
  const late = stage.show(picture({ b: 0 }), true);
  const newest = picture({ a: 0, c: 50 });
  const shown = stage.show(newest, true);
  while ((await act()).length > 0) {}
  await Promise.all([late, shown]);
  assert.equal(frame.child, newest.svg);
});

test("without motion the picture is there at once", async () => {
  const { frame, picture, stage, act } = theater();
  await stage.show(picture({ a: 0 }), false);
  const next = picture({ b: 0 });
  await stage.show(next, false);
  assert.equal(frame.child, next.svg);
  assert.deepEqual(await act(), []);
});
