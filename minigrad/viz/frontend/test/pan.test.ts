import assert from "node:assert/strict";
import { test } from "node:test";
import { Pan } from "../src/pan";

type Listener = (event: object) => void;

/** As much of a page as the frame around a picture needs. */
function page(width: number, maxHeight: number) {
  const made = (): Record<string, unknown> => ({ style: {}, append() {}, setAttribute() {}, addEventListener() {} });
  const resized: (() => void)[] = [];
  Object.assign(globalThis, {
    Element: class {},
    document: { createElement: made },
    getComputedStyle: () => ({ maxHeight: `${maxHeight}px` }),
    ResizeObserver: class {
      constructor(changed: () => void) {
        resized.push(changed);
      }
      observe() {}
    },
  });
  const listeners = new Map<string, Listener>();
  const frame = {
    clientWidth: width,
    scrollLeft: 0,
    scrollTop: 0,
    parentElement: made(),
    pinned: false,
    closest: () => (frame.pinned ? {} : null),
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    removeEventListener: (type: string) => listeners.delete(type),
    setPointerCapture() {},
    getBoundingClientRect: () => ({ left: 0, top: 0, width: frame.clientWidth, height: maxHeight }),
  };
  const pan = new Pan(frame as unknown as HTMLElement);
  const svg = { style: {} as Record<string, string> };
  const show = (width: number, height: number, unit = 1) =>
    pan.show({ svg: svg as unknown as SVGSVGElement, width, height, unit });
  const send = (type: string, event: object) => listeners.get(type)?.({ preventDefault() {}, ...event });
  const resize = (width: number) => {
    frame.clientWidth = width;
    resized.forEach((changed) => changed());
  };
  return { pan, frame, svg, show, send, resize };
}

test("a picture shrinks to its cell as long as it can be read, and beside the notebook further", () => {
  const { svg, frame, show, resize } = page(500, 400);
  show(600, 300);
  assert.deepEqual(svg.style, { width: "500px", height: "250px" });
  show(600, 300, 0.7); // drawn smaller already
  assert.equal(svg.style.width, "600px");
  resize(450);
  assert.equal(svg.style.width, "600px");
  frame.pinned = true;
  resize(450);
  assert.equal(svg.style.width, "450px");
});

test("keys zoom in, out and to the whole; what was chosen stays for the next picture", () => {
  const { pan, svg, show } = page(500, 400);
  show(400, 800);
  assert.equal(pan.onKey("+"), true);
  assert.equal(svg.style.width, "500px");
  pan.onKey("0");
  assert.equal(svg.style.height, "400px");
  show(800, 400);
  assert.equal(svg.style.width, "400px");
  assert.equal(pan.onKey("a"), false);
});

test("the wheel zooms with Control alone, and what is under the mouse stays there", () => {
  const { frame, svg, show, send } = page(500, 400);
  show(500, 400);
  send("wheel", { deltaY: -1, clientX: 200, clientY: 100 });
  assert.equal(svg.style.width, "500px");
  send("wheel", { ctrlKey: true, deltaY: -1, clientX: 200, clientY: 100 });
  assert.equal(svg.style.width, "625px");
  assert.deepEqual([frame.scrollLeft, frame.scrollTop], [50, 25]);
});

test("a mouse takes hold of the ground, a finger scrolls by itself", () => {
  const { frame, show, send } = page(500, 400);
  show(2000, 2000);
  [frame.scrollLeft, frame.scrollTop] = [100, 100];
  send("pointerdown", { pointerType: "touch", button: 0, clientX: 50, clientY: 50 });
  send("pointermove", { clientX: 0, clientY: 0 });
  assert.deepEqual([frame.scrollLeft, frame.scrollTop], [100, 100]);
  send("pointerdown", { pointerType: "mouse", button: 0, clientX: 50, clientY: 50 });
  send("pointermove", { clientX: 20, clientY: 60 });
  assert.deepEqual([frame.scrollLeft, frame.scrollTop], [130, 90]);
  send("pointerup", {});
  send("pointermove", { clientX: 0, clientY: 0 });
  assert.deepEqual([frame.scrollLeft, frame.scrollTop], [130, 90]);
});
