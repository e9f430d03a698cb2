// One live graph on a page. What it shows is in its model, made in Python.
import { type Arrows, arrowOf, edgeAt, offer } from "./arrows";
import { look, type Themes } from "./colors";
import { neighbour } from "./geometry";
import { type Model as AnyModel, onGone } from "./kernel";
import { LineChooser, type Lines } from "./lines";
import style from "./live.css";
import { painted, Stage, still } from "./motion";
import { Pan } from "./pan";
import { type Details, element, panel } from "./panel";
import { draw } from "./picture";
import { Pin } from "./pin";
import { set } from "./svg";
import { Travel, type Trip } from "./travel";

export interface State {
  svg: string;
  summary: string;
  outline: string;
  parts: Record<string, string>;
  details: Record<string, Details>;
  lines: Lines;
  news: string;
  unfolded: string[];
  stylesheet: string;
  themes: Themes;
  travel?: Trip;
  arrows?: Arrows;
  pressed?: string;
}

export type Model = Omit<AnyModel<State>, "send">;

const UNDRAWN = "There is no Graphviz here to draw the picture. Below it is as text.";
const GONE = "The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.";

export class View {
  readonly root = element("div", { class: "minigrad-view minigrad-live" });
  private readonly frame = element("div", { class: "picture" });
  private readonly place = element("div", { class: "place" });
  private readonly empty = element("p", { class: "empty" });
  private readonly sentence = element("p", { class: "sentence", "aria-live": "polite" });
  private readonly news = element("p", { role: "status", "aria-live": "polite" });
  private readonly alert = element("p", { role: "alert", class: "alert" });
  private readonly text = element("pre", { tabindex: "0", "aria-label": "The graph as text" });
  private readonly outline = element("details");
  private readonly fold = element("button", { type: "button", class: "framed" }, "Fold again");
  private readonly lines = new LineChooser(() => this.tellOfLine());
  private readonly pan = new Pan(this.frame);
  private readonly stage = new Stage(this.frame, this.pan);
  private readonly pin = new Pin(this.root);
  private readonly endings: (() => void)[] = [];
  private focused: string | undefined; // keys of parts
  private selected: string | undefined;
  private opening: string | undefined; // the picture in which something was opened
  private visible = true;
  private trips: number;
  private travel: Travel | undefined;
  private latest = 0;

