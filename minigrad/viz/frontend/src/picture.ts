// Python's SVG, made part of a page: sized by the page, its parts known by their keys.
import { type Box, scaled } from "./geometry";

export interface Picture {
  svg: SVGSVGElement;
  /** Its size in pixels at 100%, and how many of these each of its own units has. */
  width: number;
  height: number;
  unit: number;
  /** Cards and operations by their keys, and where they are, in pixels at 100%. */
  groups: Map<string, SVGGElement>;
  boxes: Map<string, Box>;
  /** Roads and forks, by where they are and what they join. */
  roads: Map<string, SVGGElement>;
}

/** parts: the key of each part by its id. */
export function draw(text: string, parts: Record<string, string>): Picture {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true) as unknown as SVGSVGElement;
  svg.removeAttribute("style");
  svg.querySelectorAll("title, desc").forEach((one) => one.remove()); // a page says it in other ways
  const [left = 0, top = 0, full = 1] = svg.getAttribute("viewBox")!.split(" ").map(Number);
  const [width, height] = [number(svg, "width"), number(svg, "height")];
  const unit = width / full;
  const picture: Picture = { svg, width, height, unit, groups: new Map(), boxes: new Map(), roads: new Map() };
  for (const group of svg.querySelectorAll<SVGGElement>("g.road, g.fork")) {
    const { from = "", to = "" } = group.dataset;
    const place = group.querySelector("path, ellipse");
    const path = place?.getAttribute("d") ?? `${place?.getAttribute("cx")},${place?.getAttribute("cy")}`;
    group.setAttribute("aria-hidden", "true");
    picture.roads.set([parts[from], parts[to], path].join(" "), group);
  }
  for (const group of svg.querySelectorAll<SVGGElement>("g.box:not(.fork)")) {
    const key = parts[group.dataset.part!] ?? group.dataset.part!;
    const { x, y, width, height } = reach(group);
    group.dataset.key = key;
    picture.groups.set(key, group);
    picture.boxes.set(key, scaled({ x: x - left, y: y - top, width, height }, unit));
  }
  return picture;
}

/** A box with its texts, of which those below an operation are in its middle and may be wider. */
function reach(group: SVGGElement): Box {
  const frames = [...group.querySelectorAll(".frame:not(.heat)")];
  const texts = [...group.querySelectorAll("text")];
  const least = (axis: string) => Math.min(...frames.map((frame) => number(frame, axis)));
  const starts = texts.filter((text) => !text.hasAttribute("text-anchor")).map((text) => number(text, "x"));
  const [x, y] = [least("x"), least("y")];
  const right = Math.max(...frames.map((frame) => number(frame, "x") + number(frame, "width")));
  const bottom = Math.max(...frames.map((frame) => number(frame, "y") + number(frame, "height")));
  const more = Math.max(0, ...starts.map((start) => x - start));
  const low = Math.max(bottom, ...texts.map((text) => number(text, "y") + 4));
  return { x: x - more, y, width: right - x + 2 * more, height: low - y };
}

function number(element: Element, name: string): number {
  return Number(element.getAttribute(name));
}
