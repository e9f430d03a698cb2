// Whether the kernel is still there that the widget's model lives in.

interface Signal<T> {
  connect(slot: (sender: unknown, value: T) => void): void;
  disconnect(slot: (sender: unknown, value: T) => void): void;
}

export interface Kernel {
  statusChanged?: Signal<string>;
  disposed?: Signal<unknown>;
}

const GONE = new Set(["restarting", "autorestarting", "terminating", "dead"]);

/** Say so once the kernel is gone, with whatever it held; returns how to stop listening. */
export function onGone(kernel: Kernel | null | undefined, gone: () => void): () => void {
  const changed = (_: unknown, status: string) => {
    if (GONE.has(status)) {
      gone();
    }
  };
  kernel?.statusChanged?.connect(changed);
  kernel?.disposed?.connect(gone);
  return () => {
    kernel?.statusChanged?.disconnect(changed);
    kernel?.disposed?.disconnect(gone);
  };
}