  constructor(private readonly model: Model) {
    this.trips = model.get("travel")?.run ?? 0;
    this.outline.append(element("summary", {}, "As text"), this.text);
    const foot = element("div", { class: "foot" }, this.outline, this.lines.root, this.fold, this.pan.controls);
    if (model.widget_manager !== undefined) {
      foot.append(this.pin.button);
    }
    const say = element("div", { class: "say" }, this.sentence, this.news);
    const seen = element("div", { class: "seen" }, this.frame, say);
    const body = element("div", { class: "body" }, seen, this.place);
    const rules = model.get("stylesheet") + look(model.get("themes")) + style;
    this.root.append(element("style", {}, rules), this.alert, this.empty, body, foot);
    this.frame.addEventListener("keydown", (event) => this.onKey(event));
    this.frame.addEventListener("click", (event) => this.onClick(event));
    this.frame.addEventListener("focusin", (event) => this.onFocus(event));
    this.frame.addEventListener("pointerover", (event) => this.tell(event.target));
    this.frame.addEventListener("pointerleave", () => this.tell(document.activeElement));
    this.fold.addEventListener("click", () => this.unfold([]));
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.selected !== undefined) {
        event.stopPropagation();
        this.select(undefined);
      }
    });
    const watch = new IntersectionObserver((entries) => (this.visible = entries.at(-1)!.isIntersecting));
    watch.observe(this.root);
    const update = () => void this.update();
    model.on("change", update);
    this.endings.push(
      () => watch.disconnect(),
      () => this.pan.remove(),
      () => this.pin.remove(),
      () => model.off("change", update),
      onGone(model.widget_manager?.kernel, () => (this.alert.textContent = GONE)),
    );
    update();
  }

  remove(): void {
    this.endings.forEach((end) => end());
    this.latest++;
  }

  /** Show what the model holds now. */
  private async update(): Promise<void> {
    const turn = ++this.latest;
    const begun = performance.now();
    const [svg, summary, outline] = [this.model.get("svg"), this.model.get("summary"), this.model.get("outline")];
    this.frame.setAttribute("aria-busy", "true");
    this.travel?.finish();
    this.sentence.textContent = "";
    this.text.textContent = outline;
    this.news.textContent = this.model.get("news");
    this.fold.hidden = this.model.get("unfolded").length === 0;
    this.lines.offer(this.model.get("lines"));
    this.empty.textContent = svg !== "" ? "" : outline === summary ? summary : UNDRAWN;
    this.root.classList.toggle("undrawn", svg === "");
    if (svg === "") {
      this.outline.open = true;
    } else {
      await this.show(svg, turn, begun);
    }
    if (turn === this.latest) {
      this.frame.setAttribute("aria-busy", "false");
    }
  }

  /** Put a picture in place of the one before. */
  private async show(svg: string, turn: number, begun: number): Promise<void> {
    const picture = draw(svg, this.model.get("parts"));
    const had = this.frame.contains(document.activeElement);
    const edge = had ? edgeAt(document.activeElement) : undefined;
    offer(picture.svg, this.model.get("arrows") ?? {});
    set(picture.svg, { role: "group", "aria-label": this.model.get("summary") });
    for (const [key, group] of picture.groups) {
      this.announce(key, group);
    }
    const known = this.stage.picture?.groups;
    const other = this.opening !== undefined && svg !== this.opening;
    const opened = other && [...picture.groups.keys()].find((key) => !known?.has(key));
    this.opening = other ? undefined : this.opening;
    this.lines.mark(picture);
    const moving = !still() && this.visible;
    const trip = this.model.get("travel");
    this.travel = moving && trip !== undefined && trip.run !== this.trips ? new Travel(picture.svg, trip) : undefined;
    this.trips = trip?.run ?? 0;
    const shown = this.stage.show(picture, moving);
    this.rove(opened || (picture.groups.has(this.focused ?? "") ? this.focused : undefined));
    this.select(picture.groups.has(this.selected ?? "") ? this.selected : undefined);
    painted("new picture", begun);
    await shown;
    if (turn !== this.latest) {
      return; // a newer state has overtaken this one
    }
    if (had || opened) {
      (edge ? arrowOf(picture.svg, edge) : this.group(this.focused))?.focus({ preventScroll: !opened });
    }
    await this.travel?.start();
    if (turn === this.latest) {
      this.travel?.finish();
    }
  }

  /** Say what a part of the picture is, and that it can be opened. */
  private announce(key: string, group: SVGGElement): void {
    const texts = [...group.querySelectorAll("text")].map((text) => text.textContent);
    const { title, rows, fold } = this.details(group) ?? { title: texts.join(" "), rows: [] };
    const kind = rows.find(([label]) => label === "kind")?.[1];
    const hint = fold === undefined ? "" : ", folded: press Enter to unfold";
    const label = (kind === undefined ? title : `${title}, ${kind}`) + hint;
    set(group, { role: "button", "aria-label": label, "aria-expanded": `${key === this.selected}`, tabindex: -1 });
  }

  private group(key: string | undefined): SVGGElement | undefined {
    return key === undefined ? undefined : this.stage.picture?.groups.get(key);
  }

  private keyOf(target: EventTarget | null): string | undefined {
    return target instanceof Element ? target.closest<SVGGElement>("g.box")?.dataset.key : undefined;
  }

  private details(group: SVGGElement): Details | undefined {
    return this.model.get("details")[group.dataset.part ?? ""];
  }

  /** Mark what the chosen line made, and say what that is. */
  private tellOfLine(): void {
    const made = this.stage.picture === undefined ? [] : this.lines.mark(this.stage.picture);
    const titles = made.map((group) => this.details(group)?.title ?? "");
    this.news.textContent = this.lines.chosen === undefined ? "" : `Made there: ${titles.join(", ")}`;
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
      this.tell(event.target);
    }
  }

  /** Write the sentence of the operation that is pointed at or has the focus into its line. */
  private tell(target: EventTarget | null): void {
    const group = this.group(this.keyOf(target));
    this.sentence.textContent = (group && this.details(group)?.sentence) ?? "";
  }

  private onKey(event: KeyboardEvent): void {
    const [key, edge] = [this.keyOf(event.target), edgeAt(event.target)];
    if ((key ?? edge) === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const next = key && neighbour(this.stage.picture!.boxes, key, event.key);
    if (["Enter", " ", ...(edge ? ["Delete"] : [])].includes(event.key)) {
      this.act(key, edge);
    } else if (next !== undefined) {
      this.group(next)?.focus();
    } else if (!this.pan.onKey(event.key)) {
      return;
    }
    event.preventDefault();
  }

  private onClick(event: MouseEvent): void {
    const key = this.keyOf(event.target);
    this.group(key)?.focus({ preventScroll: true });
    this.act(key, edgeAt(event.target));
  }

  /** Press an arrow; of a part of the picture open the panel, or close it. */
  private act(key: string | undefined, edge: string | undefined): void {
    if (edge !== undefined) {
      this.model.set("pressed", edge);
      this.model.save_changes();
    } else if (key !== undefined) {
      this.open(key === this.selected ? undefined : key);
    }
  }

  /** Unfold what is folded; of anything else show the panel. */
  private open(key: string | undefined): void {
    const group = this.group(key);
    const fold = group === undefined ? undefined : this.details(group)?.fold;
    if (fold === undefined) {
      this.select(key);
    } else {
      this.unfold([...this.model.get("unfolded"), fold]);
    }
  }

  private unfold(folds: string[]): void {
    this.opening = this.model.get("svg");
    this.model.set("unfolded", folds);
    this.model.save_changes();
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
    this.place.replaceChildren(...(details === undefined ? [] : [panel(details, () => this.select(undefined))]));
    if (inside) {
      this.group(key ?? last)?.focus({ preventScroll: true });
    }
  }
}
