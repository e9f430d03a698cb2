// Whether the kernel is still there that the widget's model lives in.

interface Signal<T> {
  connect(slot: (sender: unknown, value: T) => void): void;
  disconnect(slot: (sender: unknown, value: T) => void): void;
}

export interface Kernel {
  statusChanged?: Signal<string>;
  disposed?: Signal<unknown>;
}

/** The part of a widget's model that a page needs. */
export interface Model<State> {
  get<Name extends keyof State>(name: Name): State[Name];
  set<Name extends keyof State>(name: Name, value: State[Name]): void;
  save_changes(): void;
  send(content: object): void;
  on(event: "change", changed: () => void): void;
  off(event: "change", changed: () => void): void;
  widget_manager?: { kernel?: Kernel | null };
}

const GONE = new Set(["restarting", "autorestarting", "terminating", "dead"]);

/** Say so once the kernel is gone, with whatever it held; returns how to stop listening. */
export function onGone(kernel: Kernel | null | undefined, gone: () => void): () => void {
  const changed = (_: unknown, status: string) => void (GONE.has(status) && gone());
  kernel?.statusChanged?.connect(changed);
  kernel?.disposed?.connect(gone);
  return () => {
    kernel?.statusChanged?.disconnect(changed);
    kernel?.disposed?.disconnect(gone);
  };
}
