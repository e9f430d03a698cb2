// Graphviz's SVG, made part of a page: themed, sized by the page, its parts known by their keys.
import { type Box, center, even, extent } from "./geometry";

export type Theme = Record<string, string>;

export interface Picture {
  svg: SVGSVGElement;
  width: number;
  height: number;
  /** Nodes by their keys, and where they are. */
  groups: Map<string, SVGGElement>;
  boxes: Map<string, Box>;
  /** Edges by where they run, and the name that rides on them. */
  edges: Map<string, SVGGElement>;
}

const SANS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
const MONO = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Graphviz's SVG for a page; parts: the key of each node by its id; theme: the colours in it. */
export function draw(text: string, parts: Record<string, string>, theme: Theme): Picture {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const svg = document.importNode(parsed.documentElement, true) as unknown as SVGSVGElement;
  const graph = svg.querySelector("g.graph") as SVGGElement;
  const [, , width = 0, height = 0] = svg.getAttribute("viewBox")!.split(" ").map(Number);
  graph.querySelector(":scope > polygon")?.remove();
  const [x = 0, y = 0] = /translate\(([^)]*)\)/
    .exec(graph.getAttribute("transform")!)![1]!
    .split(/[ ,]+/)
    .map(Number);
  svg.style.fontFamily = SANS;
  dress(svg, theme);
  const picture: Picture = {
    svg,
    width,
    height,
    groups: new Map(),
    boxes: new Map(),
    edges: new Map(),
  };
  svg.querySelectorAll("title").forEach((title) => title.remove());
  for (const edge of svg.querySelectorAll<SVGGElement>("g.edge")) {
    edge.setAttribute("aria-hidden", "true");
    picture.edges.set(edge.querySelector("path")!.getAttribute("d")! + edge.textContent, edge);
  }
  for (const group of svg.querySelectorAll<SVGGElement>("g.node")) {
    const key = parts[group.id] ?? group.id;
    const box = extent(group.querySelector("path")!.getAttribute("d")!);
    group.dataset.part = group.id;
    picture.groups.set(key, group);
    picture.boxes.set(key, { ...box, x: box.x + x, y: box.y + y });
    evenLines(group);
    if (/^n\d/.test(group.id)) {
      centerText(group, box);
    }
  }
  for (const element of svg.querySelectorAll("[id]")) {
    element.removeAttribute("id"); // any number of pictures stand on one page
  }
  return picture;
}

/** Colours that follow the page's theme, faces that the page has, dashes on gradients' ways back. */
function dress(svg: SVGSVGElement, theme: Theme): void {
  const roles = new Map(Object.entries(theme).map(([role, color]) => [color, role]));
  for (const element of svg.querySelectorAll<SVGElement>("[fill], [stroke], [font-family]")) {
    for (const name of ["fill", "stroke"]) {
      const color = element.getAttribute(name) ?? "";
      const role = roles.get(color);
      if (name === "stroke" && color === theme.grad && element.matches("g.edge path")) {
        element.setAttribute("stroke-dasharray", "5 3");
      }
      if (role !== undefined) {
        element.removeAttribute(name);
        element.style.setProperty(name, `var(--minigrad-${role})`);
      }
    }
    const face = element.getAttribute("font-family");
    if (face !== null) {
      element.removeAttribute("font-family");
      element.style.fontFamily = face.includes("Courier") ? MONO : "";
    }
  }
}

/** Graphviz sets each line by the height of its face. */
function evenLines(group: SVGGElement): void {
  const texts = [...group.querySelectorAll("text")];
  const place = (text: SVGTextElement) => Number(text.getAttribute("y"));
  const lines = [...new Set(texts.map(place))].sort((one, other) => one - other);
  const to = even(lines);
  for (const text of texts) {
    text.setAttribute("y", `${to[lines.indexOf(place(text))]}`);
  }
}

/** A pill's text stays in its middle in a font other than the one that Graphviz measured. */
function centerText(group: SVGGElement, box: Box): void {
  for (const text of group.querySelectorAll("text")) {
    text.setAttribute("text-anchor", "middle");
    text.setAttribute("x", `${center(box).x}`);
  }
}
