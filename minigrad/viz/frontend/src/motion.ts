// From one picture to the next. What leaves fades where it was; then what stays moves; then what is
// new appears where it belongs. So at no time does anything lie over anything else.
import { type Box, center, movable, scaled } from "./geometry";
import type { Pan } from "./pan";
import type { Picture } from "./picture";

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Measure how long it took until something new is on the screen. */
export function painted(what: string, start: number): void {
  requestAnimationFrame(() => performance.measure(`minigrad: ${what}`, { start, end: performance.now() }));
}

const FADE = 140; // milliseconds
const MOVE = 320;
const FOREVER = 60_000;
const MOST_BOXES = 150;

/** Shows pictures in a frame, one after the other; a new one cuts short the motion to the last. */
export class Stage {
  picture: Picture | undefined;
  private running: Animation[] = [];
  private turn = 0;

  constructor(
    readonly frame: HTMLElement,
    private readonly pan: Pan,
  ) {}

  /** Put the picture in place of the one before; moving: whether to show the way there. */
  async show(next: Picture, moving: boolean): Promise<void> {
    this.halt();
    const turn = this.turn;
    const last = this.picture;
    this.picture = next;
    this.settle();
    if (last === undefined || !moving || next.boxes.size > MOST_BOXES) {
      this.place(next);
      return;
    }
    if (last.svg.parentNode !== this.frame) {
      this.place(last);
    }
    const [before, after] = [this.places(last), this.places(next)];
    const staying = movable(before, after);
    const moved = [...staying].filter((key) => distance(before.get(key)!, after.get(key)!) > 0.5);
    const resting = new Set([...next.roads.keys()].filter((way) => last.roads.has(way)));
    if (moved.length > 0) {
      resting.clear(); // a box that moves would cross them
    }
    const leaving = [...without(last.groups, staying), ...without(last.roads, resting)];
    const arriving = [...without(next.groups, staying), ...without(next.roads, resting)];
    await this.play(leaving, [{ opacity: 1 }, { opacity: 0 }]);
    if (this.turn !== turn) {
      return;
    }
    this.frame.style.minHeight = `${this.frame.clientHeight}px`;
    this.place(next);
    const waiting = this.start(arriving, [{ opacity: 0 }, { opacity: 0 }], FOREVER);
    await Promise.all(
      moved.map((key) => {
        const away = this.away(next, before.get(key)!, after.get(key)!);
        return this.play([next.groups.get(key)!], [{ transform: away }, { transform: "none" }], MOVE);
      }),
    );
    if (this.turn !== turn) {
      return;
    }
    const appearing = this.play(arriving, [{ opacity: 0 }, { opacity: 1 }]);
    waiting.forEach((animation) => animation.cancel());
    await appearing;
    if (this.turn === turn) {
      this.settle();
    }
  }

  /** End the motion at once: what was to leave has left, or all is there. */
  halt(): void {
    this.turn++;
    this.running.forEach((animation) => animation.finish());
    if (this.picture?.svg.parentNode === this.frame) {
      this.settle();
    }
  }

  /** The picture stands in the frame as it is. */
  private settle(): void {
    this.running.forEach((animation) => animation.cancel());
    this.running = [];
    this.frame.style.minHeight = "";
  }

  private start(groups: SVGGElement[], keyframes: Keyframe[], duration: number): Animation[] {
    const options: KeyframeAnimationOptions = { duration, easing: "ease-in-out", fill: "forwards" };
    const started = groups.map((group) => group.animate(keyframes, options));
    // Who ends a motion does not wait for it any more.
    started.forEach((animation) => animation.finished.catch(() => undefined));
    this.running.push(...started);
    return started;
  }

  private async play(groups: SVGGElement[], keyframes: Keyframe[], duration = FADE): Promise<void> {
    const started = this.start(groups, keyframes, duration);
    await Promise.allSettled(started.map((animation) => animation.finished));
  }

  private place(picture: Picture): void {
    this.frame.replaceChildren(picture.svg);
    this.pan.show(picture);
  }

  /** Where the boxes are in the frame, in pixels. */
  private places(picture: Picture): Map<string, Box> {
    const scale = this.pan.scale(picture);
    return new Map([...picture.boxes].map(([key, box]) => [key, scaled(box, scale)]));
  }

  /** The transformation that puts a box of the picture back to where it was. */
  private away(picture: Picture, from: Box, to: Box): string {
    const scale = this.pan.scale(picture) * picture.unit;
    const [start, end] = [center(from), center(to)];
    return `translate(${(start.x - end.x) / scale}px, ${(start.y - end.y) / scale}px)`;
  }
}

function distance(one: Box, other: Box): number {
  const [from, to] = [center(one), center(other)];
  return Math.hypot(to.x - from.x, to.y - from.y);
}

function without(groups: Map<string, SVGGElement>, keys: Set<string>): SVGGElement[] {
  return [...groups].filter(([key]) => !keys.has(key)).map(([, group]) => group);
}
