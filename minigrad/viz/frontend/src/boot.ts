// All that a widget brings with it. The rest is one model that all graphs of a kernel share, and one
// module that all of a page share: it is sent and loaded once.
import type { AnyModel, RenderProps } from "@anywidget/types";
import type { Live } from "./live";

interface State {
  bundle: string;
  instrument?: "nudge";
}

type Page = typeof globalThis & { minigradLive?: Map<string, Promise<Live>> };

const REFERENCE = "IPY_MODEL_";

async function load(model: AnyModel<State>): Promise<Live> {
  const id = model.get("bundle").slice(REFERENCE.length);
  const bundle = await model.widget_manager.get_model<Record<string, string>>(id);
  const modules = ((globalThis as Page).minigradLive ??= new Map());
  const digest = bundle.get("digest")!;
  if (!modules.has(digest)) {
    const url = URL.createObjectURL(new Blob([bundle.get("live")!], { type: "text/javascript" }));
    modules.set(digest, import(url));
  }
  return modules.get(digest)!;
}

async function render({ model, el }: RenderProps<State>): Promise<() => void> {
  const live = await load(model as AnyModel<State>);
  const show = model.get("instrument") === "nudge" ? live.nudge : live.render;
  return show({ model: model as never, el });
}

export default { render };
