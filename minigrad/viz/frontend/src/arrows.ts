// Arrows that are buttons, as in the graph cutter.
import { set, shape } from "./svg";

/** By edge of the graph: what pressing its arrow does, in words, and whether it is pressed. */
export type Arrows = Record<string, [label: string, pressed: boolean]>;

/** Make the arrows of these edges buttons, each wide enough for a finger. */
export function offer(svg: SVGSVGElement, arrows: Arrows): void {
  for (const [edge, [label, pressed]] of Object.entries(arrows)) {
    const arrow = arrowOf(svg, edge);
    const line = arrow?.querySelector(".lane")?.getAttribute("d");
    if (arrow && line) {
      arrow.removeAttribute("aria-hidden");
      set(arrow, { role: "button", tabindex: 0, "aria-label": label, "aria-pressed": `${pressed}` });
      shape("path", { class: "target", d: line }, arrow);
    }
  }
}

export function arrowOf(svg: SVGSVGElement | undefined, edge: string): SVGGElement | null | undefined {
  return svg?.querySelector<SVGGElement>(`.road[data-edges="${edge}"]`);
}

/** The edge whose arrow this is a part of. */
export function edgeAt(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<SVGGElement>(".road[role=button]")?.dataset.edges : undefined;
}
