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
}

export class Pulses {
  private readonly paths: Record<Run["kind"], SVGPathElement>;
  private running: (Run & { begin: number })[] = [];
  private drawn = 0;
  private frame = 0;

  constructor(svg: SVGSVGElement) {
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
      this.running = this.running.filter(({ begin, duration }) => now < begin + duration);
      for (const [kind, path] of Object.entries(this.paths)) {
        const here = this.running.filter((run) => run.kind === kind && run.begin <= now);
        const parts = here.map(({ line, begin, duration }) => {
          const share = (now - begin) / duration;
          return pathOf(stretch(line, share * share * (3 - 2 * share), LENGTH));
        });
        path.setAttribute("d", parts.join(""));
      }
    }
    if (this.running.length > 0) {
      this.frame = requestAnimationFrame((time) => this.draw(time));
    }
  }
}
