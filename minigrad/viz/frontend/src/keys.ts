// JupyterLab takes plain keys for the notebook ("a" adds a cell, an arrow goes to the next one) unless
// what has the focus says that they are its own. Control and S still save.
const OURS = ".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument";
const CLAIM = "data-lm-suppress-shortcuts";

type Page = typeof globalThis & { minigradKeys?: boolean };

/** Let our parts of the page have the keys that are pressed in them. */
export function keepKeys(): void {
  const page = globalThis as Page;
  if (!page.minigradKeys) {
    page.minigradKeys = true;
    addEventListener("keydown", claim, true); // the window hears a key before the notebook does
    addEventListener("focusin", name, true);
  }
}

function claim({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  if (target instanceof Element && target.closest(OURS) !== null) {
    target.toggleAttribute(CLAIM, !(ctrlKey || metaKey || altKey));
  }
}

/** What can be slid has a text beside it, and for who listens none: ipywidgets does not connect them. */
function name({ target }: FocusEvent): void {
  if (target instanceof Element && target.matches("[role=slider]:not([aria-label])")) {
    const control = target.closest(OURS) && target.closest(".widget-inline-hbox");
    const text = control?.querySelector("label");
    target.setAttribute("aria-label", text?.textContent ?? "");
  }
}

export default { initialize: keepKeys };
