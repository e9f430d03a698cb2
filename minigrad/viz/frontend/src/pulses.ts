// Pulses that run along roads. All of them are one drawing on a layer of its own, so that the
// picture below needn't be painted again while they run.
import type { Point } from "./geometry";
import { pathOf, stretch } from "./road";
import { shape } from "./svg";

const LENGTH = 18;
const FRAME = 30; // milliseconds: 33 pictures a second are smooth enough for a pulse

export interface Run {
  line: Point[];
  kind: "forward" | "back";
  delay: number;
  duration: number;
  /** Hears how far along its line the pulse is, from 0 to 1. */
  onWay?: (share: number) => void;
}

export class Pulses {
  private readonly paths: Record<Run["kind"], SVGPathElement>;
  private running: (Run & { begin: number })[] = [];
  private drawn = 0;
  private frame = 0;

  constructor(svg: SVGElement) {
    this.paths = {
      forward: shape("path", { class: "pulse forward" }, svg),
      back: shape("path", { class: "pulse back" }, svg),
    };
  }

  start(runs: Run[]): void {
    const now = performance.now();
    this.running.push(...runs.map((run) => ({ ...run, begin: now + run.delay })));
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame((time) => this.draw(time));
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.running = [];
  }

  private draw(now: number): void {
    if (now - this.drawn >= FRAME) {
      this.drawn = now;
      const begun = this.running.filter(({ begin }) => begin <= now);
      begun.forEach(({ begin, duration, onWay }) => onWay?.(ease((now - begin) / duration)));
      this.running = this.running.filter(({ begin, duration }) => now < begin + duration);
      for (const [kind, path] of Object.entries(this.paths)) {
        const here = this.running.filter((run) => run.kind === kind && run.begin <= now);
        const parts = here.map(({ line, begin, duration }) => stretch(line, ease((now - begin) / duration), LENGTH));
        path.setAttribute("d", parts.map(pathOf).join(""));
      }
    }
    if (this.running.length > 0) {
      this.frame = requestAnimationFrame((time) => this.draw(time));
    }
  }
}

/** Faster and faster to the middle, then slower and slower. */
export function ease(share: number): number {
  const rest = 1 - Math.min(1, share);
  return share < 0.5 ? 2 * share * share : 1 - 2 * rest * rest;
}
