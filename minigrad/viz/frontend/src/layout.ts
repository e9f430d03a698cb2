// Who asks Graphviz for what: one layout at a time, those that can be seen first.
import type { Answer, WORKER } from "./graphviz";

const PATIENCE = 20_000; // milliseconds
const MOST_KEPT = 40;
const NAME: typeof WORKER = "minigrad-graphviz";

export interface Asker {
  /** Whether the layout is still wanted when its turn has come. */
  wanted: () => boolean;
  /** Whether anybody can see what it is for. */
  visible: () => boolean;
}

interface Job extends Asker {
  dot: string;
  resolve: (svg: string | undefined) => void;
  reject: (error: Error) => void;
}

/**
 * Lays out Graphviz source, off the page's own thread where that is allowed. Each layout is given out
 * in a task of its own: between two pictures the page can answer its reader.
 */
export class Layout {
  private readonly jobs: Job[] = [];
  private readonly kept = new Map<string, string>();
  private worker: Worker | undefined;
  private workers = true;
  private busy = false;

  /** url: of the module graphviz.ts. */
  constructor(private readonly url: string) {
    this.worker = this.employ(); // it takes a while to load: not only when it is asked
  }

  /** The SVG of Graphviz source; undefined if nobody wants it any more when its turn has come. */
  async run(dot: string, asker: Asker): Promise<string | undefined> {
    const known = this.kept.get(dot);
    if (known !== undefined) {
      await nextTask();
      return known;
    }
    return new Promise((resolve, reject) => {
      this.jobs.push({ dot, resolve, reject, ...asker });
      void this.work();
    });
  }

  private async work(): Promise<void> {
    if (this.busy) {
      return;
    }
    this.busy = true;
    for (let job = this.next(); job !== undefined; job = this.next()) {
      if (!job.wanted()) {
        job.resolve(undefined);
        continue;
      }
      try {
        const svg = this.kept.get(job.dot) ?? (await this.answer(job.dot));
        this.keep(job.dot, svg);
        job.resolve(svg);
      } catch (error) {
        job.reject(error as Error);
      }
      await nextTask();
    }
    this.busy = false;
  }

  private next(): Job | undefined {
    const urgent = this.jobs.findIndex((job) => job.wanted() && job.visible());
    return this.jobs.splice(Math.max(urgent, 0), 1)[0];
  }

  private keep(dot: string, svg: string): void {
    this.kept.set(dot, svg);
    if (this.kept.size > MOST_KEPT) {
      this.kept.delete(this.kept.keys().next().value!);
    }
  }

  private async answer(dot: string): Promise<string> {
    const answer = (this.workers && (await this.asked(dot))) || (await this.onPage(dot));
    if ("error" in answer) {
      throw new Error(answer.error);
    }
    return answer.svg;
  }

  /** The worker's answer; undefined where the page may have no worker. */
  private asked(dot: string): Promise<Answer | undefined> {
    const worker = (this.worker ??= this.employ());
    if (worker === undefined) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        worker.terminate();
        this.worker = undefined;
        resolve({ error: `its layout takes longer than ${PATIENCE / 1000} seconds` });
      }, PATIENCE);
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        clearTimeout(late);
        resolve(data);
      };
      worker.onerror = () => {
        clearTimeout(late);
        this.workers = false;
        resolve(undefined);
      };
      worker.postMessage(dot);
    });
  }

  private employ(): Worker | undefined {
    try {
      return new Worker(this.url, { type: "module", name: NAME });
    } catch {
      this.workers = false;
      return undefined;
    }
  }

  private async onPage(dot: string): Promise<Answer> {
    const module = (await import(this.url)) as { layout: (dot: string) => Promise<Answer> };
    return module.layout(dot);
  }
}

/** Unlike a timer's, a message's turn comes soon, also in a page that is in the background. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
