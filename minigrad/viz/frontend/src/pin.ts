// Pinned, a graph stays at the right side of the window while the notebook is scrolled beside it.
import { element } from "./panel";

const SHARE = 0.45; // of the notebook's width
const [LEAST, MOST] = [280, 620]; // pixels

let pinned: Pin | undefined; // one graph at a time has that place

export class Pin {
  readonly button = element("button", { type: "button", class: "framed" });
  private readonly back = element("button", { type: "button" }, "Put it back here");
  private readonly note = element("p", {}, "This graph is pinned at the right. ", this.back);
  private readonly resized = new ResizeObserver(() => this.place());
  private home: Element | undefined;
  private notebook: HTMLElement | undefined;

  constructor(private readonly root: HTMLElement) {
    for (const button of [this.back, this.button]) {
      button.addEventListener("click", () => {
        this.home === undefined ? this.fix() : this.release();
        this.button.focus({ preventScroll: true });
      });
    }
    this.name();
  }

  /** The graph goes with its cell. */
  remove(): void {
    if (this.home !== undefined) {
      this.release();
      this.root.remove();
    }
  }

  private name(): void {
    const [text, title] = this.home ? ["Unpin", "Put it back"] : ["Pin", "Keep the graph in sight beside the notebook"];
    Object.assign(this.button, { textContent: text, title });
  }

  private fix(): void {
    pinned?.release();
    pinned = this;
    this.home = this.root.parentElement!;
    this.notebook = this.root.closest<HTMLElement>(".jp-WindowedPanel-outer") ?? document.body;
    this.home.append(this.note);
    document.body.append(this.root); // a cell would take it along, and cut it off
    this.root.classList.add("pinned");
    this.resized.observe(this.notebook.parentElement!);
    this.place();
    this.name();
  }

  private release(): void {
    pinned = undefined;
    this.resized.disconnect();
    this.notebook!.style.maxWidth = "";
    this.note.remove();
    this.root.classList.remove("pinned");
    this.root.removeAttribute("style");
    this.home?.append(this.root);
    this.home = undefined;
    this.name();
  }

  /** At the right of the notebook, which gets narrower by this; hidden while another tab is in front. */
  private place(): void {
    const { left, top, right, bottom } = this.notebook!.parentElement!.getBoundingClientRect();
    const width = Math.min(MOST, Math.max(LEAST, (right - left) * SHARE));
    const edges = { top: `${top}px`, left: `${right - width}px`, width: `${width}px`, maxHeight: `${bottom - top}px` };
    Object.assign(this.root.style, edges, { display: right > left ? "" : "none" });
    this.notebook!.style.maxWidth = `calc(100% - ${width}px)`;
  }
}
