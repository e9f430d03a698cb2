// The frame that a picture is seen through: zoomed by buttons, keys and wheel, moved by dragging.
import type { Size } from "./geometry";
import { element } from "./panel";
import type { Picture } from "./picture";
import { readable, scrolled, step, whole } from "./zoom";

type Shown = Pick<Picture, "svg" | "width" | "height" | "unit">;

const SMALLEST = 0.7; // its text can still be read
const BESIDE = 0.5; // it can be looked at beside something else

export class Pan {
  readonly controls = element("div", { class: "zoom", role: "group", "aria-label": "Zoom" });
  private readonly percent = element("output", { "aria-label": "Zoom" });
  private chosen: number | undefined; // by the reader; else as fits
  private shown: Shown | undefined;
  private readonly resized = new ResizeObserver(() => {
    this.room = this.measured();
    this.fit();
  });
  private room: Size;

  constructor(private readonly frame: HTMLElement) {
    this.controls.append(
      this.button("−", "Zoom out (-)", () => this.by(-1)),
      this.percent,
      this.button("+", "Zoom in (+)", () => this.by(1)),
      this.button("Whole", "Show the whole picture (0)", () => this.all()),
    );
    frame.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.onDrag(event));
    this.room = this.measured();
    this.resized.observe(frame);
  }

  remove(): void {
    this.resized.disconnect();
  }

  /** How much larger than at 100% a picture is shown. */
  scale(picture: Omit<Shown, "svg">): number {
    const least = this.frame.closest(".pinned, .minigrad-instrument") ? BESIDE : SMALLEST;
    return this.chosen ?? readable(picture, this.room, least / picture.unit);
  }

  /** Show a picture, which stands in the frame. */
  show(picture: Shown): void {
    this.shown = picture;
    this.frame.parentElement!.style.flexBasis = `${picture.width}px`;
    this.fit();
  }

  /** Whether a key is one of zooming. */
  onKey(key: string): boolean {
    const does = { "+": () => this.by(1), "=": () => this.by(1), "-": () => this.by(-1), "0": () => this.all() };
    const act = does[key as keyof typeof does];
    act?.();
    return act !== undefined;
  }

  private button(text: string, label: string, act: () => void): HTMLElement {
    const made = element("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", act);
    return made;
  }

  private measured(): Size {
    const most = parseFloat(getComputedStyle(this.frame).maxHeight);
    return { width: this.frame.clientWidth || Infinity, height: most || Infinity };
  }

  private fit(): void {
    if (this.shown !== undefined) {
      const scale = this.scale(this.shown);
      this.shown.svg.style.width = `${this.shown.width * scale}px`;
      this.shown.svg.style.height = `${this.shown.height * scale}px`;
      this.percent.textContent = `${Math.round(scale * 100)}%`;
    }
  }

  private by(direction: 1 | -1): void {
    const { width, height } = this.frame.getBoundingClientRect();
    this.to((scale) => step(scale, direction), width / 2, height / 2);
  }

  private all(): void {
    this.to((_, picture) => whole(picture, this.room), 0, 0);
  }

  /** Show at another scale, with what is at a point of the frame staying there. */
  private to(wanted: (scale: number, picture: Size) => number, x: number, y: number): void {
    if (this.shown === undefined) {
      return;
    }
    const from = this.scale(this.shown);
    this.chosen = wanted(from, this.shown);
    const { scrollLeft, scrollTop } = this.frame;
    this.fit();
    this.frame.scrollLeft = scrolled(scrollLeft, x, from, this.chosen);
    this.frame.scrollTop = scrolled(scrollTop, y, from, this.chosen);
  }

  private onWheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const { left, top } = this.frame.getBoundingClientRect();
      const direction = event.deltaY < 0 ? 1 : -1;
      this.to((scale) => step(scale, direction), event.clientX - left, event.clientY - top);
    }
  }

  /** A finger scrolls by itself; a mouse takes hold of the ground between the boxes. */
  private onDrag(event: PointerEvent): void {
    const onBox = event.target instanceof Element && event.target.closest("g.box, .road[role=button]") !== null;
    if (event.pointerType === "touch" || event.button !== 0 || onBox) {
      return;
    }
    const { scrollLeft, scrollTop } = this.frame;
    const { clientX, clientY, pointerId } = event;
    const drag = (moved: PointerEvent) => {
      this.frame.scrollLeft = scrollLeft - moved.clientX + clientX;
      this.frame.scrollTop = scrollTop - moved.clientY + clientY;
    };
    this.frame.setPointerCapture(pointerId);
    this.frame.addEventListener("pointermove", drag);
    const end = () => this.frame.removeEventListener("pointermove", drag);
    for (const ending of ["pointerup", "pointercancel"] as const) {
      this.frame.addEventListener(ending, end, { once: true });
    }
  }
}
