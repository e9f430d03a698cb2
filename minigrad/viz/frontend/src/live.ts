// The widget: one live graph on a page. What it shows is in the model's traits, made in Python.
import type { AnyModel, RenderProps } from "@anywidget/types";
import { neighbour } from "./geometry";
import { element, panel, type Details } from "./panel";
import { draw, type Theme } from "./picture";
import { Stage } from "./motion";
import style from "./live.css";

interface State {
  dot: string;
  summary: string;
  outline: string;
  parts: Record<string, string>;
  details: Record<string, Details>;
  news: string;
  themes: Record<"light" | "dark", Theme>;
}

function render({ model, el }: RenderProps<State>): () => void {
  const view = new View(model);
  el.append(view.root);
  const update = () => void view.update();
  model.on("change", update);
  update();
  return () => model.off("change", update);
}

class View {
  readonly root = element("div", { class: "minigrad-live" });
  private readonly frame = element("div", { class: "picture" });
  private readonly place = element("div", { class: "place" });
  private readonly news = element("p", { role: "status", "aria-live": "polite" });
  private readonly text = element("pre");
  private readonly stage = new Stage(this.frame);
  private focused: string | undefined; // keys of parts
  private selected: string | undefined;
  private latest = 0;

  constructor(private readonly model: AnyModel<State>) {
    const outline = element("details");
    outline.append(element("summary", {}, "As text"), this.text);
    const foot = element("div", { class: "foot" });
    foot.append(outline, this.news);
    const themes = element("style", {}, style + colors(model.get("themes")));
    const body = element("div", { class: "body" });
    body.append(this.frame, this.place);
    this.root.append(themes, body, foot);
    // The keys that are pressed here are not meant for the notebook around.
    this.root.dataset.lmSuppressShortcuts = "true";
    this.frame.addEventListener("keydown", (event) => this.onKey(event));
    this.frame.addEventListener("click", (event) => this.onClick(event));
    this.frame.addEventListener("focusin", (event) => this.onFocus(event));
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.selected !== undefined) {
        event.stopPropagation();
        this.select(undefined);
      }
    });
  }

  /** Show what the model holds now. */
  async update(): Promise<void> {
    const turn = ++this.latest;
    const picture = await draw(
      this.model.get("dot"),
      this.model.get("parts"),
      this.model.get("themes").light,
    );
    if (turn !== this.latest) {
      return; // a newer state has overtaken this one
    }
    const had = this.frame.contains(document.activeElement);
    picture.svg.setAttribute("role", "group");
    picture.svg.setAttribute("aria-label", this.model.get("summary"));
    for (const [key, group] of picture.groups) {
      const { title, rows } = this.details(group) ?? { title: group.textContent ?? "", rows: [] };
      const kind = rows.find(([label]) => label === "kind")?.[1];
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", kind === undefined ? title : `${title}, ${kind}`);
      group.setAttribute("aria-expanded", `${key === this.selected}`);
      group.setAttribute("tabindex", "-1");
    }
    this.text.textContent = this.model.get("outline");
    this.news.textContent = this.model.get("news");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.frame.style.flexBasis = `${picture.width}px`;
    const shown = this.stage.show(picture, !still);
    this.rove(picture.groups.has(this.focused ?? "") ? this.focused : undefined);
    this.select(picture.groups.has(this.selected ?? "") ? this.selected : undefined);
    await shown;
    if (had && turn === this.latest) {
      this.group(this.focused)?.focus({ preventScroll: true });
    }
  }

  private group(key: string | undefined): SVGGElement | undefined {
    return key === undefined ? undefined : this.stage.picture?.groups.get(key);
  }

  private keyOf(target: EventTarget | null): string | undefined {
    const group = target instanceof Element ? target.closest("g.node") : null;
    return [...(this.stage.picture?.groups ?? [])].find(([, one]) => one === group)?.[0];
  }

  private details(group: SVGGElement): Details | undefined {
    return this.model.get("details")[group.dataset.part ?? ""];
  }

  /** One part of the picture is what Tab comes to; the arrow keys go on from there. */
  private rove(key: string | undefined): void {
    const groups = this.stage.picture?.groups ?? new Map<string, SVGGElement>();
    this.group(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = key ?? groups.keys().next().value;
    this.group(this.focused)?.setAttribute("tabindex", "0");
  }

  private onFocus(event: FocusEvent): void {
    const key = this.keyOf(event.target);
    if (key !== undefined) {
      this.rove(key);
    }
  }

  private onKey(event: KeyboardEvent): void {
    const key = this.keyOf(event.target);
    if (key === undefined) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.select(key);
      return;
    }
    const next = neighbour(this.stage.picture!.boxes, key, event.key);
    if (next !== undefined) {
      event.preventDefault();
      this.group(next)?.focus();
    }
  }

  private onClick(event: MouseEvent): void {
    const key = this.keyOf(event.target);
    if (key !== undefined) {
      this.group(key)?.focus({ preventScroll: true });
      this.select(key === this.selected ? undefined : key);
    }
  }

  /** Open the panel on a part of the picture; undefined closes it. */
  private select(key: string | undefined): void {
    const inside = this.place.contains(document.activeElement);
    const last = this.selected;
    this.group(last)?.setAttribute("aria-expanded", "false");
    this.selected = key;
    const group = this.group(key);
    group?.setAttribute("aria-expanded", "true");
    const details = group === undefined ? undefined : this.details(group);
    this.place.replaceChildren(
      ...(details === undefined ? [] : [panel(details, () => this.select(undefined))]),
    );
    if (inside) {
      this.group(key ?? last)?.focus({ preventScroll: true });
    }
  }
}

/** JupyterLab says on the body which theme it has; elsewhere the system's counts. */
function colors(themes: Record<"light" | "dark", Theme>): string {
  const [light, dark] = [themes.light, themes.dark].map((theme) =>
    Object.entries(theme)
      .map(([role, color]) => `--minigrad-${role}: ${color};`)
      .join(" "),
  );
  return `
.minigrad-live { ${light} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) .minigrad-live { ${dark} } }
body[data-jp-theme-light="false"] .minigrad-live { ${dark} }`;
}

export default { render };
