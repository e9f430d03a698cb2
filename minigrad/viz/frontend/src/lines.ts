// From a line of the program to what it made, where a recording has seen it.
import { element } from "./panel";
import type { Picture } from "./picture";

/** Lines of the program, in its order, and the ids of the parts that each made. */
export type Lines = [line: string, parts: string[]][];

export class LineChooser {
  private readonly list = element("select");
  readonly root = element("label", { class: "lines" }, "Made by ", this.list);
  private lines: Lines = [];

  constructor(onChoice: () => void) {
    this.list.addEventListener("change", onChoice);
  }

  /** Let one choose among these lines; the one that is chosen stays so while it is there. */
  offer(lines: Lines): void {
    const before = this.list.value;
    this.lines = lines;
    this.root.hidden = lines.length === 0;
    const options = lines.map(([line]) => element("option", { value: line }, line));
    this.list.replaceChildren(element("option", { value: "" }, "any line"), ...options);
    this.list.value = lines.some(([line]) => line === before) ? before : "";
  }

  get chosen(): string | undefined {
    return this.list.value || undefined;
  }

  /** Mark those parts of a picture that the chosen line made, and return them. */
  mark({ svg, groups }: Picture): SVGGElement[] {
    const parts = new Set(this.lines.find(([line]) => line === this.chosen)?.[1]);
    svg.classList.toggle("marked", this.chosen !== undefined);
    for (const group of groups.values()) {
      group.setAttribute("aria-current", `${parts.has(group.dataset.part ?? "")}`);
    }
    return [...groups.values()].filter((group) => parts.has(group.dataset.part ?? ""));
  }
}
