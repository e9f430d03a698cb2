// Pinned, a graph stays at the right side of the window while the notebook is scrolled beside it.
import { element } from "./panel";

const SHARE = 0.42; // of the notebook's width
const [LEAST, MOST] = [280, 620]; // pixels

let pinned: Pin | undefined; // one graph at a time has that place

export class Pin {
  readonly button = element("button", { type: "button", class: "framed" });
  private readonly note = element("p", { class: "minigrad-pinned" }, "This graph is pinned at the right. ");
  private readonly resized = new ResizeObserver(() => this.place());
  private home: Element | undefined;
  private notebook: HTMLElement | undefined;

  constructor(private readonly root: HTMLElement) {
    const back = element("button", { type: "button" }, "Put it back here");
    this.note.append(back);
    back.addEventListener("click", () => this.release());
    this.button.addEventListener("click", () => (this.home === undefined ? this.fix() : this.release()));
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
    this.button.textContent = this.home === undefined ? "Pin" : "Unpin";
    this.button.title = this.home === undefined ? "Keep the graph in sight beside the notebook" : "Put it back";
  }

  private fix(): void {
    pinned?.release();
    pinned = this;
    this.home = this.root.parentElement!;
    this.notebook = this.root.closest<HTMLElement>(".jp-WindowedPanel-outer") ?? document.body;
    this.home.append(this.note);
    document.body.append(this.root); // a cell would take it along, and cut it off
    this.root.classList.add("pinned");
    this.resized.observe(this.notebook);
    this.place();
    this.name();
    this.button.focus({ preventScroll: true });
  }

  private release(): void {
    pinned = undefined;
    this.resized.disconnect();
    Object.assign(this.notebook!.style, { boxSizing: "", paddingRight: "" });
    this.note.remove();
    this.root.classList.remove("pinned");
    this.root.removeAttribute("style");
    this.home!.append(this.root);
    this.home = undefined;
    this.name();
    this.button.focus({ preventScroll: true });
  }

  /** At the right of the notebook, which gets narrower by this; hidden while another tab is in front. */
  private place(): void {
    const { left, top, right, bottom } = this.notebook!.getBoundingClientRect();
    const width = Math.min(MOST, Math.max(LEAST, (right - left) * SHARE));
    const edges = { top: `${top}px`, left: `${right - width}px`, width: `${width}px`, maxHeight: `${bottom - top}px` };
    Object.assign(this.root.style, edges, { display: right > left ? "" : "none" });
    Object.assign(this.notebook!.style, { boxSizing: "border-box", paddingRight: `${width}px` });
  }
}
