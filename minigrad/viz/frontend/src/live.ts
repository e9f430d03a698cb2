// Live graphs on a page: in a notebook, where a model holds what they show, and in a file of its own.
import { keepKeys } from "./keys";
import { Nudge, type NudgeModel } from "./nudge";
import { type Model, type State, View } from "./view";

export interface Live {
  render(context: { model: Model; el: HTMLElement }): () => void;
  nudge(context: { model: NudgeModel; el: HTMLElement }): () => void;
}

export const render: Live["render"] = ({ model, el }) => place(new View(model), el);
export const nudge: Live["nudge"] = ({ model, el }) => place(new Nudge(model), el);

function place(view: View | Nudge, el: HTMLElement): () => void {
  keepKeys();
  el.append(view.root);
  return () => view.remove();
}

/** What a file holds: its picture folded (under ""), and with each of its folds open. */
export type States = Record<string, State>;

/** A graph on a page without a kernel, one fold open at most. */
export function standalone(states: States, el: HTMLElement): void {
  let shown = states[""]!;
  const listeners = new Set<() => void>();
  const model: Model = {
    get: (name) => shown[name],
    set(name, value) {
      const fold = name === "unfolded" ? (value as string[]).at(-1) : undefined;
      shown = states[fold ?? ""]!;
    },
    save_changes: () => listeners.forEach((changed) => changed()),
    on: (_, changed) => void listeners.add(changed),
    off: (_, changed) => void listeners.delete(changed),
  };
  render({ model, el });
}
